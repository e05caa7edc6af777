//! Labels: what is looked for. One Parquet file of sorted fingerprints, each with where it comes from.

mod cursor;
mod group;
mod merge;
mod read;
mod write;

use std::fmt;
use std::str::FromStr;

use reprise_fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};

use crate::manifest::Settings;

pub use cursor::LabelCursor;
pub use merge::merge_labels;
pub use read::{LabelReader, Labels};
pub use write::LabelsWriter;

/// What is labelled: pieces of pages, or whole files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Chunks.
    Chunk,
    /// Files.
    File,
}

impl Level {
    /// As flags, JSON and tables have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Chunk => "chunk",
            Level::File => "file",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        match text {
            "chunk" => Ok(Level::Chunk),
            "file" => Ok(Level::File),
            _ => Err(format!("{text:?} is neither chunk nor file")),
        }
    }
}

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
    pub fn new(settings: Settings, origin: Origin, min_length: u64) -> LabelsHeader {
        LabelsHeader {
            format: LABELS_FORMAT,
            hash: settings.hash.as_str().to_owned(),
            chunk: settings.chunk.as_str().to_owned(),
            origin,
            min_length,
        }
    }
}

/// A label, and one site it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelRow {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Of a chunk or of a file.
    pub level: Level,
    /// Characters of the chunk; bytes of the file.
    pub chars: u64,
    /// How often it was found, on how many pages and sites, where it was discovered.
    pub counts: Option<[u64; 3]>,
    /// What the analyst calls its source; empty where it was discovered.
    pub name: String,
    /// The page it was taken from: the first one by time where several have it.
    pub url: String,
    /// The site of that page; empty where it has none.
    pub site: String,
    /// When that page was fetched.
    pub fetched: Option<i64>,
}

impl LabelRow {
    /// The order of rows in a file: of several sources, the one that had it first comes first.
    pub fn order(&self, other: &LabelRow) -> std::cmp::Ordering {
        let key = |row: &LabelRow| (row.fingerprint, row.level, row.fetched.unwrap_or(i64::MAX));
        key(self).cmp(&key(other)).then_with(|| {
            (&self.site, &self.url, &self.name).cmp(&(&other.site, &other.url, &other.name))
        })
    }
}
