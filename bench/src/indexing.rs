//! The step that runs `reprise index` through the library, with the defaults of the command line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use reprise_engine::defaults::{MEMORY_BYTES, body_bytes};
use reprise_engine::ingest::RecordLimits;
use reprise_engine::store::schema::Fingerprints;
use reprise_engine::store::{CorpusReader, count_distinct};
use reprise_engine::{
    ChunkForm, ChunkSettings, Corpus, HashKind, IndexOptions, LimitOptions, Resources, Settings,
    VerifyOptions, verify_corpus,
};
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
    LimitOptions::default().limits(body_bytes(MEMORY_BYTES))
}

impl Index {
    pub(crate) fn run(&self) -> Result<Outcome<IndexAnswer>> {
        remove(&self.corpus)?;
        let resources = Resources {
            threads: Some(self.threads),
            ..Resources::default()
        };
        let settings = Settings {
            chunks: ChunkSettings {
                hash: self.hash,
                chunk: self.chunk,
            },
            shingles: false,
        };
        let meter = Meter::start();
        let mut corpus = Corpus::create(&self.corpus, settings)?.with_resources(resources)?;
        let stats = corpus.index(&self.files, &IndexOptions::default(), &())?;
        let usage = meter.stop();

        let verified = verify_corpus(&self.corpus, &VerifyOptions::default(), resources, &())?;
        let damage = verified.damage.into_iter().map(|damage| damage.detail);
        // Each kind of problem has an example.
        let problems = stats.problems.examples.into_iter();
        let answer = IndexAnswer {
            pages: stats.pages,
            chunks: stats.chunks,
            body_bytes: stats.bytes_body,
            problems: problems
                .map(|problem| (problem.kind, problem.count))
                .collect(),
            distinct: count_distinct(corpus.reader(), &())?,
            sum: sum_of_fingerprints(corpus.reader())?,
            bytes_on_disk: corpus.reader().bytes_on_disk(),
            identity: identity(&self.corpus)?,
            damage: damage.collect(),
        };
        remove(&self.corpus)?;
        Ok(Outcome { usage, answer })
    }
}

fn sum_of_fingerprints(corpus: &CorpusReader) -> Result<u64> {
    let mut sum = 0_u64;
    for segment in corpus.segments() {
        let table = segment.fingerprints()?;
        for group in 0..table.groups() {
            let fingerprints = table.read(group, Fingerprints::FINGERPRINT)?;
            let occurrences = table.read(group, Fingerprints::OCCURRENCES)?;
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
