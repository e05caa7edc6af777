//! A lexicon and contexts from pages at hand, where none are given.

use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, FrequencyConfig, Sides, Statistics, TermRules, Terms,
    TrainError, train_by_frequency,
};

use crate::options::IMatchTerms;
use crate::page::Page;

/// The paper's size of a lexicon, from the middle of the ranking: neither what hardly any page has nor
/// what is everywhere. A narrower band than where a corpus signs itself (`near`): there a term of two pages
/// may be what makes a campaign; here other pages stand for the language, and two of them for nothing.
const LEXICON: FrequencyConfig = FrequencyConfig {
    ranks_skipped: 0,
    size_max: 15_000,
    documents_min: 3,
    share_max: 0.25,
};

/// The paper asks for a count of 15, in a corpus of all mail of a year; here there are at most some
/// thousand pages.
const CONTEXTS: ContextConfig = ContextConfig {
    rule: ContextRule::Count(3),
    sides: Sides::Either,
};

/// Contexts that are remembered while they are counted: 16 bytes each.
const CONTEXTS_MAX: usize = 4_000_000;

/// Chooses a lexicon by document frequency, and counts the contexts of its terms in the same pages.
pub fn train(pages: &[&Page]) -> Result<IMatchTerms, TrainError> {
    let mut statistics = Statistics::new(TermRules::DEFAULT);
    let terms: Vec<Terms> = pages
        .iter()
        .map(|page| Terms::of(page.plain(), &TermRules::DEFAULT))
        .collect();
    for terms in &terms {
        statistics.add(terms, None);
    }
    let lexicon = train_by_frequency(&statistics, &LEXICON)?;
    let mut bigrams = Bigrams::new(&lexicon, CONTEXTS_MAX);
    for terms in &terms {
        bigrams.add(terms);
    }
    let contexts = Some(bigrams.contexts(&CONTEXTS));
    Ok(IMatchTerms { lexicon, contexts })
}
