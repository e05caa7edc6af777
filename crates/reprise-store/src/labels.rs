//! Labels: what is looked for. One Parquet file of sorted fingerprints, each with where it comes from.

mod cursor;
mod group;
mod merge;
mod read;
mod write;

use reprise_chunk::ChunkSettings;
use serde::{Deserialize, Serialize};

pub use cursor::LabelCursor;
pub use merge::merge_labels;
pub use read::{LabelReader, Labels};
pub use write::LabelsWriter;

/// How labels came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Found blind, by how often they occur in a corpus.
    Discovered,
    /// Made from pages that somebody named.
    Informed,
}

/// What holds for all labels of a file; kept in the file's own metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelsHeader {
    /// Format of the file.
    pub format: u32,
    /// `sha256` or `sha1`.
    pub hash: String,
    /// `markup` or `text`.
    pub chunk: String,
    /// How the labels came about.
    pub origin: Origin,
    /// Chunks with fewer characters are stop chunks, here and in detection.
    pub min_length: u64,
}

/// Rows in a group of labels: few, so that one label can be looked up without reading many.
const LABEL_GROUP_ROWS: usize = 1 << 13;

const HEADER_KEY: &str = "reprise.labels";
const SEAL_KEY: &str = "reprise.checksum";

/// How damage to a file of labels is noticed.
#[derive(Serialize, Deserialize)]
struct Seal {
    /// So many bytes, from the front, are covered: all but the file's own directory.
    bytes: u64,
    /// Their checksum.
    checksum: String,
    /// Checksum of the header's text.
    header: String,
}

const LABELS_FORMAT: u32 = 1;

impl LabelsHeader {
    /// The header of labels that fit corpora with these settings.
    pub fn new(settings: ChunkSettings, origin: Origin, min_length: u64) -> LabelsHeader {
        LabelsHeader {
            format: LABELS_FORMAT,
            hash: settings.hash.as_str().to_owned(),
            chunk: settings.chunk.as_str().to_owned(),
            origin,
            min_length,
        }
    }
}
