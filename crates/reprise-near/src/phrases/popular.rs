//! Finds shingles that many documents have at the same position.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::KeptDocuments;
use rayon::prelude::*;
use reprise_shingle::SHINGLES;
use reprise_store::{CorpusReader, Progress, StoreError, Unit};

/// A shingle that many documents have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PopularShingle {
    /// The index of the function that selected the shingle: its position among the 84.
    pub(super) function: usize,
    /// The value of the shingle.
    pub(super) shingle: u64,
    /// The number of documents that have it.
    pub(super) documents: u32,
    /// Some of these documents on different sites, as indices of kept documents.
    pub(super) samples: Vec<u32>,
}

/// The popular shingles of a corpus.
pub(super) struct Popular {
    /// The number of popular shingles.
    pub(super) shingles: u64,
    /// The number of popular shingles by number of documents.
    pub(super) occurrences: BTreeMap<u32, u64>,
    /// The number of popular shingles of each document.
    pub(super) per_document: Vec<u8>,
    /// The most popular shingles, most documents first.
    pub(super) top: Vec<PopularShingle>,
}

impl Popular {
    /// Sorts the shingles of each position. A shingle is popular if at least `min_documents` are equal.
    ///
    /// `top` is the number of shingles in [`Popular::top`], and `samples` the number of documents of each.
    /// Memory: 16 bytes per document and position, for as many positions as fit in half of `memory_bytes`.
    pub(super) fn find(
        corpus: &CorpusReader,
        kept: &KeptDocuments,
        min_documents: u32,
        (top, samples): (usize, usize),
        memory_bytes: usize,
        progress: &dyn Progress,
    ) -> Result<Popular, StoreError> {
        progress.begin("counting phrases", SHINGLES as u64, Unit::Rows);
        let mut popular = Popular {
            shingles: 0,
            occurrences: BTreeMap::new(),
            per_document: vec![0; kept.len()],
            top: Vec::new(),
        };
        let mut top = Top {
            most: top,
            heap: BinaryHeap::new(),
        };
        let column = kept.len() * size_of::<(u64, u32)>();
        let at_once = (memory_bytes / 2 / column.max(1)).clamp(1, SHINGLES);
        for start in (0..SHINGLES).step_by(at_once) {
            progress.check()?;
            let functions = start..(start + at_once).min(SHINGLES);
            let mut columns: Vec<Vec<(u64, u32)>> =
                vec![Vec::with_capacity(kept.len()); functions.len()];
            kept.for_each_shingles(corpus, |document, shingles| {
                for (column, &shingle) in columns.iter_mut().zip(&shingles[functions.clone()]) {
                    column.push((shingle, document));
                }
                Ok(())
            })?;
            for (function, mut column) in functions.zip(columns) {
                progress.advance(1);
                column.par_sort_unstable();
                for run in column.chunk_by(|a, b| a.0 == b.0) {
                    if run.len() < min_documents as usize {
                        continue;
                    }
                    popular.shingles += 1;
                    *popular.occurrences.entry(run.len() as u32).or_default() += 1;
                    for &(_, document) in run {
                        popular.per_document[document as usize] += 1;
                    }
                    top.offer(function, run, kept, samples);
                }
            }
        }
        popular.top = top.into_sorted();
        Ok(popular)
    }

    /// Returns the number of documents by number of popular shingles.
    pub(super) fn histogram(&self) -> Vec<(u8, u64)> {
        let mut counts = BTreeMap::new();
        for &number in &self.per_document {
            *counts.entry(number).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }
}

/// Collects the most popular shingles. Among equally popular ones, lower functions win, then lower values.
struct Top {
    most: usize,
    heap: BinaryHeap<Reverse<Ranked>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    documents: u32,
    function: Reverse<usize>,
    shingle: Reverse<u64>,
    samples: Vec<u32>,
}

impl Top {
    /// Adds a shingle if it is among the most popular.
    fn offer(&mut self, function: usize, run: &[(u64, u32)], kept: &KeptDocuments, samples: usize) {
        let mut ranked = Ranked {
            documents: run.len() as u32,
            function: Reverse(function),
            shingle: Reverse(run[0].0),
            samples: Vec::new(),
        };
        let is_full = self.heap.len() >= self.most;
        if is_full && self.heap.peek().is_none_or(|least| ranked < least.0) {
            return;
        }
        let mut seen = Vec::new();
        for &(_, document) in run {
            let site = kept.site(document);
            if !seen.contains(&site) {
                seen.push(site);
                ranked.samples.push(document);
            }
            if seen.len() >= samples {
                break;
            }
        }
        self.heap.push(Reverse(ranked));
        if is_full {
            self.heap.pop();
        }
    }

    fn into_sorted(self) -> Vec<PopularShingle> {
        let sorted = self.heap.into_sorted_vec();
        sorted
            .into_iter()
            .map(|Reverse(ranked)| PopularShingle {
                function: ranked.function.0,
                shingle: ranked.shingle.0,
                documents: ranked.documents,
                samples: ranked.samples,
            })
            .collect()
    }
}
