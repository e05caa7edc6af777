//! Documents that a command is given: corpora, or whatever `index` reads.

use std::path::PathBuf;

use anyhow::Context;
use reprise_engine::ArchiveTexts;
use reprise_engine::convert::Converter;
use reprise_engine::index::{IndexConfig, segment_bytes_default};
use reprise_engine::ingest::{RecordLimits, Tally, is_stream, path_of};
use reprise_engine::store::{Corpus, Wanted};

use super::filters::read_limits;
use super::index::ToIndex;
use crate::exit::Usage;

/// Corpora, and one made of all other inputs, which goes when this does.
pub(crate) struct Corpora {
    all: Vec<Corpus>,
    /// What was skipped of the other inputs.
    pub(crate) tally: Tally,
    scratch: Option<tempfile::TempDir>,
}

impl Corpora {
    /// Opens corpora; indexes everything else within a bound of memory.
    pub(crate) fn open(
        names: &[String],
        threads: usize,
        memory_bytes: usize,
        is_quiet: bool,
    ) -> anyhow::Result<Corpora> {
        let (corpora, inputs): (Vec<&String>, Vec<&String>) =
            names.iter().partition(|name| is_corpus(name));
        let mut opened = Corpora {
            all: corpora
                .into_iter()
                .map(|name| Corpus::open(&path_of(name)))
                .collect::<Result<_, _>>()?,
            tally: Tally::default(),
            scratch: None,
        };
        if inputs.is_empty() {
            return Ok(opened);
        }
        if inputs.iter().any(|name| is_stream(&path_of(name))) {
            let message =
                "standard input, pipes and devices cannot be read twice: write it to a file first";
            return Err(Usage(message.to_owned()).into());
        }
        let scratch = tempfile::tempdir().context("cannot make a temporary directory")?;
        let path: PathBuf = scratch.path().join("corpus");
        let what = ToIndex {
            names: &inputs.into_iter().cloned().collect::<Vec<_>>(),
            base_url: None,
            wanted: Wanted::default(),
            results: None,
        };
        let config = IndexConfig {
            threads,
            memory_bytes,
            segment_bytes: segment_bytes_default(memory_bytes),
            limits: RecordLimits {
                body_bytes: reprise_engine::index::body_bytes_default(memory_bytes),
                ..read_limits()
            },
        };
        let (_, stats) = what.into_corpus(&path, &config, is_quiet)?;
        opened.tally = stats.tally;
        opened.all.push(Corpus::open(&path)?);
        opened.scratch = Some(scratch);
        Ok(opened)
    }

    /// Readers of their texts.
    pub(crate) fn texts<'c>(
        &'c self,
        converter: &Converter,
        threads: usize,
    ) -> impl Iterator<Item = ArchiveTexts<'c>> {
        let converter = converter.clone();
        self.all.iter().map(move |corpus| ArchiveTexts {
            corpus,
            limits: read_limits(),
            threads,
            converter: converter.clone(),
        })
    }
}

fn is_corpus(name: &str) -> bool {
    path_of(name).join("manifest.json").is_file()
}
