//! Trains a lexicon and contexts for I-Match.

use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, FrequencyConfig, Sides, SigningTerms, Statistics,
    TermRules, Terms, TrainError, train_by_frequency,
};

use crate::page::Page;

/// The lexicon has the paper's size. Its terms are neither too rare nor too common. `near` accepts terms of two pages,
/// because a campaign may consist of two pages; here the pages are a sample of the language, so rare terms are noise.
const LEXICON: FrequencyConfig = FrequencyConfig {
    ranks_skipped: 0,
    size_max: 15_000,
    documents_min: 3,
    share_max: 0.25,
};

/// The paper requires that a context occurs 15 times, in all mail of a year. A sample of about a thousand pages
/// needs a lower count.
const CONTEXTS: ContextConfig = ContextConfig {
    rule: ContextRule::Count(3),
    sides: Sides::Either,
};

/// The most contexts that are counted. Each takes 16 bytes.
const CONTEXTS_MAX: usize = 4_000_000;

/// Chooses a lexicon by document frequency, and finds the contexts of its terms in the same pages.
pub fn train(pages: &[&Page]) -> Result<SigningTerms, TrainError> {
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
    Ok(SigningTerms { lexicon, contexts })
}
