//! What the tests share: a planted web, and indexing it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use reprise_demo::{Config, write_web};
use reprise_engine::ingest::{InputConfig, Inputs, RecordLimits};
use reprise_engine::store::{CorpusWriter, Wanted};
use reprise_engine::text::ChunkForm;
use reprise_engine::{IndexConfig, IndexStats, Progress, index};

pub(crate) const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 4 << 20,
    header_bytes: 64 << 10,
    ratio: 300,
    nesting: 4,
};

/// A bound that is not to be felt.
pub(crate) const MEMORY: usize = 1 << 30;

/// The archives of a planted web, in order.
pub(crate) fn planted_web(directory: &Path) -> Vec<String> {
    let planted = write_web(&Config { seed: 7, scale: 1 }, directory).unwrap();
    let files = planted.files.iter();
    files
        .map(|file| directory.join(file).to_string_lossy().into_owned())
        .collect()
}

pub(crate) fn open_inputs(names: &[String], spool: &Path) -> Inputs {
    let config = InputConfig {
        base_url: None,
        spool_directory: spool.to_owned(),
        passed_by: Vec::new(),
        limits: LIMITS,
    };
    Inputs::open(names, &config).unwrap()
}

/// How to index in a test.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) threads: usize,
    pub(crate) segment_bytes: usize,
    pub(crate) chunk: ChunkForm,
}

pub(crate) fn add(names: &[String], corpus: &Path, how: How) -> IndexStats {
    add_watched(names, corpus, how, &())
}

pub(crate) fn add_watched(
    names: &[String],
    corpus: &Path,
    how: How,
    progress: &dyn Progress,
) -> IndexStats {
    let inputs = open_inputs(names, &std::env::temp_dir());
    let mut writer = CorpusWriter::open(
        corpus,
        Wanted {
            chunk: Some(how.chunk),
            ..Wanted::default()
        },
    )
    .unwrap();
    let config = IndexConfig {
        threads: how.threads,
        memory_bytes: 256 << 20,
        segment_bytes: how.segment_bytes,
        limits: LIMITS,
    };
    index(inputs, &mut writer, &config, progress).unwrap()
}

/// Every file of a corpus, by its path in it.
pub(crate) fn files(corpus: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut directories = vec![corpus.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(corpus).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}
