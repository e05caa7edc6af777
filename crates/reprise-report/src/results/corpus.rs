//! The contents of a corpus.

use std::collections::BTreeMap;

use reprise_chunk::ChunkSettings;

/// The contents of a corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CorpusInfo {
    /// The directory.
    pub path: String,
    /// The number of pages.
    pub pages: u64,
    /// The number of chunks. Repeats count.
    pub chunks: u64,
    /// The number of distinct chunks; `None` if a table is damaged.
    pub distinct_chunks: Option<u64>,
    /// The number of sites; `None` if a table is damaged.
    pub sites: Option<u64>,
    /// The number of segments.
    pub segments: u64,
    /// The number of source files; `None` if a table is damaged.
    pub sources: Option<u64>,
    /// The size of the corpus on disk.
    pub bytes_on_disk: u64,
    /// The bytes of archives that were read.
    pub bytes_in: u64,
    /// The bytes of decoded bodies.
    pub bytes_body: u64,
    /// The version of the format.
    pub format: u32,
    /// The name of the hash function.
    pub hash: String,
    /// The name of the chunk form.
    pub chunk: String,
    /// True if the corpus has shingles.
    pub shingles: bool,
    /// The number of records, by kind.
    pub records: BTreeMap<String, u64>,
    /// The records that were skipped or damaged.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub problems: Problems,
    /// Damaged files of the corpus.
    pub damage: Vec<DamagedFile>,
    /// The way to repair the damage; `None` if nothing is damaged or no repair is known.
    pub repair: Option<Repair>,
}

impl CorpusInfo {
    /// Returns information about an empty corpus.
    pub fn empty(settings: ChunkSettings) -> CorpusInfo {
        CorpusInfo {
            path: String::new(),
            pages: 0,
            chunks: 0,
            distinct_chunks: Some(0),
            sites: Some(0),
            segments: 0,
            sources: Some(0),
            bytes_on_disk: 0,
            bytes_in: 0,
            bytes_body: 0,
            format: 0,
            hash: settings.hash.as_str().to_owned(),
            chunk: settings.chunk.as_str().to_owned(),
            shingles: false,
            records: BTreeMap::new(),
            problems: Problems::default(),
            damage: Vec::new(),
            repair: None,
        }
    }
}

/// A file of a corpus that is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DamagedFile {
    /// The file.
    pub path: String,
    /// A description of the damage.
    pub detail: String,
}

/// A way to repair a damaged corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "action", rename_all = "snake_case"))]
pub enum Repair {
    /// Remove segments from the corpus and index their archives again.
    RemoveSegments {
        /// The directory of the corpus.
        corpus: String,
        /// The numbers of the segments.
        segments: Vec<u64>,
    },
    /// Restore `manifest.json` from a backup, or index the archives into another directory.
    RestoreManifest,
}

/// Records that were skipped, or kept although they are damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Problems {
    /// The number of skipped records, by kind.
    pub skipped: BTreeMap<String, u64>,
    /// The number of damaged records that were kept, by kind.
    pub damaged: BTreeMap<String, u64>,
    /// The first record of each kind.
    pub examples: Vec<ProblemExample>,
}

/// The first record with a kind of problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProblemExample {
    /// The kind.
    pub kind: String,
    /// The kind in words.
    pub meaning: String,
    /// The number of records of this kind.
    pub count: u64,
    /// The path or URL of the source file.
    pub source: String,
    /// The position of the record in the source.
    pub offset: u64,
    /// The URL of the record.
    pub url: Option<String>,
    /// Details, such as the value that was found.
    pub detail: String,
}
