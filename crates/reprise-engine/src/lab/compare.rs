//! Cryptographic hashes beside Nilsimsa, over all pairs of a sample of a corpus.

use std::cmp::Reverse;

use rayon::prelude::*;
use reprise_ingest::RecordLimits;
use reprise_lab::compare::{CompareConfig, Comparison, Matrix, Prepared, Verdict};
use reprise_lab::nilsimsa::SCORE_MAX;
use reprise_store::Corpus;

use super::LabError;
use super::sample::{Sampled, Unused, sample};

/// False positives that are shown.
const EXAMPLES_MAX: usize = 5;

/// The lowest threshold in the table of thresholds.
const THRESHOLD_FROM: i32 = 100;

/// More chunks of one page are left out.
const CHUNKS_MAX: usize = 1_000;

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct CompareSettings {
    /// Hard limits on a record.
    pub limits: RecordLimits,
    /// Threads that read archives; pages are compared on rayon's.
    pub threads: usize,
    /// Pages that are compared with each other.
    pub pages: usize,
    /// Which pages these are follows from it.
    pub seed: u64,
    /// From this Nilsimsa score on, a page is taken for a copy.
    pub threshold: i32,
    /// Shorter chunks are not compared.
    pub chars_min: usize,
    /// So many words in a row in common are text in common.
    pub words_min: usize,
    /// Only pairs of pages on different sites.
    pub is_elsewhere: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Pages with a chunk to compare.
    pub pages: usize,
    /// Pages without one.
    pub without_chunks: usize,
    /// Pages of which not all chunks were compared.
    pub cut: usize,
    /// Distinct chunks of each page, added up.
    pub chunks: u64,
    /// Pairs of pages.
    pub pairs: u64,
    /// By cryptographic hash.
    pub cryptographic: Matrix,
    /// By Nilsimsa.
    pub nilsimsa: Matrix,
    /// By Nilsimsa at other thresholds, ascending.
    pub thresholds: Vec<ThresholdRow>,
    /// The worst pairs that Nilsimsa takes for copies and that are none.
    pub examples: Vec<FalsePositive>,
    /// Pages that were drawn and could not be used.
    pub unused: Unused,
}

/// Nilsimsa at one threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThresholdRow {
    /// The threshold.
    pub threshold: i32,
    /// What came out.
    pub matrix: Matrix,
}

/// Two pages that Nilsimsa takes for copies, with the chunks that are to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalsePositive {
    /// The score of the two chunks.
    pub score: i32,
    /// Each page with its chunk.
    pub sides: [(String, String); 2],
}

/// A false positive by the pages' places in the sample; the worst first.
type Found = (Reverse<i32>, usize, usize);

/// Compares every page of a sample with every other.
///
/// Input: a corpus whose archives are still there. Output: confusion matrices. Errors: [`LabError`].
/// Memory: the chunks of the sample. Threads: rayon's; the result does not depend on them. Time: grows with
/// the square of the pages and of their chunks, which is why both are bounded.
pub fn compare(corpus: &Corpus, settings: &CompareSettings) -> Result<Compared, LabError> {
    check(settings)?;
    let CompareSettings {
        limits,
        threads,
        pages,
        seed,
        ..
    } = *settings;
    let (drawn, unused) = sample(corpus, limits, threads, pages, seed)?;
    let read = drawn.len();
    let config = CompareConfig {
        form: corpus.settings().chunk,
        chars_min: settings.chars_min,
        words_min: settings.words_min,
        chunks_max: CHUNKS_MAX,
    };
    let prepared: Vec<(Sampled, Prepared)> = drawn
        .into_par_iter()
        .filter_map(|sampled| {
            let prepared = Prepared::of(&sampled.page, &config)?;
            Some((sampled, prepared))
        })
        .collect();
    let (comparison, found) = all_pairs(&prepared, settings);
    if comparison.pairs() == 0 {
        let reason = if settings.is_elsewhere {
            "all pages that have a chunk are of one site; leave out --elsewhere"
        } else {
            "less than two pages have a chunk that is long enough; see --min-length"
        };
        return Err(LabError::NoPairs { reason });
    }
    Ok(Compared {
        pages: prepared.len(),
        without_chunks: read - prepared.len(),
        cut: prepared.iter().filter(|(_, page)| page.is_cut).count(),
        chunks: prepared.iter().map(|(_, page)| page.chunks() as u64).sum(),
        pairs: comparison.pairs(),
        cryptographic: comparison.cryptographic(),
        nilsimsa: comparison.nilsimsa(settings.threshold),
        thresholds: (THRESHOLD_FROM..=SCORE_MAX)
            .map(|threshold| ThresholdRow {
                threshold,
                matrix: comparison.nilsimsa(threshold),
            })
            .collect(),
        examples: found
            .into_iter()
            .map(|(_, one, other)| example(&prepared[one], &prepared[other]))
            .collect(),
        unused,
    })
}

fn check(settings: &CompareSettings) -> Result<(), LabError> {
    if settings.threshold < -SCORE_MAX || settings.threshold > SCORE_MAX {
        let what = format!(
            "a Nilsimsa score is from -{SCORE_MAX} to {SCORE_MAX}: no threshold is {}",
            settings.threshold
        );
        return Err(LabError::Setting { what });
    }
    Ok(())
}

/// The verdicts of all pairs added up, and the worst false positives.
fn all_pairs(
    pages: &[(Sampled, Prepared)],
    settings: &CompareSettings,
) -> (Comparison, Vec<Found>) {
    let none = || (Comparison::new(), Vec::new());
    (0..pages.len())
        .into_par_iter()
        .map(|at| {
            let (mut comparison, mut found) = none();
            for before in 0..at {
                let [(one, a), (other, b)] = [&pages[before], &pages[at]];
                if settings.is_elsewhere && one.site == other.site {
                    continue;
                }
                let verdict = Verdict::of(a, b);
                comparison.add(verdict);
                if !verdict.is_copy && verdict.score >= settings.threshold {
                    found.push((Reverse(verdict.score), before, at));
                }
            }
            (comparison, worst(found))
        })
        .reduce(none, |(mut comparison, mut found), (other, more)| {
            comparison.merge(&other);
            found.extend(more);
            (comparison, worst(found))
        })
}

/// The first in the order of all, whichever thread they come from.
fn worst(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_unstable();
    found.truncate(EXAMPLES_MAX);
    found
}

fn example(one: &(Sampled, Prepared), other: &(Sampled, Prepared)) -> FalsePositive {
    let (score, chunks) = one.1.nearest(&other.1);
    let side = |url: &str, chunk: &str| (url.to_owned(), chunk.to_owned());
    FalsePositive {
        score,
        sides: [side(&one.0.url, chunks[0]), side(&other.0.url, chunks[1])],
    }
}
