//! `manifest.json`, which lists the segments of a corpus. A segment that it does not list is not part of
//! the corpus.

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

/// The file name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The file name under which a new manifest is written. It is then renamed.
pub(crate) const MANIFEST_ASIDE: &str = "manifest.json.partial";

/// The content of `manifest.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Always `reprise corpus`.
    pub kind: String,
    /// The format of the corpus.
    pub format: u32,
    /// The hash function: `sha256` or `sha1`.
    pub hash: String,
    /// The chunk form: `markup` or `text`.
    pub chunk: String,
    /// True if the segments have shingles.
    #[serde(default)]
    pub shingles: bool,
    /// The number of the next segment. Numbers are never reused.
    pub next_segment: u64,
    /// The segments, oldest first.
    pub segments: Vec<SegmentSummary>,
}

/// The entry of a segment in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SegmentSummary {
    /// The number of the segment, which is the name of its directory.
    pub number: u64,
    /// The number of sites of its pages.
    pub sites: u64,
    /// The bytes of the archives that were read.
    pub bytes_in: u64,
    /// The bytes of the decoded bodies.
    pub bytes_body: u64,
    /// The number of records that were read, by kind.
    pub records: BTreeMap<String, u64>,
    /// The records that were skipped or damaged, by kind of problem.
    pub problems: BTreeMap<String, ProblemSummary>,
    /// The files of the segment, by table.
    pub files: BTreeMap<String, FileSummary>,
}

/// The number of problems of one kind, and the first of them as an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemSummary {
    /// The number of problems.
    pub count: u64,
    /// The name of the source of the example.
    pub source: String,
    /// The position of the example in its source.
    pub offset: u64,
    /// The URL of the example.
    pub url: Option<String>,
    /// A description of the example.
    pub detail: String,
}

/// The entry of a file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// The number of rows.
    pub rows: u64,
    /// The size.
    pub bytes: u64,
    /// The 64-bit XXH3 of the whole file, in hexadecimal.
    pub checksum: String,
    /// The XXH3 of the Parquet footer. Readers check it when they open the file, and the checksum of each
    /// Parquet page when they read the page. Older corpora do not have it.
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

/// The text before the checksum, which is the last member of the manifest.
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

    /// Parses the settings of the corpus.
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

    /// Reads the manifest of a corpus and checks its checksum.
    pub(crate) fn read(corpus: &Path) -> Result<Manifest, StoreError> {
        let path = corpus.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes)
                .map_err(|_| StoreError::damaged(&path, "it is not UTF-8"))?,
            Err(error) => return Err(unread(corpus, error)),
        };
        // All formats have this checksum, so a damaged manifest is never taken for one of a newer format.
        let body = text.rfind(SEAL).map(|at| &text[..at]);
        if body.map(seal).as_deref() != Some(&text) {
            return Err(StoreError::damaged(&path, "its checksum does not match"));
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

    /// Writes the manifest under a temporary name and renames it, so that readers see either the old one
    /// or the new one.
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
                // An incomplete file would waste space on a full disk.
                let _ = fs::remove_file(&aside);
            })?;
        sync_directory(corpus)
    }
}

/// Returns the error for a manifest that cannot be read.
fn unread(corpus: &Path, error: io::Error) -> StoreError {
    let path = corpus.to_owned();
    match fs::metadata(corpus) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => StoreError::Missing { path },
        Ok(found) if !found.is_dir() => StoreError::NotADirectory { path },
        _ if error.kind() == io::ErrorKind::NotFound => StoreError::NotACorpus { path },
        _ => StoreError::reading(&corpus.join(MANIFEST))(error),
    }
}

/// Completes the text of a manifest with the checksum of `body`.
fn seal(body: &str) -> String {
    format!(
        "{body}{SEAL}{}\"\n}}\n",
        checksum::of_bytes(body.as_bytes())
    )
}

/// Flushes a directory to disk, so that renames in it survive a crash.
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
    fn a_newer_format_is_not_reported_as_damage() {
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
    fn a_failed_write_leaves_no_file_behind() {
        let directory = tempfile::tempdir().unwrap();
        // A directory has the name of the manifest, so the rename fails.
        fs::create_dir(directory.path().join(MANIFEST)).unwrap();
        assert!(manifest().write(directory.path()).is_err());
        assert!(!directory.path().join(MANIFEST_ASIDE).exists());
    }
}
