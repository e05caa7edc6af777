//! Opens a corpus to read it, or to add and remove segments.
//!
//! ```text
//! corpus/
//!   manifest.json            lists the segments; replaced by one rename
//!   lock                     locked by the process that writes
//!   segments/00000001/       immutable once the manifest lists it
//!     sources.parquet pages.parquet fingerprints.parquet chunks.parquet problems.parquet urls.parquet
//!     shingles.parquet       only in a corpus with shingles
//!   segments/00000002.partial/   incomplete; the next writer removes it
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use reprise_chunk::ChunkSettings;
use reprise_fingerprint::HashKind;
use reprise_text::ChunkForm;

use crate::builder::SegmentBuilder;
use crate::error::{SettingName, StoreError};
use crate::manifest::{Manifest, SegmentSummary, sync_directory};
use crate::page_ref::PageRef;
use crate::schema::Table;
use crate::segment::Segment;
use crate::sweep::{entries, sweep};
use crate::url_index;
use crate::write::write_segment;

/// A corpus that is open for reading.
#[derive(Debug)]
pub struct CorpusReader {
    path: PathBuf,
    manifest: Manifest,
    settings: ChunkSettings,
}

impl CorpusReader {
    /// Opens a corpus.
    pub fn open(path: &Path) -> Result<CorpusReader, StoreError> {
        let manifest = Manifest::read(path)?;
        let settings = manifest.settings(path)?;
        Ok(CorpusReader {
            path: path.to_owned(),
            manifest,
            settings,
        })
    }

    /// Returns the directory of the corpus.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the settings of the corpus.
    pub fn settings(&self) -> Settings {
        Settings {
            chunks: self.settings,
            shingles: self.manifest.shingles,
        }
    }

    /// Returns the settings that decide the fingerprints.
    pub fn chunk_settings(&self) -> ChunkSettings {
        self.settings
    }

    /// Returns true if the segments have shingles.
    pub fn has_shingles(&self) -> bool {
        self.manifest.shingles
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the segments, oldest first.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        self.manifest
            .segments
            .iter()
            .map(|summary| Segment::new(segment_path(&self.path, summary.number), summary))
    }

    /// Returns the number of rows of a table, over all segments.
    pub fn rows<T: Table>(&self) -> u64 {
        let segments = self.manifest.segments.iter();
        segments.map(SegmentSummary::rows::<T>).sum()
    }

    /// Returns the pages with this URL, in corpus order. Several pages are recaptures of the URL.
    pub fn find_url(&self, url: &str) -> Result<Vec<PageRef>, StoreError> {
        let mut found = Vec::new();
        for (segment, held) in (0..).zip(self.segments()) {
            let rows = url_index::find(&held, url.as_bytes())?;
            found.extend(rows.into_iter().map(|page| PageRef { segment, page }));
        }
        Ok(found)
    }

    /// Returns the total size of all files of the corpus.
    pub fn bytes_on_disk(&self) -> u64 {
        let manifest = fs::metadata(self.path.join(crate::manifest::MANIFEST));
        let files = self
            .manifest
            .segments
            .iter()
            .flat_map(|segment| segment.files.values());
        files.map(|file| file.bytes).sum::<u64>() + manifest.map_or(0, |metadata| metadata.len())
    }
}

/// A corpus that is open for writing. Only one process at a time can open it.
#[derive(Debug)]
pub struct CorpusWriter {
    corpus: CorpusReader,
    _lock: File,
}

/// The settings of a corpus. They are chosen when it is created and never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The hash function and the chunk form.
    pub chunks: ChunkSettings,
    /// True if the segments have shingles, which near-copies and phrases need.
    pub shingles: bool,
}

/// The settings that a caller requests of a corpus that may exist already. An existing corpus must have
/// the requested settings. A new corpus gets them, with defaults for the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedSettings {
    /// The hash function.
    pub hash: Option<HashKind>,
    /// The chunk form.
    pub chunk: Option<ChunkForm>,
    /// True if the corpus must have shingles.
    pub shingles: bool,
}

impl From<Settings> for RequestedSettings {
    fn from(settings: Settings) -> RequestedSettings {
        RequestedSettings {
            hash: Some(settings.chunks.hash),
            chunk: Some(settings.chunks.chunk),
            shingles: settings.shingles,
        }
    }
}

impl RequestedSettings {
    /// Returns the settings of a new corpus.
    pub fn for_new(self) -> Settings {
        let defaults = ChunkSettings::default();
        Settings {
            chunks: ChunkSettings {
                hash: self.hash.unwrap_or(defaults.hash),
                chunk: self.chunk.unwrap_or(defaults.chunk),
            },
            shingles: self.shingles,
        }
    }
}

/// The figures of a [`SegmentSummary`] that do not follow from the tables.
#[derive(Clone, Debug, Default)]
pub struct SegmentFacts {
    /// The bytes of the archives that were read.
    pub bytes_in: u64,
    /// The bytes of the decoded bodies.
    pub bytes_body: u64,
    /// The number of records that were read, by kind.
    pub records: std::collections::BTreeMap<String, u64>,
    /// The records that were skipped or damaged, by kind of problem.
    pub problems: std::collections::BTreeMap<String, crate::manifest::ProblemSummary>,
}

impl CorpusWriter {
    /// Opens an existing corpus for writing, or creates a new one. Removes the files that a killed writer
    /// left behind.
    pub fn open(path: &Path, requested: RequestedSettings) -> Result<CorpusWriter, StoreError> {
        let manifest_path = path.join(crate::manifest::MANIFEST);
        let segments = path.join("segments");
        // These checks come first, so that a directory that is not a corpus stays unchanged.
        if manifest_path.exists() {
            check_settings(&CorpusReader::open(path)?, requested)?;
        } else if segments.exists() && !entries(&segments)?.is_empty() {
            return Err(StoreError::Foreign {
                path: path.to_owned(),
            });
        }
        fs::create_dir_all(&segments).map_err(StoreError::writing(&segments))?;
        let lock = lock(path)?;
        if !manifest_path.exists() {
            Manifest::new(requested.for_new()).write(path)?;
        }
        let corpus = CorpusReader::open(path)?;
        check_settings(&corpus, requested)?;
        sweep(&corpus)?;
        Ok(CorpusWriter {
            corpus,
            _lock: lock,
        })
    }

    /// Returns the current state of the corpus.
    pub fn corpus(&self) -> &CorpusReader {
        &self.corpus
    }

    /// Writes a segment and adds it to the manifest. If this fails, the corpus is unchanged.
    ///
    /// Input: a filled builder. Output: the segment's entry in the manifest.
    /// Memory: [`SegmentBuilder::memory_bytes`]. Threads: those of the current rayon pool.
    pub fn add_segment(
        &mut self,
        builder: &SegmentBuilder,
        facts: SegmentFacts,
    ) -> Result<SegmentSummary, StoreError> {
        let number = self.corpus.manifest.next_segment;
        let path = segment_path(&self.corpus.path, number);
        let aside = path.with_extension("partial");
        fs::create_dir(&aside).map_err(StoreError::writing(&aside))?;
        let result = self
            .write_aside(builder, facts, &aside)
            .and_then(|summary| {
                fs::rename(&aside, &path).map_err(StoreError::writing(&path))?;
                sync_directory(&self.corpus.path.join("segments"))?;
                self.add_to_manifest(summary)
            });
        result.inspect_err(|_| {
            // Free the disk space, unless the manifest on disk already lists the segment.
            let _ = fs::remove_dir_all(&aside);
            if Manifest::read(&self.corpus.path).is_ok_and(|found| found.next_segment == number) {
                let _ = fs::remove_dir_all(&path);
            }
        })
    }

    /// Writes the tables of the next segment into the directory `aside`.
    fn write_aside(
        &self,
        builder: &SegmentBuilder,
        facts: SegmentFacts,
        aside: &Path,
    ) -> Result<SegmentSummary, StoreError> {
        let written = write_segment(builder, self.corpus.has_shingles(), aside)?;
        sync_directory(aside)?;
        Ok(SegmentSummary {
            number: self.corpus.manifest.next_segment,
            sites: written.sites,
            bytes_in: facts.bytes_in,
            bytes_body: facts.bytes_body,
            records: facts.records,
            problems: facts.problems,
            files: written.files,
        })
    }

    /// Adds a segment to the manifest, once its directory has its final name.
    fn add_to_manifest(&mut self, summary: SegmentSummary) -> Result<SegmentSummary, StoreError> {
        let mut manifest = self.corpus.manifest.clone();
        manifest.segments.push(summary.clone());
        manifest.next_segment += 1;
        manifest.write(&self.corpus.path)?;
        self.corpus.manifest = manifest;
        Ok(summary)
    }
}

impl CorpusWriter {
    /// Removes segments, first from the manifest, then from the disk. Their sources can then be indexed
    /// again.
    pub fn remove_segments(&mut self, numbers: &[u64]) -> Result<(), StoreError> {
        let numbers: BTreeSet<u64> = numbers.iter().copied().collect();
        let mut manifest = self.corpus.manifest.clone();
        manifest
            .segments
            .retain(|segment| !numbers.contains(&segment.number));
        manifest.write(&self.corpus.path)?;
        self.corpus.manifest = manifest;
        sweep(&self.corpus)
    }
}

/// Fails if the corpus does not have the requested settings.
fn check_settings(corpus: &CorpusReader, requested: RequestedSettings) -> Result<(), StoreError> {
    if requested.shingles && !corpus.has_shingles() {
        return Err(StoreError::NoShingles {
            path: corpus.path.clone(),
        });
    }
    let settings = corpus.settings;
    let hashes = requested
        .hash
        .map(|hash| (hash.as_str(), settings.hash.as_str()));
    let chunks = (requested.chunk).map(|chunk| (chunk.as_str(), settings.chunk.as_str()));
    for (setting, values) in [(SettingName::Hash, hashes), (SettingName::Chunk, chunks)] {
        if let Some((requested, found)) = values.filter(|(requested, found)| requested != found) {
            return Err(StoreError::OtherSettings {
                path: corpus.path.clone(),
                setting,
                found: found.to_owned(),
                requested: requested.to_owned(),
            });
        }
    }
    Ok(())
}

fn segment_path(corpus: &Path, number: u64) -> PathBuf {
    corpus.join("segments").join(format!("{number:08}"))
}

fn lock(corpus: &Path) -> Result<File, StoreError> {
    let path = corpus.join("lock");
    let mut options = File::options();
    // Only the lock matters. Another program's file of this name keeps its content.
    let file = (options.write(true).create(true).truncate(false).open(&path))
        .map_err(StoreError::writing(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
            path: corpus.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(StoreError::writing(&path)(error)),
    }
}
