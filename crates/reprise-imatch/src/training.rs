//! The options and the result of training.

use crate::bigrams::Bigrams;
use crate::contexts::{ContextConfig, ContextRule, Contexts};
use crate::coverage::coverage_by_top;
use crate::defaults;
use crate::lexicon::{Choice, Lexicon};
use crate::statistics::{Class, Documents, Statistics};
use crate::terms::TermRules;
use crate::train::{
    FrequencyConfig, InformationConfig, TrainError, train_by_frequency, train_by_information,
};

/// The options of training. The defaults are in [`defaults`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainOptions {
    /// The criterion by which terms are chosen. `None` chooses by information if there are good and bad
    /// documents, and otherwise by frequency.
    pub by: Option<Choice>,
    /// The class that all terms are more typical of. Only for [`Choice::Information`].
    pub leaning: Option<Class>,
    /// The largest number of terms.
    pub size_max: usize,
    /// The number of most frequent terms that are skipped. Only for [`Choice::Frequency`].
    pub ranks_skipped: usize,
    /// The number of documents below which a term is too rare.
    pub documents_min: u32,
    /// The share of documents (0 to 1) above which a term is too common.
    pub share_max: f64,
    /// The rules by which texts become terms.
    pub rules: TermRules,
    /// The rule by which neighbours of terms become valid contexts.
    pub contexts: ContextConfig,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            by: None,
            leaning: None,
            size_max: defaults::TERMS_MAX,
            ranks_skipped: defaults::RANKS_SKIPPED,
            documents_min: defaults::DOCUMENTS_MIN,
            share_max: defaults::SHARE_MAX,
            rules: TermRules::DEFAULT,
            contexts: defaults::CONTEXTS,
        }
    }
}

impl TrainOptions {
    /// Returns the default options for a lexicon that signs the same documents it is trained on.
    ///
    /// Below [`defaults::DOCUMENTS_MANY`] documents no term is too common, because half of the documents
    /// may be a single campaign.
    pub fn for_own_documents(documents: u32) -> Self {
        let is_many = documents >= defaults::DOCUMENTS_MANY;
        Self {
            share_max: if is_many { defaults::SHARE_MAX } else { 1.0 },
            ..Self::default()
        }
    }

    /// Returns an error if an option has a value that is wrong for every training set.
    pub fn validate(&self) -> Result<(), TrainError> {
        let TermRules {
            chars_min,
            chars_max,
            ..
        } = self.rules;
        if chars_min > chars_max {
            return Err(TrainError::Chars {
                min: chars_min,
                max: chars_max,
            });
        }
        if !(0.0..=1.0).contains(&self.share_max) {
            return Err(TrainError::Share {
                found: self.share_max,
            });
        }
        if let ContextRule::Share(found) = self.contexts.rule
            && !(0.0..=1.0).contains(&found)
        {
            return Err(TrainError::ContextShare { found });
        }
        Ok(())
    }
}

/// Chooses the terms of a lexicon, by the criterion that the options name or that the statistics
/// allow.
///
/// The statistics must have been counted under the rules of the options.
pub fn choose_lexicon(
    statistics: &Statistics,
    options: &TrainOptions,
) -> Result<Lexicon, TrainError> {
    options.validate()?;
    let Documents { good, bad, .. } = statistics.documents();
    let by = options.by.unwrap_or(if good > 0 && bad > 0 {
        Choice::Information
    } else {
        Choice::Frequency
    });
    match by {
        Choice::Frequency if options.leaning.is_some() => Err(TrainError::UnusedLeaning),
        Choice::Information if options.ranks_skipped > 0 => Err(TrainError::UnusedRanks),
        Choice::Frequency => train_by_frequency(
            statistics,
            &FrequencyConfig {
                ranks_skipped: options.ranks_skipped,
                size_max: options.size_max,
                documents_min: options.documents_min,
                share_max: options.share_max,
            },
        ),
        Choice::Information => train_by_information(
            statistics,
            &InformationConfig {
                leaning: options.leaning,
                size_max: options.size_max,
                documents_min: options.documents_min,
                share_max: options.share_max,
            },
        ),
    }
}

/// The result of training, in figures.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TrainSummary {
    /// The number of documents of the training set.
    pub documents: u32,
    /// The number of good documents.
    pub ham: u32,
    /// The number of bad documents.
    pub spam: u32,
    /// The number of distinct terms, without those that were forgotten to save memory.
    pub distinct_terms: usize,
    /// The largest error of a count: terms were forgotten to save memory.
    pub counts_lost: u32,
    /// The number of terms of the lexicon.
    pub terms: usize,
    /// The criterion by which the terms were chosen.
    pub choice: Choice,
    /// The number of documents that could not be read. The caller sets it.
    pub unreadable: u64,
    /// The memory that the lexicon takes, in bytes.
    pub lexicon_bytes: usize,
    /// The figures of the contexts, if contexts were counted. The caller sets them.
    pub contexts: Option<ContextSummary>,
}

/// The contexts of a lexicon's terms, in figures.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ContextSummary {
    /// The number of documents of the tuning corpus.
    pub documents: u64,
    /// The number of valid contexts.
    pub contexts: usize,
    /// The memory that the contexts take, in bytes.
    pub bytes: usize,
    /// The largest error of a count: contexts were forgotten to save memory.
    pub counts_lost: u32,
    /// For some numbers of contexts per term, the mean share of a term's occurrences that its most
    /// frequent contexts cover: the paper's figure 1.
    pub coverage: Vec<(usize, f64)>,
}

impl TrainSummary {
    /// Collects the figures of a lexicon and of the statistics it was chosen from.
    pub fn new(statistics: &Statistics, lexicon: &Lexicon) -> Self {
        let Documents { all, good, bad } = statistics.documents();
        Self {
            documents: all,
            ham: good,
            spam: bad,
            distinct_terms: statistics.distinct(),
            counts_lost: statistics.lost(),
            terms: lexicon.len(),
            choice: lexicon.choice(),
            unreadable: 0,
            lexicon_bytes: lexicon.bytes(),
            contexts: None,
        }
    }
}

impl ContextSummary {
    /// Collects the figures of contexts and of the counts they were chosen from.
    pub fn new(bigrams: &mut Bigrams, contexts: &Contexts) -> Self {
        let coverage = coverage_by_top(bigrams, &defaults::COVERAGE_CONTEXTS);
        Self {
            documents: contexts.documents(),
            contexts: contexts.len(),
            bytes: contexts.bytes(),
            counts_lost: bigrams.lost(),
            coverage: coverage
                .iter()
                .map(|top| (top.contexts, top.mean))
                .collect(),
        }
    }
}
