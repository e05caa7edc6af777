//! Compares a cryptographic hash with a locality-sensitive one on pairs of pages.
//!
//! As in the paper, a hash takes two pages for copies if they have a common chunk: a chunk with the same
//! cryptographic hash, or two chunks with a Nilsimsa score of at least the threshold.
//!
//! In the paper, people decided which pages really were copies. Here there are too many pairs for that, so
//! the text decides. Two pages are copies if they share one of these:
//!
//! - a chunk,
//! - the text of a chunk, even in different markup,
//! - [`CompareConfig::words_min`] words in a row.

use std::collections::HashSet;

use reprise_report::Confusion;
use reprise_text::ChunkForm;

use crate::nilsimsa::{Digest, SCORE_MAX};
use crate::page::Page;

/// The settings of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareConfig {
    /// The form of the chunks that are hashed.
    pub form: ChunkForm,
    /// The fewest characters of a chunk that is compared.
    pub chars_min: usize,
    /// The number of words in a row that makes two pages a copy.
    pub words_min: usize,
    /// The most chunks of a page that are compared; later chunks are ignored. The time for two pages grows
    /// with the product of their chunks.
    pub chunks_max: usize,
}

/// A page, prepared for comparisons.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The normal forms of the distinct chunks, ascending. Two are equal if and only if their cryptographic
    /// hashes are.
    chunks: Vec<String>,
    /// The Nilsimsa digest of each chunk.
    digests: Vec<Digest>,
    /// The texts of the chunks without markup, ascending.
    texts: Vec<String>,
    /// The hashes of all runs of words, ascending.
    runs: Vec<u64>,
    /// True if the page has more chunks than [`CompareConfig::chunks_max`].
    pub is_cut: bool,
}

/// The counts of all pairs of pages. They give the confusion matrix at every threshold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Pairs with common text.
    pub copies: Pairs,
    /// Pairs without common text.
    pub others: Pairs,
}

/// The counts of one kind of pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairs {
    /// The number of pairs.
    pub all: u64,
    /// The number of pairs with a common chunk by cryptographic hash.
    pub equal: u64,
    /// The number of pairs for each highest Nilsimsa score of two chunks, from -128 to 128.
    by_score: [u64; SCORES],
}

const SCORES: usize = 2 * SCORE_MAX as usize + 1;

impl Prepared {
    /// Prepares a page. Returns `None` if no chunk is long enough.
    pub fn of(page: &Page, config: &CompareConfig) -> Option<Self> {
        let mut seen = HashSet::new();
        let mut chunks: Vec<String> = page
            .chunks(config.form, config.chars_min)
            .into_iter()
            .map(|chunk| chunk.normal)
            .filter(|normal| seen.insert(normal.clone()))
            .collect();
        let is_cut = chunks.len() > config.chunks_max;
        chunks.truncate(config.chunks_max);
        chunks.sort_unstable();
        let digests = chunks
            .iter()
            .map(|chunk| Digest::of(chunk.as_bytes()))
            .collect();
        let texts = page.chunks(ChunkForm::Text, config.chars_min).into_iter();
        let mut texts: Vec<String> = texts.map(|chunk| chunk.normal).collect();
        texts.sort_unstable();
        (!chunks.is_empty()).then_some(Self {
            chunks,
            digests,
            texts,
            runs: runs(&page.tokens(), config.words_min),
            is_cut,
        })
    }

    /// Returns the number of distinct chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Returns the highest Nilsimsa score of a chunk of this page and a chunk of `other`, and the first two
    /// chunks that have it.
    pub fn nearest<'a>(&'a self, other: &'a Self) -> (i32, [&'a str; 2]) {
        let score = self.score(other);
        for (chunk, one) in self.chunks.iter().zip(&self.digests) {
            let mut others = other.chunks.iter().zip(&other.digests);
            if let Some((found, _)) = others.find(|(_, two)| one.score(two) == score) {
                return (score, [chunk, found]);
            }
        }
        (score, ["", ""])
    }

    fn score(&self, other: &Self) -> i32 {
        let mut best = -SCORE_MAX;
        for one in &self.digests {
            for two in &other.digests {
                best = best.max(one.score(two));
            }
        }
        best
    }
}

/// The truth about two pages, and the results of both hashes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// True if the pages have common text.
    pub is_copy: bool,
    /// True if the pages have a common chunk by cryptographic hash.
    pub is_equal: bool,
    /// The highest Nilsimsa score of two chunks.
    pub score: i32,
}

impl Verdict {
    /// Compares two pages.
    pub fn of(one: &Prepared, other: &Prepared) -> Self {
        let is_equal = has_common(&one.chunks, &other.chunks);
        Self {
            is_copy: is_equal
                || has_common(&one.texts, &other.texts)
                || has_common(&one.runs, &other.runs),
            is_equal,
            score: one.score(other),
        }
    }
}

impl Comparison {
    /// Creates a comparison without pairs.
    pub const fn new() -> Self {
        Self {
            copies: Pairs::NONE,
            others: Pairs::NONE,
        }
    }

    /// Counts one pair.
    pub fn add(&mut self, verdict: Verdict) {
        let pairs = if verdict.is_copy {
            &mut self.copies
        } else {
            &mut self.others
        };
        pairs.all += 1;
        pairs.equal += u64::from(verdict.is_equal);
        pairs.by_score[(verdict.score + SCORE_MAX) as usize] += 1;
    }

    /// Adds the counts of another comparison.
    pub fn merge(&mut self, other: &Self) {
        self.copies.merge(&other.copies);
        self.others.merge(&other.others);
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.copies.all + self.others.all
    }

    /// Returns the confusion matrix of the cryptographic hash.
    pub fn cryptographic(&self) -> Confusion {
        matrix(self, |pairs| pairs.equal)
    }

    /// Returns the confusion matrix of Nilsimsa at a threshold.
    pub fn nilsimsa(&self, threshold: i32) -> Confusion {
        matrix(self, |pairs| pairs.with_score(threshold))
    }
}

impl Default for Comparison {
    fn default() -> Self {
        Self::new()
    }
}

impl Pairs {
    const NONE: Self = Self {
        all: 0,
        equal: 0,
        by_score: [0; SCORES],
    };

    /// Returns the number of pairs with a score of at least `threshold`.
    pub fn with_score(&self, threshold: i32) -> u64 {
        let from = (threshold + SCORE_MAX).clamp(0, SCORES as i32) as usize;
        self.by_score[from..].iter().sum()
    }

    fn merge(&mut self, other: &Self) {
        self.all += other.all;
        self.equal += other.equal;
        for (mine, theirs) in self.by_score.iter_mut().zip(other.by_score) {
            *mine += theirs;
        }
    }
}

fn matrix(comparison: &Comparison, positives: impl Fn(&Pairs) -> u64) -> Confusion {
    let Comparison { copies, others } = comparison;
    let (true_positives, false_positives) = (positives(copies), positives(others));
    Confusion {
        true_positives,
        false_negatives: copies.all - true_positives,
        false_positives,
        true_negatives: others.all - false_positives,
    }
}

/// Returns the hashes of all runs of `words_min` words, ascending and distinct.
fn runs(tokens: &[u64], words_min: usize) -> Vec<u64> {
    // Words are uniform hashes. The multiplication makes the result depend on their order.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let run = |words: &[u64]| {
        let mixed = words.iter().fold(0_u64, |run, word| {
            (run.rotate_left(23) ^ word).wrapping_mul(STEP)
        });
        mixed ^ (mixed >> 32)
    };
    let mut runs: Vec<u64> = tokens.windows(words_min.max(1)).map(run).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Returns true if two ascending lists have a common element.
fn has_common<T: Ord>(one: &[T], other: &[T]) -> bool {
    let (mut at, mut to) = (0, 0);
    while at < one.len() && to < other.len() {
        match one[at].cmp(&other[to]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests;
