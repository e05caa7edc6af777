//! Chooses the terms of a lexicon.

use std::cmp::Reverse;

use crate::lexicon::{Choice, Entry, Lexicon};
use crate::statistics::{Class, Documents, Statistics};

/// A band of the ranking of terms by document frequency.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrequencyConfig {
    /// How many of the most frequent terms in the band below are passed over.
    pub ranks_skipped: usize,
    /// The most terms that are taken.
    pub size_max: usize,
    /// Terms in fewer documents than this are too rare.
    pub documents_min: u32,
    /// Terms in a larger share of all documents than this (0 to 1) are too common.
    pub share_max: f64,
}

/// The terms that tell most about the label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InformationConfig {
    /// Take only terms that are more typical of this class. A lexicon of spam's own words is touched
    /// less by good text around a payload.
    pub leaning: Option<Class>,
    /// The most terms that are taken.
    pub size_max: usize,
    /// Terms in fewer documents than this are too rare.
    pub documents_min: u32,
    /// Terms in a larger share of all documents than this (0 to 1) are too common.
    pub share_max: f64,
}

/// Why a training set gives no lexicon. All of these are about what the caller gave.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There is nothing to train on.
    #[error("the training set has no documents")]
    NoDocuments,
    /// Mutual information needs documents of both classes.
    #[error(
        "the training set has no {missing} documents among its {documents}: mutual information needs good and bad ones; choose terms by frequency instead"
    )]
    OneClass {
        /// The class without documents: `good`, `bad` or `classified`.
        missing: &'static str,
        /// All documents.
        documents: u32,
    },
    /// No term is within the limits.
    #[error("none of the {distinct} distinct terms is within the limits of frequency and rank")]
    NoTerms {
        /// Distinct terms of the training set.
        distinct: usize,
    },
    /// A share is not a number from 0 to 1.
    #[error("the largest share of documents must be from 0 to 1, not {found}")]
    Share {
        /// What it is.
        found: f64,
    },
    /// A class to lean to is given for a lexicon that is chosen by frequency.
    #[error(
        "terms can lean to a class only if they are chosen by information, which needs good and bad documents"
    )]
    UnusedLeaning,
    /// Ranks to skip are given for a lexicon that is chosen by information.
    #[error("ranks can be skipped only if terms are chosen by frequency")]
    UnusedRanks,
    /// The shortest term is longer than the longest.
    #[error("the smallest length of a term, {min}, is greater than the largest, {max}")]
    Chars {
        /// The smallest length, in characters.
        min: u32,
        /// The largest length, in characters.
        max: u32,
    },
    /// The share of a valid context is not a number from 0 to 1.
    #[error("the share of a term's occurrences must be from 0 to 1, not {found}")]
    ContextShare {
        /// The share.
        found: f64,
    },
}

/// A lexicon of the terms within a band of document frequency, the most frequent ones of the band
/// first. Equally frequent terms are ranked by their bytes.
pub fn train_by_frequency(
    statistics: &Statistics,
    config: &FrequencyConfig,
) -> Result<Lexicon, TrainError> {
    let mut entries = within(statistics, config.documents_min, config.share_max)?;
    entries.sort_unstable_by_key(|entry| (Reverse(entry.documents.all), entry.term));
    entries.drain(..config.ranks_skipped.min(entries.len()));
    lexicon(statistics, Choice::Frequency, entries, config.size_max)
}

/// A lexicon of the terms with the largest mutual information with the label; equally telling ones
/// are ranked by frequency, then by their bytes. Documents without a label count only for the limits
/// of frequency.
pub fn train_by_information(
    statistics: &Statistics,
    config: &InformationConfig,
) -> Result<Lexicon, TrainError> {
    let documents = statistics.documents();
    if documents.all > 0 && (documents.good == 0 || documents.bad == 0) {
        let missing = match (documents.good, documents.bad) {
            (0, 0) => "classified",
            (0, _) => "good",
            _ => "bad",
        };
        return Err(TrainError::OneClass {
            missing,
            documents: documents.all,
        });
    }
    let entries = within(statistics, config.documents_min, config.share_max)?;
    let leans = |entry: &Entry| {
        let wanted = config.leaning;
        wanted.is_none() || wanted == leaning(entry.documents, documents)
    };
    let mut ranked: Vec<(u64, Entry)> = entries
        .into_iter()
        .filter(leans)
        .map(|entry| (information_nanobits(entry.documents, documents), entry))
        .collect();
    ranked.sort_unstable_by_key(|(information, entry)| {
        (
            Reverse(*information),
            Reverse(entry.documents.all),
            entry.term,
        )
    });
    let entries = ranked.into_iter().map(|(_, entry)| entry).collect();
    lexicon(statistics, Choice::Information, entries, config.size_max)
}

/// Mutual information of a term with the label, in billionths of a bit.
///
/// `with` are the documents that have the term, `all` those of the training set. Rounded to whole
/// billionths, so that the last bits of a logarithm, which differ between machines, decide nothing.
pub fn information_nanobits(with: Documents, all: Documents) -> u64 {
    let total = f64::from(all.good) + f64::from(all.bad);
    let part = |both: u32, class: u32, side: f64| {
        if both == 0 {
            return 0.0;
        }
        let both = f64::from(both);
        both / total * (both * total / (f64::from(class) * side)).log2()
    };
    let labelled = f64::from(with.good) + f64::from(with.bad);
    let bits = part(with.good, all.good, labelled)
        + part(with.bad, all.bad, labelled)
        + part(
            all.good.saturating_sub(with.good),
            all.good,
            total - labelled,
        )
        + part(all.bad.saturating_sub(with.bad), all.bad, total - labelled);
    (bits.max(0.0) * 1e9).round() as u64
}

/// Of which class a term is more typical, if of any: the share of documents decides.
pub fn leaning(with: Documents, all: Documents) -> Option<Class> {
    let good = u64::from(with.good) * u64::from(all.bad);
    let bad = u64::from(with.bad) * u64::from(all.good);
    match good.cmp(&bad) {
        std::cmp::Ordering::Greater => Some(Class::Good),
        std::cmp::Ordering::Less => Some(Class::Bad),
        std::cmp::Ordering::Equal => None,
    }
}

/// The entries within limits of frequency.
fn within(
    statistics: &Statistics,
    documents_min: u32,
    share_max: f64,
) -> Result<Vec<Entry<'_>>, TrainError> {
    if !(0.0..=1.0).contains(&share_max) {
        return Err(TrainError::Share { found: share_max });
    }
    if statistics.documents().all == 0 {
        return Err(TrainError::NoDocuments);
    }
    let documents_max = share_max * f64::from(statistics.documents().all);
    let within = |entry: &Entry| {
        entry.documents.all >= documents_min && f64::from(entry.documents.all) <= documents_max
    };
    Ok(statistics.entries().filter(within).collect())
}

/// The lexicon of the first entries.
fn lexicon(
    statistics: &Statistics,
    choice: Choice,
    mut entries: Vec<Entry<'_>>,
    size_max: usize,
) -> Result<Lexicon, TrainError> {
    entries.truncate(size_max);
    if entries.is_empty() {
        return Err(TrainError::NoTerms {
            distinct: statistics.distinct(),
        });
    }
    let documents = statistics.documents();
    Ok(Lexicon::of(statistics.rules(), choice, documents, entries))
}
