//! Shingles that many documents have at the same position.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::KeptDocuments;
use rayon::prelude::*;
use reprise_shingle::SHINGLES;
use reprise_store::{Corpus, StoreError};

/// What counts as popular, and how much is said of it.
#[derive(Clone, Copy, Debug)]
pub struct PopularConfig {
    /// A shingle is popular if so many documents have it.
    pub min_documents: u32,
    /// How many of the most popular are listed.
    pub top: usize,
    /// Documents that are named for each of these, each of another site.
    pub samples: usize,
    /// Bound of memory.
    pub memory_bytes: usize,
}

/// A shingle that many documents have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PopularShingle {
    /// Which of the 84 functions selected it.
    pub function: usize,
    /// Its value.
    pub shingle: u64,
    /// How many documents have it.
    pub documents: u32,
    /// Some that have it, by their number among the kept, each of another site.
    pub samples: Vec<u32>,
}

/// The popular shingles of a corpus.
pub struct Popular {
    /// How many there are.
    pub shingles: u64,
    /// For each number of documents, how many popular shingles have it.
    pub occurrences: BTreeMap<u32, u64>,
    /// How many popular shingles each document has.
    pub per_document: Vec<u8>,
    /// The most popular, most documents first.
    pub top: Vec<PopularShingle>,
}

impl Popular {
    /// Sorts the shingles of each position; a run of equal ones that is long enough is popular.
    ///
    /// Memory: as many positions at a time as fit, each of which takes 16 bytes a document.
    pub fn find(
        corpus: &Corpus,
        kept: &KeptDocuments,
        config: &PopularConfig,
    ) -> Result<Popular, StoreError> {
        let mut popular = Popular {
            shingles: 0,
            occurrences: BTreeMap::new(),
            per_document: vec![0; kept.len()],
            top: Vec::new(),
        };
        let mut top = Top {
            most: config.top,
            heap: BinaryHeap::new(),
        };
        let column = kept.len() * size_of::<(u64, u32)>();
        let at_once = (config.memory_bytes / 2 / column.max(1)).clamp(1, SHINGLES);
        for start in (0..SHINGLES).step_by(at_once) {
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
                column.par_sort_unstable();
                for run in column.chunk_by(|a, b| a.0 == b.0) {
                    if run.len() < config.min_documents as usize {
                        continue;
                    }
                    popular.shingles += 1;
                    *popular.occurrences.entry(run.len() as u32).or_default() += 1;
                    for &(_, document) in run {
                        popular.per_document[document as usize] += 1;
                    }
                    top.offer(function, run, kept, config.samples);
                }
            }
        }
        popular.top = top.into_sorted();
        Ok(popular)
    }

    /// For each number of popular shingles, how many documents have it.
    pub fn histogram(&self) -> Vec<(u8, u64)> {
        let mut counts = BTreeMap::new();
        for &number in &self.per_document {
            *counts.entry(number).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }
}

/// The most popular; of equal ones, those of the lower function, then of the lower value.
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
