//! The parts that several tests share: a planted web, small inputs, and comparisons of directories.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use reprise_demo::{Config, write_web};
use reprise_engine::ingest::{InputConfig, Inputs, RecordLimits};
use reprise_engine::{
    ChunkForm, Corpus, IndexOptions, IndexSummary, LimitOptions, Progress, RequestedSettings,
    Resources,
};

pub(crate) const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 4 << 20,
    header_bytes: 64 << 10,
    ratio: 300,
    nesting: 4,
};

/// A memory limit that no test reaches.
pub(crate) const MEMORY: usize = 1 << 30;

/// Writes the planted web. Returns the names of its archives, in order.
pub(crate) fn planted_web(directory: &Path) -> Vec<String> {
    let planted = write_web(&Config { seed: 7, scale: 1 }, directory).unwrap();
    let files = planted.files.iter();
    files.map(|file| name(&directory.join(file))).collect()
}

/// Returns a path as the name of an input.
pub(crate) fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
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

/// How a test indexes.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) threads: usize,
    pub(crate) segment_bytes: usize,
    pub(crate) chunk: ChunkForm,
}

impl How {
    pub(crate) fn options(self) -> IndexOptions {
        IndexOptions {
            segment_bytes: Some(self.segment_bytes),
            limits: LimitOptions {
                body_bytes: Some(LIMITS.body_bytes),
                header_bytes: Some(LIMITS.header_bytes),
                ratio: Some(LIMITS.ratio),
                nesting: Some(LIMITS.nesting),
            },
            ..IndexOptions::default()
        }
    }
}

/// Returns resources with this number of threads.
pub(crate) fn with_threads(threads: usize) -> Resources {
    Resources {
        memory_bytes: MEMORY,
        threads: Some(threads),
    }
}

/// Adds inputs to a corpus, which is created if it does not exist.
pub(crate) fn add(names: &[String], corpus: &Path, how: How) -> IndexSummary {
    add_watched(names, corpus, how, &())
}

pub(crate) fn add_watched(
    names: &[String],
    corpus: &Path,
    how: How,
    progress: &dyn Progress,
) -> IndexSummary {
    let requested = RequestedSettings {
        chunk: Some(how.chunk),
        ..RequestedSettings::default()
    };
    let resources = with_threads(how.threads);
    let (_, summary) = Corpus::index_into(
        corpus,
        requested,
        names,
        &how.options(),
        resources,
        progress,
    )
    .unwrap();
    summary
}

/// Returns all files of a directory, by their path in it.
pub(crate) fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(inner) = directories.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Writes files under a directory, which is created.
pub(crate) fn write_files(directory: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    for (name, bytes) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
