//! Likely near-copies, found by sorting: pages that agree in a band stand together.

use std::borrow::Cow;

use rayon::prelude::*;
use reprise_shingle::{Shingles, agreement, run_fingerprint};
use reprise_store::StoreError;

use crate::bands::Bands;
use crate::sketches::Sketches;
use crate::union::Union;

/// A pair of documents, by number, the lower first.
pub(crate) type Pair = (u32, u32);

/// Runs up to this many documents are compared each with each.
const ALL_PAIRS: usize = 4096;
/// In longer runs, each document is compared with so many at most.
const LEADERS: usize = 256;

/// Pairs that are likely near-copies.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The pairs, sorted.
    pub(crate) pairs: Vec<Pair>,
    /// Documents that stand for others in runs too long to compare each with each, sorted.
    pub(crate) hubs: Vec<u32>,
    /// Documents of such runs, of which some copies may be missed.
    pub(crate) crowded: u64,
}

/// Finds pairs that agree in enough bands and in `least` shingles or more.
///
/// A run of very many documents, such as all pages with one template, is not compared each with each:
/// each is compared with those that were unlike all before them, the hubs.
pub(crate) fn candidates(
    sketches: &Sketches,
    documents: u32,
    bands: Bands,
    least: usize,
    memory_bytes: usize,
) -> Result<Candidates, StoreError> {
    let keys = subsets(bands);
    let mut found = Candidates::default();
    let mut is_crowded = vec![false; documents as usize];
    let mut distinct = 0;
    for_each_key(sketches, documents, bands, &keys, memory_bytes, |sorted| {
        let runs: Vec<&[(u64, u32)]> = sorted
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|run| run.len() > 1)
            .collect();
        for (_, document) in runs.iter().filter(|run| is_long(run)).copied().flatten() {
            is_crowded[*document as usize] = true;
        }
        let pairs: Vec<(Vec<Pair>, Vec<u32>)> = runs
            .into_par_iter()
            .map(|run| pairs_of(run, sketches, least))
            .collect::<Result<_, _>>()?;
        for (pairs, hubs) in pairs {
            found.pairs.extend(pairs);
            found.hubs.extend(hubs);
        }
        // Pairs that agree in many bands come again and again.
        if found.pairs.len() > distinct + distinct / 2 + (1 << 18) {
            dedup(&mut found.pairs);
            distinct = found.pairs.len();
        }
        Ok(())
    })?;
    dedup(&mut found.pairs);
    found.hubs.sort_unstable();
    found.hubs.dedup();
    found.crowded = is_crowded.iter().filter(|&&is_crowded| is_crowded).count() as u64;
    Ok(found)
}

fn dedup(pairs: &mut Vec<Pair>) {
    pairs.par_sort_unstable();
    pairs.dedup();
}

/// Links all documents that agree in enough bands, and what is linked to these, and so on. Returns how
/// many links there are.
pub(crate) fn closure(
    sketches: &Sketches,
    documents: u32,
    bands: Bands,
    memory_bytes: usize,
    union: &mut Union,
) -> Result<u64, StoreError> {
    let mut links = 0;
    let keys = subsets(bands);
    for_each_key(sketches, documents, bands, &keys, memory_bytes, |sorted| {
        for run in sorted.chunk_by(|a, b| a.0 == b.0) {
            links += run.len() as u64 - 1;
            for other in &run[1..] {
                union.link(run[0].1, other.1);
            }
        }
        Ok(())
    })?;
    Ok(links)
}

/// The bands that must agree together: each alone, or every two.
fn subsets(bands: Bands) -> Vec<Vec<usize>> {
    match bands.wanted {
        1 => (0..bands.bands).map(|band| vec![band]).collect(),
        _ => (0..bands.bands)
            .flat_map(|first| (first + 1..bands.bands).map(move |second| vec![first, second]))
            .collect(),
    }
}

/// Calls `see` with all documents, sorted by what each has in some bands; for each subset of bands.
fn for_each_key(
    sketches: &Sketches,
    documents: u32,
    bands: Bands,
    keys: &[Vec<usize>],
    memory_bytes: usize,
    mut see: impl FnMut(&[(u64, u32)]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let column = documents as usize * size_of::<(u64, u32)>();
    let at_once = (memory_bytes / column.max(1)).clamp(1, keys.len());
    for some in keys.chunks(at_once) {
        let mut columns: Vec<Vec<(u64, u32)>> =
            vec![Vec::with_capacity(documents as usize); some.len()];
        for document in 0..documents {
            let shingles = sketches.get(document as usize)?;
            for (column, subset) in columns.iter_mut().zip(some) {
                column.push((key(bands, subset, &shingles), document));
            }
        }
        columns.par_iter_mut().for_each(|column| sort(column));
        for column in columns {
            see(&column)?;
        }
    }
    Ok(())
}

/// Sorts by key, then by document. Nearly all keys are alone, so it is quicker in two steps.
fn sort(column: &mut [(u64, u32)]) {
    column.sort_unstable_by_key(|&(key, _)| key);
    for run in column.chunk_by_mut(|a, b| a.0 == b.0) {
        if run.len() > 1 {
            run.sort_unstable_by_key(|&(_, document)| document);
        }
    }
}

fn key(bands: Bands, subset: &[usize], shingles: &Shingles) -> u64 {
    run_fingerprint(
        subset
            .iter()
            .flat_map(|&band| bands.band(shingles, band).iter().copied()),
    )
}

fn is_long(run: &[(u64, u32)]) -> bool {
    run.len() > ALL_PAIRS
}

/// The pairs of a run of documents that agree in a band, and its hubs if it is long.
fn pairs_of(
    run: &[(u64, u32)],
    sketches: &Sketches,
    least: usize,
) -> Result<(Vec<Pair>, Vec<u32>), StoreError> {
    let mut pairs = Vec::new();
    // Those that later ones are compared with.
    let mut leaders: Vec<(u32, Cow<'_, Shingles>)> = Vec::new();
    let is_short = !is_long(run);
    for &(_, document) in run {
        let shingles = sketches.get(document as usize)?;
        let mut alike = leaders
            .iter()
            .filter(|(_, other)| agreement(other, &shingles) >= least)
            .map(|(leader, _)| (*leader, document));
        if is_short {
            pairs.extend(alike);
            leaders.push((document, shingles));
        } else if let Some(pair) = alike.next() {
            pairs.push(pair);
        } else if leaders.len() < LEADERS {
            leaders.push((document, shingles));
        }
    }
    let hubs = leaders.iter().map(|&(leader, _)| leader);
    Ok((pairs, if is_short { Vec::new() } else { hubs.collect() }))
}
