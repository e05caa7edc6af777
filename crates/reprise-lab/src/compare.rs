//! The cryptographic hash against the locality-sensitive one, on pages whose truth is known.
//!
//! As in the paper, a page is taken for a copy of another if one of its chunks is a chunk of the other:
//! the same by cryptographic hash, or with a Nilsimsa score at the threshold or above. The paper
//! had people look at every page for text of the original. Here every page of a sample is
//! compared with every other, which is too much to look at; so the text itself decides: a page
//! uses text of another if the two have a chunk in common, or a chunk's text whatever its markup, or so
//! many words in a row.

use std::collections::HashSet;

use reprise_report::Confusion;
use reprise_text::ChunkForm;

use crate::nilsimsa::{Digest, SCORE_MAX};
use crate::page::Page;

/// How pages are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareConfig {
    /// Which text of a chunk is hashed.
    pub form: ChunkForm,
    /// Chunks with fewer characters are not compared.
    pub chars_min: usize,
    /// So many words in a row in common are text in common.
    pub words_min: usize,
    /// The most chunks of a page that are compared, from its beginning: two pages take the product of
    /// their chunks.
    pub chunks_max: usize,
}

/// What is compared of a page.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The distinct chunks, ascending. Their normal forms are equal where their cryptographic hashes are.
    chunks: Vec<String>,
    digests: Vec<Digest>,
    /// The texts of chunks without their markup, ascending.
    texts: Vec<String>,
    /// A number for each run of words, ascending.
    runs: Vec<u64>,
    /// Some chunks were left out.
    pub is_cut: bool,
}

/// Pairs of pages by truth and by their highest score: enough to know the matrix at every threshold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Pairs that have text in common.
    pub copies: Pairs,
    /// Pairs that have none.
    pub others: Pairs,
}

/// Pairs of pages of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairs {
    /// All of them.
    pub all: u64,
    /// Those with a chunk in common, by cryptographic hash.
    pub equal: u64,
    /// By the highest Nilsimsa score of a chunk of one with a chunk of the other: from -128 to 128.
    by_score: [u64; SCORES],
}

const SCORES: usize = 2 * SCORE_MAX as usize + 1;

impl Prepared {
    /// What is compared of a page; nothing where no chunk is long enough.
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

    /// How many distinct chunks there are.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The highest Nilsimsa score of a chunk of this page with a chunk of another, and the first two
    /// that have it.
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

/// What is true of two pages, and what either hash says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// Have they text in common?
    pub is_copy: bool,
    /// Have they a chunk in common, by cryptographic hash?
    pub is_equal: bool,
    /// The highest Nilsimsa score of their chunks.
    pub score: i32,
}

impl Verdict {
    /// Of two pages.
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
    /// No pair yet.
    pub const fn new() -> Self {
        Self {
            copies: Pairs::NONE,
            others: Pairs::NONE,
        }
    }

    /// Counts a pair.
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

    /// Counts the pairs of another comparison too.
    pub fn merge(&mut self, other: &Self) {
        self.copies.merge(&other.copies);
        self.others.merge(&other.others);
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.copies.all + self.others.all
    }

    /// The matrix of the cryptographic hash.
    pub fn cryptographic(&self) -> Confusion {
        matrix(self, |pairs| pairs.equal)
    }

    /// The matrix of Nilsimsa at a threshold.
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

    /// How many pairs score so much or more.
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

/// A number for each run of so many words, ascending, each once.
fn runs(tokens: &[u64], words_min: usize) -> Vec<u64> {
    // Words come in as fingerprints with even spread; a product by an odd number keeps their order apart.
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

/// Have two ascending lists anything in common?
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
