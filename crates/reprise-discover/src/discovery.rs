//! Discovery over a whole corpus, a range of fingerprints at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;
use reprise_store::{ALL_PREFIXES, Corpus, LabelRow, LabelsWriter, Level, StoreError};

use crate::config::{CountBy, DiscoverConfig};
use crate::stop::StopCounts;
use crate::{chunks, files};
use reprise_store::{PageRef, SiteNumbers, page_names};

/// What discovery found.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// Chunks or files.
    pub level: Level,
    /// What was counted.
    pub count: CountBy,
    /// Objects with a higher count are labelled.
    pub threshold: u64,
    /// All objects.
    pub objects: u64,
    /// Distinct ones.
    pub distinct: u64,
    /// Distinct ones that were labelled.
    pub labeled: u64,
    /// Distinct ones that are stop chunks.
    pub stop: StopCounts,
    /// For each count, how many distinct objects have it, stop chunks included; by count.
    pub frequency: Vec<(u64, u64)>,
    /// The highest count that was not over the threshold, stop chunks left out: how near it was missed.
    pub nearest: u64,
    /// The labelled objects with the highest counts, highest first.
    pub top: Vec<TopObject>,
}

/// One of the most frequent objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopObject {
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// Characters of a chunk, bytes of a file.
    pub chars: u64,
    /// Occurrences, pages, sites.
    pub counts: [u64; 3],
    /// The page that had it first.
    pub first: PageRef,
}

/// An object that is or may be over the threshold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) chars: u64,
    pub(crate) counts: [u64; 3],
    pub(crate) is_stop: bool,
    /// Is the number of sites still to be found out?
    pub(crate) is_open: bool,
    /// The earliest page: by time, then by place in the corpus.
    pub(crate) first: (i64, PageRef),
}

impl Entry {
    pub(crate) const NOWHERE: (i64, PageRef) = (
        i64::MAX,
        PageRef {
            segment: u32::MAX,
            page: u32::MAX,
        },
    );
}

/// How many objects have each count. Nearly all counts are small.
#[derive(Default)]
pub(crate) struct Frequency {
    small: Vec<u64>,
    large: BTreeMap<u64, u64>,
}

impl Frequency {
    const SMALL: u64 = 1024;

    #[inline]
    fn add(&mut self, count: u64, objects: u64) {
        if count >= Self::SMALL {
            *self.large.entry(count).or_default() += objects;
            return;
        }
        if self.small.is_empty() {
            self.small = vec![0; Self::SMALL as usize];
        }
        self.small[count as usize] += objects;
    }

    /// Counts that occur, in order.
    fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let small = (0..).zip(self.small.iter().copied());
        let large = self.large.iter().map(|(&count, &objects)| (count, objects));
        small.filter(|&(_, objects)| objects > 0).chain(large)
    }
}

/// What a range of fingerprints tells.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) distinct: u64,
    pub(crate) stop: StopCounts,
    pub(crate) frequency: Frequency,
    pub(crate) nearest: u64,
    /// Sorted by fingerprint.
    pub(crate) labeled: Vec<Entry>,
}

impl Part {
    /// Counts an object whose count is known.
    pub(crate) fn count(&mut self, count: u64, is_stop: bool, threshold: u64) {
        self.frequency.add(count, 1);
        if !is_stop && count <= threshold {
            self.nearest = self.nearest.max(count);
        }
    }
}

/// What a range cannot hold in memory is tried again in halves.
pub(crate) enum Ranged {
    Done(Part),
    TooMany,
}

/// Finds what occurs too often.
///
/// Input: a corpus. Output: figures, and the labels into `labels`, sorted. Errors: only of the
/// corpus and of writing the labels. Memory: within [`DiscoverConfig::memory_bytes`], by taking smaller
/// ranges of fingerprints, each of which costs another scan.
pub fn discover(
    corpus: &Corpus,
    config: &DiscoverConfig,
    mut labels: Option<&mut LabelsWriter>,
) -> Result<Discovery, StoreError> {
    let table = match config.level {
        Level::Chunk => "chunks",
        Level::File => "pages",
    };
    let segments = &corpus.manifest().segments;
    let objects = segments.iter().map(|segment| segment.rows(table)).sum();
    let threshold = config.threshold.number(config.level, config.count, objects);
    let mut sites = SiteNumbers::default();
    let mut total = Part::default();
    let mut top = Top::new(config.top);
    let mut labeled = 0;
    let mut ranges = vec![ALL_PREFIXES];
    while let Some(range) = ranges.pop() {
        let part = match config.level {
            Level::Chunk => chunks::discover(corpus, config, threshold, range.clone(), &mut sites),
            Level::File => files::discover(corpus, config, threshold, range.clone(), &mut sites),
        };
        let Ranged::Done(part) = part? else {
            ranges.extend(halves(&range));
            continue;
        };
        total.distinct += part.distinct;
        total.stop.add(part.stop);
        total.nearest = total.nearest.max(part.nearest);
        for (count, number) in part.frequency.iter() {
            total.frequency.add(count, number);
        }
        for entry in &part.labeled {
            top.offer(config.count.of(entry.counts), entry);
        }
        labeled += part.labeled.len() as u64;
        if let Some(labels) = labels.as_deref_mut() {
            write_labels(corpus, config.level, part.labeled, labels)?;
        }
    }
    Ok(Discovery {
        level: config.level,
        count: config.count,
        threshold,
        objects,
        distinct: total.distinct,
        labeled,
        stop: total.stop,
        frequency: total.frequency.iter().collect(),
        nearest: total.nearest,
        top: top.into_objects(),
    })
}

/// A range in two; the lower half last, which is taken next: labels are written in order.
pub(crate) fn halves(range: &RangeInclusive<u64>) -> [RangeInclusive<u64>; 2] {
    let middle = u64::midpoint(*range.start(), *range.end());
    [middle + 1..=*range.end(), *range.start()..=middle]
}

/// The most frequent objects; of equal ones, the lowest fingerprints.
struct Top {
    size: usize,
    heap: BinaryHeap<Reverse<(u64, Reverse<Fingerprint>)>>,
    entries: BTreeMap<Fingerprint, TopObject>,
}

impl Top {
    fn new(size: usize) -> Top {
        Top {
            size,
            heap: BinaryHeap::new(),
            entries: BTreeMap::new(),
        }
    }

    fn offer(&mut self, count: u64, entry: &Entry) {
        let key = (count, Reverse(entry.fingerprint));
        if self.heap.len() == self.size {
            match self.heap.peek() {
                Some(Reverse(least)) if *least < key => {
                    if let Some(Reverse((_, Reverse(dropped)))) = self.heap.pop() {
                        self.entries.remove(&dropped);
                    }
                }
                _ => return,
            }
        }
        self.heap.push(Reverse(key));
        let object = TopObject {
            fingerprint: entry.fingerprint,
            chars: entry.chars,
            counts: entry.counts,
            first: entry.first.1,
        };
        self.entries.insert(entry.fingerprint, object);
    }

    fn into_objects(mut self) -> Vec<TopObject> {
        let sorted = self.heap.into_sorted_vec();
        sorted
            .iter()
            .filter_map(|Reverse((_, Reverse(fingerprint)))| self.entries.remove(fingerprint))
            .collect()
    }
}

/// Writes labels with the page that had each first.
fn write_labels(
    corpus: &Corpus,
    level: Level,
    entries: Vec<Entry>,
    labels: &mut LabelsWriter,
) -> Result<(), StoreError> {
    let pages: Vec<PageRef> = entries.iter().map(|entry| entry.first.1).collect();
    let names = page_names(corpus, &pages)?;
    for (entry, (url, site)) in entries.into_iter().zip(names) {
        labels.push(LabelRow {
            fingerprint: entry.fingerprint,
            level,
            chars: entry.chars,
            counts: Some(entry.counts),
            name: String::new(),
            url,
            site,
            fetched: (entry.first.0 != i64::MAX).then_some(entry.first.0),
        })?;
    }
    Ok(())
}
