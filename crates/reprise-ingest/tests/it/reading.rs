//! Reads sources to their end with one thread, from the front.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use reprise_ingest::{
    BatchReader, Batches, InputConfig, Inputs, Item, Place, Problem, RecordLimits, Source,
};

pub(crate) const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 16 << 20,
    header_bytes: 64 << 10,
    ratio: 300,
    nesting: 4,
};

/// The parts of a page that tests compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadPage {
    pub(crate) url: String,
    pub(crate) place: Place,
    pub(crate) body: Vec<u8>,
    pub(crate) text: Option<String>,
}

/// All items of a list of sources.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) records: BTreeMap<&'static str, u64>,
    pub(crate) problems: Vec<Problem>,
    /// The pages, with the index of their source.
    pub(crate) pages: Vec<(usize, ReadPage)>,
}

pub(crate) fn open(path: &Path) -> Inputs {
    let config = InputConfig {
        base_url: None,
        spool_directory: std::env::temp_dir(),
        passed_by: Vec::new(),
        limits: LIMITS,
    };
    Inputs::open(&[path.to_string_lossy().into_owned()], &config).unwrap()
}

pub(crate) fn read(sources: Vec<Source>) -> Reading {
    let sources: Arc<[Source]> = sources.into();
    let mut batches = Batches::new(Arc::clone(&sources), LIMITS);
    let mut reader = BatchReader::new(Arc::clone(&sources), LIMITS);
    let mut reading = Reading::default();
    let mut positions = vec![0; sources.len()];
    while let Some(batch) = batches.next_batch() {
        let first = batch.sources.start;
        if batch
            .block()
            .is_some_and(|block| positions[first] >= block.end && block.end < sources[first].bytes)
        {
            continue;
        }
        let progress = reader.read(
            &batch,
            Some(positions[first]),
            &mut |source, item| match item {
                Item::Record(kind) => *reading.records.entry(kind.as_str()).or_default() += 1,
                Item::Problem(problem) => reading.problems.push(problem),
                Item::Page(page) => reading.pages.push((
                    source,
                    ReadPage {
                        url: page.url.to_owned(),
                        place: page.place,
                        body: page.body.to_vec(),
                        text: page.text.map(|(_, text)| text.to_owned()),
                    },
                )),
            },
        );
        positions[first] = progress.position;
    }
    reading
}
