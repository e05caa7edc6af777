//! The lexicons that documents are signed with: from files, or trained on the documents themselves.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_imatch::{
    Contexts, Lexicon, Signing, SigningOptions, SigningTerms, Statistics, TermRules, TrainOptions,
    choose_lexicon,
};
use reprise_store::Progress;

use crate::archives::for_each_terms;
use crate::convert::ConvertOptions;
use crate::corpus::Corpus;
use crate::error::Error;

/// The files of lexicons and contexts, as [`train`](crate::train) makes them.
#[derive(Clone, Debug)]
pub struct SigningFiles {
    /// The lexicon.
    pub lexicon: PathBuf,
    /// The contexts in which its terms count.
    pub contexts: Option<PathBuf>,
    /// A larger lexicon for documents in which the first finds too few terms.
    pub second_lexicon: Option<PathBuf>,
    /// The contexts of the larger lexicon.
    pub second_contexts: Option<PathBuf>,
}

impl SigningFiles {
    /// Reads the files.
    pub fn read(&self, options: &SigningOptions) -> Result<Signing, Error> {
        let primary = read_terms(&self.lexicon, self.contexts.as_deref())?;
        let second_contexts = self.second_contexts.as_deref();
        let secondary = (self.second_lexicon.as_deref())
            .map(|lexicon| read_terms(lexicon, second_contexts))
            .transpose()?;
        Ok(Signing::new(primary, secondary, options))
    }
}

fn read_terms(lexicon: &Path, contexts: Option<&Path>) -> Result<SigningTerms, Error> {
    let read = |path: &Path| fs::read(path).map_err(Error::reading(path));
    let wrong = |path: &Path| {
        let path = path.to_owned();
        |source| Error::Lexicon { path, source }
    };
    let words = Lexicon::parse(&read(lexicon)?).map_err(wrong(lexicon))?;
    let contexts = contexts
        .map(|path| Contexts::parse(&read(path)?, &words).map_err(wrong(path)))
        .transpose()?;
    Ok(SigningTerms {
        lexicon: words,
        contexts,
    })
}

impl Corpus {
    /// Trains a lexicon on the corpus itself, by frequency.
    pub fn train_signing(
        &self,
        options: &SigningOptions,
        convert: &ConvertOptions,
        progress: &dyn Progress,
    ) -> Result<Signing, Error> {
        let rules = TermRules::DEFAULT;
        let mut statistics = Statistics::within(rules, self.resources.memory_bytes / 2);
        for_each_terms(&self.texts(convert), &rules, progress, |_, terms| {
            statistics.add(terms, None);
        })?;
        let choice = TrainOptions::for_own_documents(statistics.documents().all);
        let primary = SigningTerms {
            lexicon: choose_lexicon(&statistics, &choice)?,
            contexts: None,
        };
        let mut signing = Signing::new(primary, None, options);
        signing.is_own = true;
        Ok(signing)
    }
}
