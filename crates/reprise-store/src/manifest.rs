//! `manifest.json`: what a corpus is made of. Whatever it does not name does not belong to the corpus.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use reprise_fingerprint::HashKind;
use reprise_text::ChunkForm;
use serde::{Deserialize, Serialize};

use crate::checksum;
use crate::error::StoreError;

/// The newest format that this version reads and writes.
pub const FORMAT: u32 = 1;

/// File name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";
/// Where it is written before it gets that name.
pub(crate) const MANIFEST_ASIDE: &str = "manifest.json.partial";

/// What all fingerprints of a corpus have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The hash that makes fingerprints.
    pub hash: HashKind,
    /// Which text of a chunk is fingerprinted.
    pub chunk: ChunkForm,
}

/// The manifest as it stands on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `reprise corpus`.
    pub kind: String,
    /// Format of the corpus.
    pub format: u32,
    /// `sha256` or `sha1`.
    pub hash: String,
    /// `markup` or `text`.
    pub chunk: String,
    /// Do its segments have shingles?
    #[serde(default)]
    pub shingles: bool,
    /// Number of the next segment; numbers are never used twice.
    pub next_segment: u64,
    /// The segments, oldest first.
    pub segments: Vec<SegmentSummary>,
}

/// What the manifest says of a segment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SegmentSummary {
    /// Its number, which names its directory.
    pub number: u64,
    /// How many sites its pages are on.
    pub sites: u64,
    /// Bytes of the archives that were read.
    pub bytes_in: u64,
    /// Bytes of the decoded bodies.
    pub bytes_body: u64,
    /// Records read, by kind.
    pub records: BTreeMap<String, u64>,
    /// What was skipped or damaged, by kind.
    pub problems: BTreeMap<String, ProblemSummary>,
    /// Its files, by table.
    pub files: BTreeMap<String, FileSummary>,
}

/// How often a problem occurred, and the first example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemSummary {
    /// How often.
    pub count: u64,
    /// Name of the source of the example.
    pub source: String,
    /// Where in the source.
    pub offset: u64,
    /// URL of the example.
    pub url: Option<String>,
    /// What was found.
    pub detail: String,
}

/// What the manifest says of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Rows of the table.
    pub rows: u64,
    /// Size.
    pub bytes: u64,
    /// XXH3 of the whole file, 64 bits in hexadecimal.
    pub checksum: String,
}

impl SegmentSummary {
    /// Rows of one of the segment's tables.
    pub fn rows(&self, table: &str) -> u64 {
        self.files.get(table).map_or(0, |file| file.rows)
    }
}

const SEAL: &str = ",\n  \"checksum\": \"";

impl Manifest {
    pub(crate) fn new(settings: Settings, shingles: bool) -> Manifest {
        Manifest {
            kind: "reprise corpus".to_owned(),
            format: FORMAT,
            hash: settings.hash.as_str().to_owned(),
            chunk: settings.chunk.as_str().to_owned(),
            shingles,
            next_segment: 1,
            segments: Vec::new(),
        }
    }

    /// The settings, parsed.
    pub(crate) fn settings(&self, path: &Path) -> Result<Settings, StoreError> {
        let damaged = |detail: String| StoreError::damaged(path, detail);
        Ok(Settings {
            hash: self
                .hash
                .parse()
                .map_err(|error| damaged(format!("{error}")))?,
            chunk: self
                .chunk
                .parse()
                .map_err(|error| damaged(format!("{error}")))?,
        })
    }

    /// Reads the manifest of a corpus and checks its seal.
    pub(crate) fn read(corpus: &Path) -> Result<Manifest, StoreError> {
        let path = corpus.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes)
                .map_err(|_| StoreError::damaged(&path, "it is not text"))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(StoreError::NotACorpus {
                    path: corpus.to_owned(),
                });
            }
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        // A newer version may seal in another way; its format number comes first.
        let format = serde_json::from_str::<serde_json::Value>(&text)
            .ok()
            .and_then(|value| value.get("format")?.as_u64());
        if let Some(found) = format.filter(|&found| found > u64::from(FORMAT)) {
            return Err(StoreError::NewerFormat {
                path: corpus.to_owned(),
                found: u32::try_from(found).unwrap_or(u32::MAX),
                known: FORMAT,
            });
        }
        let body = text.rfind(SEAL).map(|at| &text[..at]);
        if body.map(seal).as_deref() != Some(&text) {
            return Err(StoreError::damaged(&path, "its checksum does not fit"));
        }
        serde_json::from_str(&text).map_err(|error| StoreError::damaged(&path, error.to_string()))
    }

    /// Writes the manifest aside and renames it: readers see the old one or the new one.
    pub(crate) fn write(&self, corpus: &Path) -> Result<(), StoreError> {
        let path = corpus.join(MANIFEST);
        let aside = corpus.join(MANIFEST_ASIDE);
        let text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        let body = text.trim_end_matches('}').trim_end();
        let mut file = File::create(&aside).map_err(StoreError::io("write", &aside))?;
        file.write_all(seal(body).as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(StoreError::io("write", &aside))?;
        fs::rename(&aside, &path).map_err(StoreError::io("write", &path))?;
        sync_directory(corpus)
    }
}

/// The text of a manifest whose last member is the checksum of all that stands before it.
fn seal(body: &str) -> String {
    format!(
        "{body}{SEAL}{}\"\n}}\n",
        checksum::of_bytes(body.as_bytes())
    )
}

/// Makes renames in a directory last.
pub(crate) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(StoreError::io("write", path))
}
