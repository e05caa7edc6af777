//! The corpus: the object that programs work with.

use std::path::{Path, PathBuf};
use std::time::Instant;

use reprise_ingest::{InputConfig, Inputs};
use reprise_report::results::{CorpusInfo, DamagedFile};
use reprise_store::schema::{Chunks, Pages};
use reprise_store::{
    CorpusReader, CorpusWriter, Damage, HeldSources, Progress, RequestedSettings, Settings,
    StoreError, Unit, count_distinct, count_sites,
};

use crate::directories::{CreatedDirectories, check_directory, check_free};
use crate::error::Error;
use crate::index::{IndexConfig, IndexOptions, IndexSummary, index};
use crate::problems::problems_of_corpus;
use crate::repair::repair_of;
use crate::resources::Resources;

/// A corpus on disk, and the resources that its operations may use.
///
/// A corpus is opened for reading. Operations that write to it lock it while they run; another process
/// that tries to write meanwhile gets [`StoreError::Locked`], and readers see the corpus before or after
/// the operation.
#[derive(Debug)]
pub struct Corpus {
    pub(crate) reader: CorpusReader,
    pub(crate) resources: Resources,
}

impl Corpus {
    /// Creates an empty corpus. Fails if the directory holds a corpus already.
    pub fn create(directory: impl AsRef<Path>, settings: Settings) -> Result<Corpus, Error> {
        let path = directory.as_ref();
        check_directory(path)?;
        if path.join("manifest.json").exists() {
            return Err(StoreError::AlreadyExists {
                path: path.to_owned(),
            }
            .into());
        }
        if !holds_corpus(path) {
            check_free(path)?;
        }
        CorpusWriter::open(path, settings.into())?;
        Corpus::open(path)
    }

    /// Opens a corpus.
    pub fn open(directory: impl AsRef<Path>) -> Result<Corpus, Error> {
        Ok(Corpus {
            reader: CorpusReader::open(directory.as_ref())?,
            resources: Resources::default(),
        })
    }

    /// Sets the memory and threads that operations may use.
    pub fn with_resources(mut self, resources: Resources) -> Result<Corpus, Error> {
        resources.validate()?;
        self.resources = resources;
        Ok(self)
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        self.reader.path()
    }

    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        self.reader.settings()
    }

    /// Returns the tables of the corpus, for operations that this crate does not have.
    pub fn reader(&self) -> &CorpusReader {
        &self.reader
    }

    /// Returns the memory and threads that operations may use.
    pub fn resources(&self) -> Resources {
        self.resources
    }

    /// Adds the pages of `inputs`: paths of files and directories, `@list` or `-`.
    ///
    /// Sources that the corpus has are skipped, and a run that was killed or cancelled is continued.
    /// Broken records are counted in the result.
    pub fn index(
        &mut self,
        inputs: &[String],
        options: &IndexOptions,
        progress: &dyn Progress,
    ) -> Result<IndexSummary, Error> {
        let config = options.config(&self.resources)?;
        let path = self.path().to_owned();
        // Locked before the input is read, which may take long.
        let writer = self.writer()?;
        let inputs = open_inputs(inputs, &path, options, &config, progress)?;
        let (reader, summary) = run(inputs, writer, &config, progress)?;
        self.reader = reader;
        Ok(summary)
    }

    /// Adds pages to a corpus that need not exist. A new one is created only if the input can be opened.
    pub fn index_into(
        directory: &Path,
        requested: RequestedSettings,
        inputs: &[String],
        options: &IndexOptions,
        resources: Resources,
        progress: &dyn Progress,
    ) -> Result<(Corpus, IndexSummary), Error> {
        Corpus::index_into_checked(
            directory,
            requested,
            inputs,
            options,
            resources,
            progress,
            &|_, _| Ok(()),
        )
    }

    /// Adds pages like [`index_into`](Self::index_into). If the corpus exists already, `check` is called with it
    /// first and may stop the run.
    pub(crate) fn index_into_checked(
        directory: &Path,
        requested: RequestedSettings,
        inputs: &[String],
        options: &IndexOptions,
        resources: Resources,
        progress: &dyn Progress,
        check: &dyn Fn(&CorpusReader, &Inputs) -> Result<(), Error>,
    ) -> Result<(Corpus, IndexSummary), Error> {
        let config = options.config(&resources)?;
        check_directory(directory)?;
        let existing = holds_corpus(directory)
            .then(|| CorpusWriter::open(directory, requested))
            .transpose()?;
        if existing.is_none() {
            check_free(directory)?;
        }
        let created = CreatedDirectories::create(directory)?;
        let inputs = open_inputs(inputs, directory, options, &config, progress)?;
        created.keep();
        let writer = match existing {
            Some(writer) => {
                check(writer.corpus(), &inputs)?;
                writer
            }
            None => CorpusWriter::open(directory, requested)?,
        };
        let (reader, summary) = run(inputs, writer, &config, progress)?;
        let corpus = Corpus { reader, resources };
        Ok((corpus, summary))
    }

    /// Locks the corpus for writing. Fails if it was deleted, or replaced by one with other settings.
    pub(crate) fn writer(&self) -> Result<CorpusWriter, Error> {
        CorpusReader::open(self.path())?;
        Ok(CorpusWriter::open(self.path(), self.settings().into())?)
    }

    /// Returns the contents of the corpus. Counts that a damaged table would have to give are `None`.
    pub fn info(&self, progress: &dyn Progress) -> Result<CorpusInfo, Error> {
        progress.begin("counting", 0, Unit::Rows);
        let mut damage: Vec<Damage> = Vec::new();
        let mut counted = |count: Result<u64, StoreError>| match count {
            Ok(count) => Some(count),
            Err(error) => {
                let found = Damage::of(error, self.path());
                if !damage.contains(&found) {
                    damage.push(found);
                }
                None
            }
        };
        let distinct_chunks = counted(count_distinct(&self.reader, progress));
        progress.check()?;
        let sites = counted(count_sites(&self.reader));
        let held = HeldSources::read(&self.reader, u64::MAX);
        let sources = counted(held.map(|held| held.count()));
        let manifest = self.reader.manifest();
        let mut info = CorpusInfo::empty(self.reader.chunk_settings());
        for segment in &manifest.segments {
            info.bytes_in += segment.bytes_in;
            info.bytes_body += segment.bytes_body;
            for (kind, count) in &segment.records {
                *info.records.entry(kind.clone()).or_insert(0) += count;
            }
        }
        Ok(CorpusInfo {
            path: self.path().display().to_string(),
            pages: self.reader.rows::<Pages>(),
            chunks: self.reader.rows::<Chunks>(),
            distinct_chunks,
            sites,
            segments: manifest.segments.len() as u64,
            sources,
            bytes_on_disk: self.reader.bytes_on_disk(),
            format: manifest.format,
            shingles: manifest.shingles,
            problems: problems_of_corpus(&self.reader),
            repair: repair_of(&damage),
            damage: damage.iter().map(damaged_file).collect(),
            ..info
        })
    }

    /// Returns a directory for data that does not fit in memory: beside `output`, where there is room for
    /// results anyway, or the system's own.
    pub(crate) fn temporary(output: Option<&Path>) -> PathBuf {
        match output.map(|path| path.parent().unwrap_or(Path::new(""))) {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) if !parent.starts_with("/dev") => parent.to_owned(),
            _ => std::env::temp_dir(),
        }
    }
}

/// Returns true if the directory holds a corpus, or the rest of one.
pub(crate) fn holds_corpus(directory: &Path) -> bool {
    let exists = |name| directory.join(name).exists();
    exists("manifest.json") || exists("segments")
}

/// Opens inputs. Data that can be read only once is copied into the directory of the corpus.
fn open_inputs(
    names: &[String],
    directory: &Path,
    options: &IndexOptions,
    config: &IndexConfig,
    progress: &dyn Progress,
) -> Result<Inputs, Error> {
    progress.begin("opening", 0, Unit::Bytes);
    let excluded = options.excluded.iter().cloned();
    let config = InputConfig {
        base_url: options.base_url.clone(),
        spool_directory: directory.to_owned(),
        passed_by: [directory.to_owned()].into_iter().chain(excluded).collect(),
        limits: config.limits,
    };
    let is_cancelled = || progress.is_cancelled();
    Ok(Inputs::open_unless(names, &config, &is_cancelled)?)
}

fn run(
    inputs: Inputs,
    mut writer: CorpusWriter,
    config: &IndexConfig,
    progress: &dyn Progress,
) -> Result<(CorpusReader, IndexSummary), Error> {
    let started = Instant::now();
    let stats = index(inputs, &mut writer, config, progress)?;
    let summary = stats.into_summary(started.elapsed().as_secs_f64());
    Ok((CorpusReader::open(writer.corpus().path())?, summary))
}

pub(crate) fn damaged_file(damage: &Damage) -> DamagedFile {
    DamagedFile {
        path: damage.path.display().to_string(),
        detail: damage.detail.clone(),
    }
}
