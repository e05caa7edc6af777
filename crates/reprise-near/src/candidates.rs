//! Finds likely near-copies by sorting, which makes pages that agree in a band adjacent.

use std::borrow::Cow;

use rayon::prelude::*;
use reprise_shingle::{Shingles, agreement};
use reprise_store::{Progress, StoreError};

use crate::bands::Bands;
use crate::sketches::Sketches;
use crate::union::Union;

/// A pair of documents, by number, the lower first.
pub(crate) type Pair = (u32, u32);

/// The most documents of a run whose pairs are collected from all bands before they are compared.
const GATHERED: usize = 16;
/// The number of pairs that are collected at once.
const GATHERED_PAIRS: usize = 1 << 20;
/// The most documents of a run in which all pairs are compared.
const ALL_PAIRS: usize = 4096;
/// The most documents that each document of a longer run is compared with.
const LEADERS: usize = 256;

/// Pairs that are likely near-copies.
#[derive(Default)]
pub(crate) struct Candidates {
    /// The pairs, sorted.
    pub(crate) pairs: Vec<Pair>,
    /// Documents that represent others in long runs, sorted.
    pub(crate) hubs: Vec<u32>,
    /// The number of documents in long runs. Some of their copies may be missed.
    pub(crate) crowded: u64,
}

/// Finds pairs that agree in enough bands and in at least `least` shingles.
///
/// Documents that agree in a band form a run. In a run of very many documents, such as all pages of one
/// template, not all pairs are compared: each document is compared only with the hubs of the run. A document
/// that is unlike all hubs becomes a hub.
pub(crate) fn candidates(
    sketches: &Sketches<'_>,
    documents: u32,
    bands: Bands,
    least: usize,
    memory_bytes: usize,
    progress: &dyn Progress,
) -> Result<Candidates, StoreError> {
    let columns = Columns::new(sketches, documents, bands);
    let mut found = Candidates::default();
    let mut is_crowded = vec![false; documents as usize];
    // Near-copies agree in many bands. Their pairs are collected, so that each pair is compared once.
    let mut gathered: Vec<Pair> = Vec::new();
    let mut distinct = 0;
    columns.for_each(memory_bytes, |_, column| {
        progress.check()?;
        let (few, many): (Vec<&[u64]>, Vec<&[u64]>) =
            column.runs().partition(|run| run.len() <= GATHERED);
        for run in few {
            let documents = run.iter().map(|&entry| column.document(entry));
            for (at, other) in documents.clone().enumerate() {
                gathered.extend(documents.clone().take(at).map(|one| (one, other)));
            }
        }
        if gathered.len() > GATHERED_PAIRS {
            found.pairs.extend(alike(&mut gathered, sketches, least)?);
        }
        for &entry in many.iter().filter(|run| is_long(run)).copied().flatten() {
            is_crowded[column.document(entry) as usize] = true;
        }
        let pairs: Vec<(Vec<Pair>, Vec<u32>)> = many
            .into_par_iter()
            .map(|run| pairs_of(column, run, sketches, least))
            .collect::<Result<_, _>>()?;
        for (pairs, hubs) in pairs {
            found.pairs.extend(pairs);
            found.hubs.extend(hubs);
        }
        if found.pairs.len() > distinct + distinct / 2 + GATHERED_PAIRS {
            dedup(&mut found.pairs);
            distinct = found.pairs.len();
        }
        Ok(())
    })?;
    found.pairs.extend(alike(&mut gathered, sketches, least)?);
    dedup(&mut found.pairs);
    found.hubs.sort_unstable();
    found.hubs.dedup();
    found.crowded = is_crowded.iter().filter(|&&is_crowded| is_crowded).count() as u64;
    Ok(found)
}

/// Empties `gathered`, and returns the distinct pairs that agree in at least `least` shingles.
fn alike(
    gathered: &mut Vec<Pair>,
    sketches: &Sketches<'_>,
    least: usize,
) -> Result<Vec<Pair>, StoreError> {
    dedup(gathered);
    let is_alike = |&(one, other): &Pair| {
        let (one, other) = (sketches.get(one as usize)?, sketches.get(other as usize)?);
        Ok(agreement(&one, &other) >= least)
    };
    gathered
        .par_drain(..)
        .filter_map(|pair| match is_alike(&pair) {
            Ok(is_alike) => is_alike.then_some(Ok(pair)),
            Err(error) => Some(Err(error)),
        })
        .collect()
}

fn dedup(pairs: &mut Vec<Pair>) {
    pairs.par_sort_unstable();
    pairs.dedup();
}

/// Links all documents that agree in enough bands, transitively. Returns the number of links.
pub(crate) fn closure(
    sketches: &Sketches<'_>,
    documents: u32,
    bands: Bands,
    memory_bytes: usize,
    union: &mut Union,
    progress: &dyn Progress,
) -> Result<u64, StoreError> {
    let columns = Columns::new(sketches, documents, bands);
    let mut links = 0;
    columns.for_each(memory_bytes, |number, column| {
        progress.check()?;
        for run in column.runs() {
            // Different bands may have the same key, so the shingles are compared. Each document is linked
            // to the first one that agrees with it.
            let mut firsts: Vec<(u32, Cow<'_, Shingles>)> = Vec::new();
            for document in run.iter().map(|&entry| column.document(entry)) {
                let shingles = sketches.get(document as usize)?;
                let first = firsts
                    .iter()
                    .find(|(_, first)| columns.agree(number, first, &shingles));
                if let Some((first, _)) = first {
                    links += 1;
                    union.link(*first, document);
                } else {
                    firsts.push((document, shingles));
                }
            }
        }
        Ok(())
    })?;
    Ok(links)
}

/// The sets of bands that must agree. Documents are sorted once for each set.
struct Columns<'a> {
    sketches: &'a Sketches<'a>,
    documents: u32,
    bands: Bands,
    /// Each band alone, or all pairs of bands.
    subsets: Vec<Vec<usize>>,
}

impl<'a> Columns<'a> {
    fn new(sketches: &'a Sketches<'a>, documents: u32, bands: Bands) -> Columns<'a> {
        let all = 0..bands.bands;
        let subsets = match bands.agreeing {
            1 => all.map(|band| vec![band]).collect(),
            _ => all
                .clone()
                .flat_map(|first| (first + 1..all.end).map(move |second| vec![first, second]))
                .collect(),
        };
        Columns {
            sketches,
            documents,
            bands,
            subsets,
        }
    }

    /// Calls `see` with each column and its number. Makes as many columns at once as fit in memory.
    fn for_each(
        &self,
        memory_bytes: usize,
        mut see: impl FnMut(usize, &Column) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let column_bytes = self.documents as usize * size_of::<u64>();
        let at_once = (memory_bytes / column_bytes.max(1)).clamp(1, self.subsets.len());
        let mut number = 0;
        for some in self.subsets.chunks(at_once) {
            let mut columns: Vec<Column> =
                some.iter().map(|_| Column::new(self.documents)).collect();
            for document in 0..self.documents {
                let shingles = self.sketches.get(document as usize)?;
                for (column, subset) in columns.iter_mut().zip(some) {
                    column.push(self.key(subset, &shingles), document);
                }
            }
            columns
                .par_iter_mut()
                .for_each(|column| column.entries.sort_unstable());
            for column in &columns {
                see(number, column)?;
                number += 1;
            }
        }
        Ok(())
    }

    /// Hashes some bands. Shingles are random, so simple mixing is enough.
    fn key(&self, subset: &[usize], shingles: &Shingles) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        subset
            .iter()
            .flat_map(|&band| self.bands.band(shingles, band))
            .fold(0, |hash: u64, &shingle| {
                (hash.rotate_left(29) ^ shingle).wrapping_mul(ODD)
            })
    }

    /// Returns true if two documents agree in the bands of a column.
    fn agree(&self, number: usize, one: &Shingles, other: &Shingles) -> bool {
        self.subsets[number]
            .iter()
            .all(|&band| self.bands.band(one, band) == self.bands.band(other, band))
    }
}

/// All documents, sorted by the hash of some bands.
struct Column {
    /// The high bits of the hash, and the document in the low bits. Sorting one number is faster than
    /// sorting a pair. Documents whose high bits agree by chance are separated later.
    entries: Vec<u64>,
    document_bits: u32,
}

impl Column {
    fn new(documents: u32) -> Column {
        Column {
            entries: Vec::with_capacity(documents as usize),
            document_bits: u32::BITS - documents.leading_zeros(),
        }
    }

    fn push(&mut self, key: u64, document: u32) {
        let low = (1 << self.document_bits) - 1;
        self.entries.push(key & !low | u64::from(document));
    }

    fn document(&self, entry: u64) -> u32 {
        (entry & ((1 << self.document_bits) - 1)) as u32
    }

    /// Returns the runs of two or more documents with the same key.
    fn runs(&self) -> impl Iterator<Item = &[u64]> {
        self.entries
            .chunk_by(|a, b| (a ^ b) >> self.document_bits == 0)
            .filter(|run| run.len() > 1)
    }
}

fn is_long(run: &[u64]) -> bool {
    run.len() > ALL_PAIRS
}

/// Returns the pairs of a run that agree in at least `least` shingles, and its hubs if the run is long.
fn pairs_of(
    column: &Column,
    run: &[u64],
    sketches: &Sketches<'_>,
    least: usize,
) -> Result<(Vec<Pair>, Vec<u32>), StoreError> {
    let mut pairs = Vec::new();
    // The documents that later ones are compared with.
    let mut leaders: Vec<(u32, Cow<'_, Shingles>)> = Vec::new();
    let is_short = !is_long(run);
    for document in run.iter().map(|&entry| column.document(entry)) {
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
