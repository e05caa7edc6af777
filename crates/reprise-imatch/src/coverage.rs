//! How much of the usage of a lexicon's terms is covered by how many contexts.
//!
//! If few contexts cover nearly everything, an attacker guesses them; if it takes very many, they
//! are a burden to keep. The paper's figure 1 shows that neither is so.

use crate::bigrams::Bigrams;
use crate::contexts::Side;

/// What contexts with a count of at least `count` cover.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CountCoverage {
    /// The least count.
    pub count: u32,
    /// Contexts with that count or more.
    pub contexts: u64,
    /// Their share of what was seen before terms (0 to 1).
    pub before: f64,
    /// Their share of what was seen after terms.
    pub after: f64,
}

/// What the most frequent contexts of each term cover.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TopCoverage {
    /// How many contexts of each term, on both sides together.
    pub contexts: usize,
    /// Mean over all terms seen of the share of their usage that these cover (0 to 1).
    pub mean: f64,
}

/// The coverage at several thresholds of count.
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

/// The paper's figure 1: mean coverage by the most frequent contexts of each term.
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
