//! Corpora that exist only while a program runs.

use reprise_ingest::{is_stream, path_of};
use reprise_report::results::Problems;
use reprise_store::{Progress, RequestedSettings};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::index::{IndexOptions, IndexSummary};
use crate::resources::Resources;

/// A corpus in a temporary directory, which is removed with it.
pub(crate) struct TemporaryCorpus {
    pub(crate) corpus: Corpus,
    pub(crate) summary: IndexSummary,
    _directory: tempfile::TempDir,
}

impl TemporaryCorpus {
    /// Indexes inputs into a temporary corpus.
    pub(crate) fn index(
        inputs: &[String],
        requested: RequestedSettings,
        options: &IndexOptions,
        resources: Resources,
        progress: &dyn Progress,
    ) -> Result<TemporaryCorpus, Error> {
        let directory = temporary_directory()?;
        let path = directory.path().join("corpus");
        let (corpus, summary) =
            Corpus::index_into(&path, requested, inputs, options, resources, progress)?;
        Ok(TemporaryCorpus {
            corpus,
            summary,
            _directory: directory,
        })
    }
}

/// Creates a temporary directory.
pub(crate) fn temporary_directory() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(Error::writing(&std::env::temp_dir()))
}

/// Corpora, and a temporary one made of all other inputs.
pub(crate) struct DocumentSet {
    corpora: Vec<Corpus>,
    temporary: Option<TemporaryCorpus>,
}

impl DocumentSet {
    /// Opens the inputs that are corpora and indexes the others into a temporary corpus.
    pub(crate) fn open(
        inputs: &[String],
        resources: Resources,
        progress: &dyn Progress,
    ) -> Result<DocumentSet, Error> {
        resources.validate()?;
        let (corpora, others): (Vec<&String>, Vec<&String>) =
            inputs.iter().partition(|name| is_corpus(name));
        let corpora = corpora
            .into_iter()
            .map(|name| Corpus::open(path_of(name))?.with_resources(resources))
            .collect::<Result<_, _>>()?;
        if let Some(name) = others.iter().find(|name| is_stream(&path_of(name))) {
            return Err(Error::ReadOnce {
                name: (*name).clone(),
            });
        }
        let others: Vec<String> = others.into_iter().cloned().collect();
        let temporary = if others.is_empty() {
            None
        } else {
            let (requested, options) = (RequestedSettings::default(), IndexOptions::default());
            let indexed =
                TemporaryCorpus::index(&others, requested, &options, resources, progress)?;
            Some(indexed)
        };
        Ok(DocumentSet { corpora, temporary })
    }

    /// Returns all corpora.
    pub(crate) fn corpora(&self) -> impl Iterator<Item = &Corpus> {
        let temporary = self.temporary.as_ref().map(|temporary| &temporary.corpus);
        self.corpora.iter().chain(temporary)
    }

    /// Returns the problems of the inputs that are not corpora.
    pub(crate) fn problems(&self) -> Option<&Problems> {
        let temporary = self.temporary.as_ref();
        temporary.map(|temporary| &temporary.summary.problems)
    }
}

fn is_corpus(name: &str) -> bool {
    path_of(name).join("manifest.json").is_file()
}
