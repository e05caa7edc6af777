//! `manifest.json`: what a corpus is made of. Whatever it does not name does not belong to the corpus.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use reprise_chunk::ChunkSettings;
use serde::{Deserialize, Serialize};

use crate::checksum;
use crate::corpus::Settings;
use crate::error::StoreError;
use crate::schema::Table;

/// The newest format that this version reads and writes.
pub const FORMAT: u32 = 1;

/// File name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";
/// Where it is written before it gets that name.
pub(crate) const MANIFEST_ASIDE: &str = "manifest.json.partial";

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
    /// XXH3 of Parquet's own directory at its end: readers check it when they open the file, and each page when they
    /// read it. Older corpora have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

impl SegmentSummary {
    /// Returns the number of rows of one of the segment's tables.
    pub fn rows<T: Table>(&self) -> u64 {
        self.rows_of(T::TABLE)
    }

    pub(crate) fn rows_of(&self, table: &str) -> u64 {
        self.files.get(table).map_or(0, |file| file.rows)
    }
}

const SEAL: &str = ",\n  \"checksum\": \"";

impl Manifest {
    pub(crate) fn new(settings: Settings) -> Manifest {
        Manifest {
            kind: "reprise corpus".to_owned(),
            format: FORMAT,
            hash: settings.chunks.hash.as_str().to_owned(),
            chunk: settings.chunks.chunk.as_str().to_owned(),
            shingles: settings.shingles,
            next_segment: 1,
            segments: Vec::new(),
        }
    }

    /// The settings, parsed.
    pub(crate) fn settings(&self, path: &Path) -> Result<ChunkSettings, StoreError> {
        let damaged = |detail: String| StoreError::damaged(path, detail);
        Ok(ChunkSettings {
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
            Err(error) => return Err(unread(corpus, error)),
        };
        // Every version seals in this way, so that damage is never taken for a newer format.
        let body = text.rfind(SEAL).map(|at| &text[..at]);
        if body.map(seal).as_deref() != Some(&text) {
            return Err(StoreError::damaged(&path, "its checksum does not fit"));
        }
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
        serde_json::from_str(&text).map_err(|error| StoreError::damaged(&path, error.to_string()))
    }

    /// Writes the manifest aside and renames it: readers see the old one or the new one.
    pub(crate) fn write(&self, corpus: &Path) -> Result<(), StoreError> {
        let path = corpus.join(MANIFEST);
        let aside = corpus.join(MANIFEST_ASIDE);
        let text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        let body = text.trim_end_matches('}').trim_end();
        let written = File::create(&aside).and_then(|mut file| {
            file.write_all(seal(body).as_bytes())?;
            file.sync_all()
        });
        written
            .map_err(StoreError::writing(&aside))
            .and_then(|()| fs::rename(&aside, &path).map_err(StoreError::writing(&path)))
            .inspect_err(|_| {
                // On a full disk, what is half written is in the way.
                let _ = fs::remove_file(&aside);
            })?;
        sync_directory(corpus)
    }
}

/// Why there is no manifest to be read.
fn unread(corpus: &Path, error: io::Error) -> StoreError {
    let path = corpus.to_owned();
    match fs::metadata(corpus) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => StoreError::Missing { path },
        Ok(found) if !found.is_dir() => StoreError::NotADirectory { path },
        _ if error.kind() == io::ErrorKind::NotFound => StoreError::NotACorpus { path },
        _ => StoreError::reading(&corpus.join(MANIFEST))(error),
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
        .map_err(StoreError::writing(path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FORMAT, MANIFEST, MANIFEST_ASIDE, Manifest, SEAL, Settings, seal};
    use crate::error::StoreError;

    fn manifest() -> Manifest {
        Manifest::new(Settings::default())
    }

    #[test]
    fn a_newer_format_is_told_from_damage() {
        let directory = tempfile::tempdir().unwrap();
        manifest().write(directory.path()).unwrap();
        let path = directory.path().join(MANIFEST);
        let text = fs::read_to_string(&path).unwrap();
        let newer = text.replace(&format!("\"format\": {FORMAT}"), "\"format\": 99");
        fs::write(&path, &newer).unwrap();
        let found = Manifest::read(directory.path());
        assert!(
            matches!(found, Err(StoreError::Damaged { .. })),
            "{found:?}"
        );
        let (body, _) = newer.split_once(SEAL).unwrap();
        fs::write(&path, seal(body)).unwrap();
        let found = Manifest::read(directory.path());
        assert!(
            matches!(found, Err(StoreError::NewerFormat { found: 99, .. })),
            "{found:?}"
        );
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        // A name that is taken by a directory.
        fs::create_dir(directory.path().join(MANIFEST)).unwrap();
        assert!(manifest().write(directory.path()).is_err());
        assert!(!directory.path().join(MANIFEST_ASIDE).exists());
    }
}
