//! Trains a lexicon, and the contexts of its terms.

use std::collections::HashMap;
use std::path::PathBuf;

use reprise_imatch::{
    Bigrams, Class, ContextSummary, Contexts, Lexicon, Statistics, TrainOptions, TrainSummary,
    choose_lexicon,
};
use reprise_near::UnreadPages;
use reprise_report::results::Problems;
use reprise_store::Progress;

use super::classes::{Classes, ClassesError};
use crate::archives::for_each_terms;
use crate::convert::ConvertOptions;
use crate::error::Error;
use crate::resources::Resources;
use crate::temporary::DocumentSet;

/// The documents that a lexicon is trained on. Each name is that of a corpus, or of any other input.
#[derive(Clone, Debug, Default)]
pub struct TrainInputs {
    /// Documents whose class is unknown, or in the file `classes`.
    pub unclassified: Vec<String>,
    /// A file with the classes of `unclassified`: lines of a URL, a tab, and `ham` or `spam`.
    pub classes: Option<PathBuf>,
    /// Wanted documents.
    pub ham: Vec<String>,
    /// Unwanted documents.
    pub spam: Vec<String>,
    /// Documents in which the contexts of terms are counted; if empty, all documents above.
    pub tuning: Vec<String>,
}

/// A trained lexicon.
#[derive(Debug)]
pub struct Trained {
    /// The lexicon.
    pub lexicon: Lexicon,
    /// The contexts of its terms, if they were requested.
    pub contexts: Option<Contexts>,
    /// The figures.
    pub summary: TrainSummary,
    /// The records that were skipped or damaged, for each group of inputs that had to be indexed.
    pub problems: Vec<Problems>,
    /// Why the first unreadable document could not be read.
    pub unreadable_reason: Option<String>,
}

impl TrainInputs {
    /// Opens the training documents with the class of each group.
    fn open(
        &self,
        resources: Resources,
        progress: &dyn Progress,
    ) -> Result<Vec<(DocumentSet, Option<Class>)>, Error> {
        let mut sets = Vec::new();
        for (names, class) in [
            (&self.unclassified, None),
            (&self.ham, Some(Class::Good)),
            (&self.spam, Some(Class::Bad)),
        ] {
            if !names.is_empty() {
                sets.push((DocumentSet::open(names, resources, progress)?, class));
            }
        }
        Ok(sets)
    }
}

/// Trains a lexicon, and counts the contexts of its terms if `with_contexts` is true.
pub fn train(
    inputs: &TrainInputs,
    options: &TrainOptions,
    with_contexts: bool,
    convert: &ConvertOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Trained, Error> {
    options.validate()?;
    resources.validate()?;
    let classes = inputs.classes.as_deref().map(Classes::read).transpose()?;
    let sets = inputs.open(resources, progress)?;
    let problems = sets.iter().filter_map(|(set, _)| set.problems().cloned());
    let problems = problems.collect();
    let mut statistics = Statistics::within(options.rules, resources.memory_bytes / 2);
    let mut unread = UnreadPages::default();
    for (set, class) in &sets {
        for corpus in set.corpora() {
            let known = match (&classes, class) {
                (Some(classes), None) => classes.of(corpus)?,
                _ => HashMap::new(),
            };
            let texts = corpus.texts(convert);
            unread.extend(for_each_terms(
                &texts,
                &options.rules,
                progress,
                |page, terms| {
                    statistics.add(terms, class.or_else(|| known.get(&page).copied()));
                },
            )?);
        }
    }
    let documents = statistics.documents();
    if let Some(path) = &inputs.classes
        && documents.good + documents.bad == 0
    {
        let path = path.clone();
        return Err(ClassesError::NoneKnown { path }.into());
    }
    let lexicon = choose_lexicon(&statistics, options)?;
    let mut summary = TrainSummary::new(&statistics, &lexicon);
    summary.unreadable = unread.pages;
    drop(statistics);
    let mut contexts = None;
    if with_contexts {
        let tuning = (!inputs.tuning.is_empty())
            .then(|| DocumentSet::open(&inputs.tuning, resources, progress))
            .transpose()?;
        let sets: Vec<&DocumentSet> = match &tuning {
            Some(tuning) => vec![tuning],
            None => sets.iter().map(|(set, _)| set).collect(),
        };
        let mut bigrams = count_neighbours(&sets, &lexicon, convert, resources, progress)?;
        let valid = bigrams.contexts(&options.contexts);
        summary.contexts = Some(ContextSummary::new(&mut bigrams, &valid));
        contexts = Some(valid);
    }
    Ok(Trained {
        lexicon,
        contexts,
        summary,
        problems,
        unreadable_reason: unread.reason,
    })
}

/// Counts the neighbours of a lexicon's terms.
fn count_neighbours(
    sets: &[&DocumentSet],
    lexicon: &Lexicon,
    convert: &ConvertOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Bigrams, Error> {
    let mut bigrams = Bigrams::within(lexicon, resources.memory_bytes);
    for corpus in sets.iter().flat_map(|set| set.corpora()) {
        let texts = corpus.texts(convert);
        for_each_terms(&texts, &lexicon.rules(), progress, |_, terms| {
            bigrams.add(terms);
        })?;
    }
    Ok(bigrams)
}
