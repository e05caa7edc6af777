//! A corpus on disk: open it to read, or to add segments.
//!
//! ```text
//! corpus/
//!   manifest.json            what belongs to the corpus; replaced by one rename
//!   lock                     held by the process that writes
//!   segments/00000001/       immutable once named in the manifest
//!     sources.parquet pages.parquet fingerprints.parquet chunks.parquet problems.parquet
//!     shingles.parquet     only in a corpus with shingles
//!   segments/00000002.partial/   being written; swept by the next writer
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

/// A corpus that is read.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its settings.
    pub fn settings(&self) -> Settings {
        Settings {
            chunks: self.settings,
            shingles: self.manifest.shingles,
        }
    }

    /// Returns how its fingerprints are made.
    pub fn chunk_settings(&self) -> ChunkSettings {
        self.settings
    }

    /// Do its segments have shingles?
    pub fn has_shingles(&self) -> bool {
        self.manifest.shingles
    }

    /// Its manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its segments, oldest first.
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

    /// Returns the pages with this URL, in the order of the corpus: the captures of the URL.
    pub fn find_url(&self, url: &str) -> Result<Vec<PageRef>, StoreError> {
        let mut found = Vec::new();
        for (segment, held) in (0..).zip(self.segments()) {
            let rows = url_index::find(&held, url.as_bytes())?;
            found.extend(rows.into_iter().map(|page| PageRef { segment, page }));
        }
        Ok(found)
    }

    /// Bytes of all its files.
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

/// A corpus to which segments are added. Only one process at a time can have it.
#[derive(Debug)]
pub struct CorpusWriter {
    corpus: CorpusReader,
    _lock: File,
}

/// The settings of a corpus. They are chosen when it is created and never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How fingerprints are made.
    pub chunks: ChunkSettings,
    /// True if the words of each page are sampled, for near-copies and phrases.
    pub shingles: bool,
}

/// The settings that a caller requests of a corpus that may exist already. An existing corpus must have
/// them; a new one gets them, and the defaults for the others.
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

/// What a segment's tables do not hold, but its summary does.
#[derive(Clone, Debug, Default)]
pub struct SegmentFacts {
    /// Bytes of the archives that were read.
    pub bytes_in: u64,
    /// Bytes of the decoded bodies.
    pub bytes_body: u64,
    /// Records read, by kind.
    pub records: std::collections::BTreeMap<String, u64>,
    /// What was skipped or damaged, by kind.
    pub problems: std::collections::BTreeMap<String, crate::manifest::ProblemSummary>,
}

impl CorpusWriter {
    /// Opens a corpus to add to it, or makes a new one. Sweeps what a killed writer left behind.
    pub fn open(path: &Path, requested: RequestedSettings) -> Result<CorpusWriter, StoreError> {
        let manifest_path = path.join(crate::manifest::MANIFEST);
        let segments = path.join("segments");
        // Before anything is made: a foreign directory stays as it is.
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

    /// The corpus as it stands.
    pub fn corpus(&self) -> &CorpusReader {
        &self.corpus
    }

    /// Writes a segment and makes it part of the corpus: wholly, or not at all.
    ///
    /// Input: a filled builder. Output: what the manifest now says of the segment.
    /// Memory: as [`SegmentBuilder::memory_bytes`] says. Threads: those of the current rayon pool.
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
                self.name(summary)
            });
        result.inspect_err(|_| {
            // A full disk must not stay full for our sake. What the manifest names is in the corpus, though.
            let _ = fs::remove_dir_all(&aside);
            if Manifest::read(&self.corpus.path).is_ok_and(|found| found.next_segment == number) {
                let _ = fs::remove_dir_all(&path);
            }
        })
    }

    /// Writes the tables of the next segment into a directory.
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

    /// Makes a segment that has its place part of the corpus.
    fn name(&mut self, summary: SegmentSummary) -> Result<SegmentSummary, StoreError> {
        let mut manifest = self.corpus.manifest.clone();
        manifest.segments.push(summary.clone());
        manifest.next_segment += 1;
        manifest.write(&self.corpus.path)?;
        self.corpus.manifest = manifest;
        Ok(summary)
    }
}

impl CorpusWriter {
    /// Takes segments out of the corpus: first from the manifest, then from the disk. What they
    /// counted is counted no more; their sources can be indexed again.
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
    // Nothing is written to it, and what somebody else keeps there stays.
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
