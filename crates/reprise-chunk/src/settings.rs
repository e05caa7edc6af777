//! The settings that all fingerprints of a corpus share.

use reprise_fingerprint::HashKind;
use reprise_text::ChunkForm;

/// The settings that decide the fingerprints of chunks. Only fingerprints with equal settings can be
/// compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSettings {
    /// The hash function.
    pub hash: HashKind,
    /// The chunk form.
    pub chunk: ChunkForm,
}

impl Default for ChunkSettings {
    /// Returns SHA-256 and chunks with their markup.
    fn default() -> ChunkSettings {
        ChunkSettings {
            hash: HashKind::Sha256,
            chunk: ChunkForm::Markup,
        }
    }
}
