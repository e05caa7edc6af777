//! Chooses the terms of a lexicon.

use std::cmp::Reverse;

use crate::lexicon::{Choice, Entry, Lexicon};
use crate::statistics::{Class, Documents, Statistics};

/// The configuration of [`train_by_frequency`]: a band of the ranking of terms by document frequency.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FrequencyConfig {
    /// The number of most frequent terms within the following limits that are skipped.
    pub ranks_skipped: usize,
    /// The largest number of terms.
    pub size_max: usize,
    /// The number of documents below which a term is too rare.
    pub documents_min: u32,
    /// The share of documents (0 to 1) above which a term is too common.
    pub share_max: f64,
}

/// The configuration of [`train_by_information`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InformationConfig {
    /// The class that all terms are more typical of, if given. Good text around a payload contains fewer
    /// terms of a lexicon that leans to spam.
    pub leaning: Option<Class>,
    /// The largest number of terms.
    pub size_max: usize,
    /// The number of documents below which a term is too rare.
    pub documents_min: u32,
    /// The share of documents (0 to 1) above which a term is too common.
    pub share_max: f64,
}

/// The reason why no lexicon can be chosen. The options or the training set are wrong in all cases.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The training set is empty.
    #[error("the training set has no documents")]
    NoDocuments,
    /// The training set lacks a class, but mutual information needs both.
    #[error(
        "the training set has no {missing} documents among its {documents}, but mutual information needs good and bad ones; choose terms by frequency instead"
    )]
    OneClass {
        /// The missing class, `good` or `bad`, or `classified` if both are missing.
        missing: &'static str,
        /// The number of all documents.
        documents: u32,
    },
    /// No term is within the limits.
    #[error("none of the {distinct} distinct terms is within the limits of frequency and rank")]
    NoTerms {
        /// The number of distinct terms of the training set.
        distinct: usize,
    },
    /// The largest share of documents is not a number from 0 to 1.
    #[error("the largest share of documents must be from 0 to 1, not {found}")]
    Share {
        /// The share.
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

/// Chooses the most frequent terms within a band of document frequency. Equally frequent terms are ranked
/// by their bytes.
pub fn train_by_frequency(
    statistics: &Statistics,
    config: &FrequencyConfig,
) -> Result<Lexicon, TrainError> {
    let mut entries = within(statistics, config.documents_min, config.share_max)?;
    entries.sort_unstable_by_key(|entry| (Reverse(entry.documents.all), entry.term));
    entries.drain(..config.ranks_skipped.min(entries.len()));
    lexicon(statistics, Choice::Frequency, entries, config.size_max)
}

/// Chooses the terms with the largest mutual information with the class. Terms with equal information are
/// ranked by frequency, then by their bytes. Documents of unknown class count only for the limits of
/// frequency.
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

/// Returns the mutual information of a term with the class, in billionths of a bit.
///
/// `with` is the numbers of documents that contain the term, `all` those of the training set. The result
/// is rounded to whole billionths, because the last bits of a logarithm differ between machines.
pub fn information_nanobits(with: Documents, all: Documents) -> u64 {
    let total = f64::from(all.good) + f64::from(all.bad);
    let part = |both: u32, class: u32, side: f64| {
        if both == 0 {
            return 0.0;
        }
        let both = f64::from(both);
        both / total * (both * total / (f64::from(class) * side)).log2()
    };
    let classified = f64::from(with.good) + f64::from(with.bad);
    let bits = part(with.good, all.good, classified)
        + part(with.bad, all.bad, classified)
        + part(
            all.good.saturating_sub(with.good),
            all.good,
            total - classified,
        )
        + part(
            all.bad.saturating_sub(with.bad),
            all.bad,
            total - classified,
        );
    (bits.max(0.0) * 1e9).round() as u64
}

/// Returns the class in which a larger share of the documents contains the term, or `None` if the shares
/// are equal.
pub fn leaning(with: Documents, all: Documents) -> Option<Class> {
    let good = u64::from(with.good) * u64::from(all.bad);
    let bad = u64::from(with.bad) * u64::from(all.good);
    match good.cmp(&bad) {
        std::cmp::Ordering::Greater => Some(Class::Good),
        std::cmp::Ordering::Less => Some(Class::Bad),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns the entries within the limits of frequency.
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

/// Creates a lexicon of the first `size_max` entries.
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
