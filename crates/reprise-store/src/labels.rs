//! Label files. A label is a fingerprint to look for, with the page that it comes from. A label file is a
//! Parquet file of labels, sorted by fingerprint.

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

/// The way in which labels were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// By blind discovery, from the content that occurs often in a corpus.
    Discovered,
    /// By informed discovery, from given pages.
    Informed,
}

/// The properties of all labels of a file. They are stored in the metadata of the Parquet file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelsHeader {
    /// The format of the file.
    pub format: u32,
    /// The hash function: `sha256` or `sha1`.
    pub hash: String,
    /// The chunk form: `markup` or `text`.
    pub chunk: String,
    /// The way in which the labels were made.
    pub origin: Origin,
    /// The fewest characters of a label. Shorter chunks are stop chunks, also in detection.
    pub min_length: u64,
}

/// The number of rows of a row group: small, so that looking up one label reads few others.
const LABEL_GROUP_ROWS: usize = 1 << 13;

/// The keys of the header and of the seal in the metadata of the file.
const HEADER_KEY: &str = "reprise.labels";
const SEAL_KEY: &str = "reprise.checksum";

/// The checksums of a label file.
#[derive(Serialize, Deserialize)]
struct Seal {
    /// The number of bytes from the start of the file that `checksum` covers: all but the Parquet footer.
    bytes: u64,
    /// The checksum of these bytes.
    checksum: String,
    /// The checksum of the header.
    header: String,
}

const LABELS_FORMAT: u32 = 1;

impl LabelsHeader {
    /// Creates the header of labels for corpora with these settings.
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
