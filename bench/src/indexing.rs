//! The step that runs `reprise index` through the library, with the defaults of the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use reprise_engine::fingerprint::HashKind;
use reprise_engine::index::{
    HEADER_BYTES_DEFAULT, IndexConfig, MEMORY_BYTES_DEFAULT, NESTING_DEFAULT, RATIO_DEFAULT,
    body_bytes_default, segment_bytes_default,
};
use reprise_engine::ingest::{InputConfig, Inputs, RecordLimits};
use reprise_engine::store::{Corpus, CorpusWriter, Wanted, count_distinct, verify};
use reprise_engine::text::ChunkForm;
use serde::{Deserialize, Serialize};

use crate::measure::{Meter, Outcome};
use crate::slow::first_eight;

/// Indexes files into a new corpus, which is removed afterwards.
#[derive(Args)]
pub(crate) struct Index {
    #[arg(long)]
    pub(crate) threads: usize,
    #[arg(long, default_value_t = ChunkForm::Markup)]
    pub(crate) chunk: ChunkForm,
    #[arg(long, default_value_t = HashKind::Sha256)]
    pub(crate) hash: HashKind,
    #[arg(long)]
    pub(crate) corpus: PathBuf,
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
}

/// The counts of an index run and of its corpus.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct IndexAnswer {
    pub(crate) pages: u64,
    pub(crate) chunks: u64,
    pub(crate) body_bytes: u64,
    /// The number of problems by kind.
    pub(crate) problems: BTreeMap<String, u64>,
    /// The number of distinct fingerprints in the corpus.
    pub(crate) distinct: u64,
    /// The sum of the first eight bytes of every chunk's fingerprint.
    pub(crate) sum: u64,
    /// The size of all tables and the manifest.
    pub(crate) bytes_on_disk: u64,
    /// The hash of all names and bytes of the corpus.
    pub(crate) identity: String,
    /// The damage that `verify` found.
    pub(crate) damage: Vec<String>,
}

/// Returns the default limits of the command line.
pub(crate) fn default_limits() -> RecordLimits {
    RecordLimits {
        body_bytes: body_bytes_default(MEMORY_BYTES_DEFAULT),
        header_bytes: HEADER_BYTES_DEFAULT,
        ratio: RATIO_DEFAULT,
        nesting: NESTING_DEFAULT,
    }
}

impl Index {
    pub(crate) fn run(&self) -> Result<Outcome<IndexAnswer>> {
        remove(&self.corpus)?;
        let config = IndexConfig {
            threads: self.threads,
            memory_bytes: MEMORY_BYTES_DEFAULT,
            segment_bytes: segment_bytes_default(MEMORY_BYTES_DEFAULT),
            limits: default_limits(),
        };
        let meter = Meter::start();
        let mut writer = CorpusWriter::open(
            &self.corpus,
            Wanted {
                hash: Some(self.hash),
                chunk: Some(self.chunk),
                shingles: false,
            },
        )?;
        let input_config = InputConfig {
            base_url: None,
            spool_directory: self.corpus.clone(),
            passed_by: Vec::new(),
            limits: config.limits,
        };
        let inputs = Inputs::open(&self.files, &input_config)?;
        let stats = reprise_engine::index(inputs, &mut writer, &config, &())?;
        let usage = meter.stop();
        drop(writer);

        let corpus = Corpus::open(&self.corpus)?;
        let answer = IndexAnswer {
            pages: stats.pages,
            chunks: stats.chunks,
            body_bytes: stats.bytes_body,
            problems: stats
                .tally
                .iter()
                .map(|(kind, count, _)| (kind.as_str().to_owned(), count))
                .collect(),
            distinct: count_distinct(&corpus)?,
            sum: sum_of_fingerprints(&corpus)?,
            bytes_on_disk: corpus.bytes_on_disk(),
            identity: identity(&self.corpus)?,
            damage: verify(&self.corpus, MEMORY_BYTES_DEFAULT)?
                .into_iter()
                .map(|damage| damage.detail)
                .collect(),
        };
        remove(&self.corpus)?;
        Ok(Outcome { usage, answer })
    }
}

fn sum_of_fingerprints(corpus: &Corpus) -> Result<u64> {
    let mut sum = 0_u64;
    for segment in corpus.segments() {
        let table = segment.fingerprints()?;
        for group in 0..table.groups() {
            let fingerprints = table.fingerprints(group, "fingerprint")?;
            let occurrences = table.ints(group, "occurrences")?;
            for (fingerprint, count) in fingerprints.iter().zip(occurrences) {
                let each = first_eight(fingerprint.as_bytes());
                sum = sum.wrapping_add(each.wrapping_mul(count as u64));
            }
        }
    }
    Ok(sum)
}

/// Hashes the names and bytes of all files of a corpus, without its lock.
fn identity(corpus: &Path) -> Result<String> {
    let mut all = Vec::new();
    for path in files_below(corpus)? {
        let name = path.strip_prefix(corpus)?;
        if name == Path::new("lock") {
            continue;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        all.extend(
            HashKind::Sha256
                .fingerprint(name.as_os_str().as_encoded_bytes())
                .as_bytes(),
        );
        all.extend(HashKind::Sha256.fingerprint(&bytes).as_bytes());
    }
    Ok(HashKind::Sha256.fingerprint(&all).to_string())
}

/// Returns the regular files below a directory, sorted by path.
pub(crate) fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let unreadable = || format!("cannot read {}", directory.display());
        for entry in fs::read_dir(&directory).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            let kind = entry.file_type().with_context(unreadable)?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn remove(corpus: &Path) -> Result<()> {
    if corpus.exists() {
        fs::remove_dir_all(corpus)
            .with_context(|| format!("cannot remove {}", corpus.display()))?;
    }
    Ok(())
}
