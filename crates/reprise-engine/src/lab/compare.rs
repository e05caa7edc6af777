//! Cryptographic hashes compared with Nilsimsa, on all pairs of a sample of a corpus.

use std::cmp::Reverse;

use rayon::prelude::*;
use reprise_lab::CompareOptions;
use reprise_lab::compare::{CompareConfig, Comparison, Prepared, Verdict};
use reprise_lab::nilsimsa::SCORE_MAX;
use reprise_report::results::{
    Confusion, FalsePositive, HashComparison, HashProjection, HashThreshold,
};
use reprise_store::{CorpusReader, Progress, StoreError, Unit};

use super::sample::{Sampled, sample};
use super::{LabError, check_least};

/// The most false positives in the result.
const EXAMPLES_MAX: usize = 5;

/// The lowest threshold in [`HashComparison::thresholds`].
const THRESHOLD_FROM: i32 = 100;

/// The most chunks of a page that are compared.
const CHUNKS_MAX: usize = 1_000;

/// A false positive: its score and the places of its pages in the sample. The highest score sorts first.
type Found = (Reverse<i32>, usize, usize);

/// Compares every page of a sample with every other.
///
/// - Input: a corpus whose archives still exist.
/// - Output: confusion matrices.
/// - Errors: [`LabError`].
/// - Memory: the chunks of the sample.
/// - Threads: those of rayon. The result does not depend on them.
/// - Time: grows with the square of the number of pages and of their chunks. Both are bounded.
pub(super) fn compare(
    corpus: &CorpusReader,
    options: &CompareOptions,
    threads: usize,
    progress: &dyn Progress,
) -> Result<HashComparison, LabError> {
    check(options)?;
    let (drawn, unused) = sample(corpus, threads, options.pages, options.seed, progress)?;
    let drawn_pages = drawn.len();
    let config = CompareConfig {
        form: corpus.chunk_settings().chunk,
        chars_min: options.chars_min,
        words_min: options.words_min,
        chunks_max: CHUNKS_MAX,
    };
    let prepared: Vec<(Sampled, Prepared)> = drawn
        .into_par_iter()
        .filter_map(|sampled| {
            let prepared = Prepared::of(&sampled.page, &config)?;
            Some((sampled, prepared))
        })
        .collect();
    let (comparison, found) = all_pairs(&prepared, options, progress)?;
    if comparison.pairs() == 0 {
        return Err(no_pairs(options));
    }
    let (cryptographic, nilsimsa) = (
        comparison.cryptographic(),
        comparison.nilsimsa(options.threshold),
    );
    Ok(HashComparison {
        corpus: corpus.path().display().to_string(),
        pages: prepared.len() as u64,
        chunks: prepared.iter().map(|(_, page)| page.chunks() as u64).sum(),
        pairs: comparison.pairs(),
        seed: options.seed,
        threshold: options.threshold,
        min_length: options.chars_min as u64,
        words: options.words_min as u64,
        elsewhere: options.is_elsewhere,
        cryptographic,
        nilsimsa,
        projected: (options.project_pages)
            .map(|pages| projection(pages, &cryptographic, &nilsimsa)),
        thresholds: (THRESHOLD_FROM..=SCORE_MAX)
            .map(|threshold| HashThreshold {
                threshold,
                matrix: comparison.nilsimsa(threshold),
            })
            .collect(),
        examples: found
            .into_iter()
            .map(|(_, one, other)| example(&prepared[one], &prepared[other]))
            .collect(),
        without_chunks: (drawn_pages - prepared.len()) as u64,
        cut: prepared.iter().filter(|(_, page)| page.is_cut).count() as u64,
        unused,
    })
}

fn check(options: &CompareOptions) -> Result<(), LabError> {
    check_least("pages", options.pages, 2)?;
    check_least("words_min", options.words_min, 1)?;
    let found = options.threshold;
    if !(-SCORE_MAX..=SCORE_MAX).contains(&found) {
        return Err(LabError::Threshold { found });
    }
    Ok(())
}

fn no_pairs(options: &CompareOptions) -> LabError {
    if options.is_elsewhere {
        LabError::OneSite
    } else {
        LabError::TooFewPages {
            chars_min: options.chars_min,
        }
    }
}

fn projection(pages: u64, cryptographic: &Confusion, nilsimsa: &Confusion) -> HashProjection {
    let expected = |matrix: &Confusion| {
        let rate = matrix.false_positive_rate();
        rate.map(|rate| rate * pages as f64)
    };
    HashProjection {
        pages,
        cryptographic: expected(cryptographic),
        nilsimsa: expected(nilsimsa),
    }
}

/// Counts the verdicts of all pairs, and returns the false positives with the highest scores.
fn all_pairs(
    pages: &[(Sampled, Prepared)],
    options: &CompareOptions,
    progress: &dyn Progress,
) -> Result<(Comparison, Vec<Found>), StoreError> {
    let none = || (Comparison::new(), Vec::new());
    let pairs = pages.len() * pages.len().saturating_sub(1) / 2;
    progress.begin("comparing pages", pairs as u64, Unit::Pairs);
    (0..pages.len())
        .into_par_iter()
        .map(|at| {
            progress.check()?;
            let (mut comparison, mut found) = none();
            for before in 0..at {
                let [(one, a), (other, b)] = [&pages[before], &pages[at]];
                if options.is_elsewhere && one.site == other.site {
                    continue;
                }
                let verdict = Verdict::of(a, b);
                comparison.add(verdict);
                if !verdict.is_copy && verdict.score >= options.threshold {
                    found.push((Reverse(verdict.score), before, at));
                }
            }
            progress.advance(at as u64);
            Ok((comparison, worst(found)))
        })
        .try_reduce(none, |(mut comparison, mut found), (other, more)| {
            comparison.merge(&other);
            found.extend(more);
            Ok((comparison, worst(found)))
        })
}

/// Keeps the first false positives in their order, so that the result does not depend on threads.
fn worst(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_unstable();
    found.truncate(EXAMPLES_MAX);
    found
}

fn example(one: &(Sampled, Prepared), other: &(Sampled, Prepared)) -> FalsePositive {
    let (score, [chunk, with_chunk]) = one.1.nearest(&other.1);
    FalsePositive {
        score,
        url: one.0.url.clone(),
        chunk: chunk.to_owned(),
        with: other.0.url.clone(),
        with_chunk: with_chunk.to_owned(),
    }
}
