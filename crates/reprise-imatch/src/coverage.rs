//! Computes which share of the occurrences of lexicon terms is covered by how many contexts.
//!
//! If a few contexts covered nearly everything, an attacker could guess them. If very many were needed,
//! they would take much memory. The paper's figure 1 shows that neither is the case.

use crate::bigrams::Bigrams;
use crate::contexts::Side;

/// The coverage of the contexts with at least a certain count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountCoverage {
    /// The smallest count.
    pub count: u32,
    /// The number of contexts with at least that count.
    pub contexts: u64,
    /// The share (0 to 1) of occurrences of terms that have such a context before them.
    pub before: f64,
    /// The share (0 to 1) of occurrences of terms that have such a context after them.
    pub after: f64,
}

/// The coverage of the most frequent contexts of each term.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TopCoverage {
    /// The number of contexts of each term, on both sides together.
    pub contexts: usize,
    /// The share (0 to 1) of a term's neighbours that these contexts cover: the mean over all terms that
    /// occur.
    pub mean: f64,
}

/// Computes the coverage for several smallest counts.
pub fn coverage_by_count(bigrams: &mut Bigrams, counts: &[u32]) -> Vec<CountCoverage> {
    let all: Vec<(Side, u32)> = bigrams
        .counts()
        .map(|(side, _, count)| (side, count))
        .collect();
    let sum = |side, min| -> u64 {
        let kept = all.iter().filter(|row| row.0 == side && row.1 >= min);
        kept.map(|row| u64::from(row.1)).sum()
    };
    let share = |side, min| sum(side, min) as f64 / (sum(side, 0) as f64).max(1.0);
    let at = |&count: &u32| CountCoverage {
        count,
        contexts: all.iter().filter(|row| row.1 >= count).count() as u64,
        before: share(Side::Before, count),
        after: share(Side::After, count),
    };
    counts.iter().map(at).collect()
}

/// Computes the mean coverage for several numbers of contexts per term: the paper's figure 1.
pub fn coverage_by_top(bigrams: &mut Bigrams, tops: &[usize]) -> Vec<TopCoverage> {
    let mut counts: Vec<(u32, u32)> = bigrams.counts().map(|row| (row.1, row.2)).collect();
    counts.sort_unstable_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
    let terms: Vec<&[(u32, u32)]> = counts.chunk_by(|a, b| a.0 == b.0).collect();
    let covered = |rows: &[(u32, u32)], top: usize| -> f64 {
        let sum = |rows: &[(u32, u32)]| -> u64 { rows.iter().map(|row| u64::from(row.1)).sum() };
        sum(&rows[..top.min(rows.len())]) as f64 / sum(rows) as f64
    };
    let at = |&contexts: &usize| TopCoverage {
        contexts,
        mean: terms
            .iter()
            .map(|rows| covered(rows, contexts))
            .sum::<f64>()
            / (terms.len() as f64).max(1.0),
    };
    tops.iter().map(at).collect()
}
