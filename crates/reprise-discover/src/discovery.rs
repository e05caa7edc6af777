//! Discovers labels in a whole corpus, one range of fingerprints at a time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::RangeInclusive;

use reprise_chunk::{Label, Level, StopCounts};
use reprise_fingerprint::Fingerprint;
use reprise_report::numbers::{count, counted};
use reprise_report::results::{Discovery, TopObject};
use reprise_store::schema::{Chunks, Fingerprints, Pages};
use reprise_store::{
    ALL_PREFIXES, CorpusReader, LabelsWriter, PageRef, Progress, SiteNumbers, StoreError, Unit,
    page_names,
};

use crate::options::{DiscoverOptions, Threshold};
use crate::{chunks, files};

/// A chunk or file that is above the threshold, or may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) chars: u64,
    /// The numbers of occurrences, pages and sites.
    pub(crate) counts: [u64; 3],
    pub(crate) is_stop: bool,
    /// True if the number of sites is not known yet.
    pub(crate) is_open: bool,
    /// The earliest page, by fetch time and then by position in the corpus.
    pub(crate) first: (i64, PageRef),
}

impl Entry {
    /// The initial value of `first`, which is greater than that of any page.
    pub(crate) const NOWHERE: (i64, PageRef) = (
        i64::MAX,
        PageRef {
            segment: u32::MAX,
            page: u32::MAX,
        },
    );
}

/// The number of objects with each count. Nearly all counts are small, so these are in a plain vector.
#[derive(Default)]
pub(crate) struct Frequency {
    small: Vec<u64>,
    large: BTreeMap<u64, u64>,
}

impl Frequency {
    /// The end of the small counts.
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

    /// Returns each count that occurs, in ascending order, with its number of objects.
    fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        let small = (0..).zip(self.small.iter().copied());
        let large = self.large.iter().map(|(&count, &objects)| (count, objects));
        small.filter(|&(_, objects)| objects > 0).chain(large)
    }
}

/// The result for a range of fingerprints.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) distinct: u64,
    pub(crate) stop: StopCounts,
    pub(crate) frequency: Frequency,
    /// The highest count that is not above the threshold, without stop chunks.
    pub(crate) nearest: u64,
    /// The labelled objects, sorted by fingerprint.
    pub(crate) labeled: Vec<Entry>,
}

impl Part {
    /// Adds the counts of another range. Labelled objects are not added.
    fn add(&mut self, part: &Part) {
        self.distinct += part.distinct;
        self.stop.add(part.stop);
        self.nearest = self.nearest.max(part.nearest);
        for (count, number) in part.frequency.iter() {
            self.frequency.add(count, number);
        }
    }

    /// Counts an object whose count is known.
    pub(crate) fn count(&mut self, count: u64, is_stop: bool, threshold: u64) {
        self.frequency.add(count, 1);
        if !is_stop && count <= threshold {
            self.nearest = self.nearest.max(count);
        }
    }
}

/// The outcome for a range of fingerprints.
pub(crate) enum Ranged {
    Done(Part),
    /// The range does not fit in memory and must be split.
    TooMany,
}

/// Finds the chunks or files that occur too often in a corpus.
///
/// Input: a corpus. Output: figures; the labels, sorted, go to `labels`. The texts of the most frequent
/// objects are empty, because the corpus does not contain texts. Errors: those of the corpus and of writing
/// the labels. Memory: within `memory_bytes`. If a range of fingerprints does not fit, it is split in two,
/// and each half costs another scan.
pub fn discover(
    corpus: &CorpusReader,
    options: &DiscoverOptions,
    memory_bytes: usize,
    mut labels: Option<&mut LabelsWriter>,
    progress: &dyn Progress,
) -> Result<Discovery, StoreError> {
    let (objects, rows, unit) = match options.level {
        Level::Chunk => (
            corpus.rows::<Chunks>(),
            corpus.rows::<Fingerprints>(),
            Unit::Rows,
        ),
        Level::File => (corpus.rows::<Pages>(), corpus.rows::<Pages>(), Unit::Pages),
    };
    let threshold = (options.threshold).number(options.level, options.count, objects);
    progress.begin("counting", rows, unit);
    let mut sites = SiteNumbers::default();
    let mut total = Part::default();
    let mut top = Top::new(options.top);
    let mut labeled = 0;
    let mut ranges = vec![ALL_PREFIXES];
    while let Some(range) = ranges.pop() {
        let find = match options.level {
            Level::Chunk => chunks::discover,
            Level::File => files::discover,
        };
        let part = find(
            corpus,
            options,
            memory_bytes,
            threshold,
            range.clone(),
            &mut sites,
            progress,
        )?;
        let Ranged::Done(part) = part else {
            ranges.extend(halves(&range));
            continue;
        };
        total.add(&part);
        for entry in &part.labeled {
            top.offer(options.count.of(entry.counts), entry);
        }
        labeled += part.labeled.len() as u64;
        if let Some(labels) = labels.as_deref_mut() {
            write_labels(corpus, options.level, part.labeled, labels)?;
        }
    }
    let mut found = Discovery {
        level: options.level,
        count: options.count,
        threshold,
        threshold_auto: options.threshold == Threshold::Auto,
        objects,
        distinct: total.distinct,
        labeled,
        stop: total.stop.total(),
        stop_reasons: total.stop,
        nearest: total.nearest,
        frequency: total.frequency.iter().collect(),
        top: top.into_objects(),
        notes: Vec::new(),
    };
    found.notes = why_nothing(&found);
    Ok(found)
}

/// Explains in sentences why no label was found. Returns no sentence if there are labels.
fn why_nothing(found: &Discovery) -> Vec<String> {
    let object = found.level.as_str();
    if found.labeled > 0 {
        return Vec::new();
    }
    if found.objects == 0 {
        return vec![format!("The corpus holds no {object}.")];
    }
    let mut notes = vec![format!(
        "No {object} has more than {}. The most frequent one that is not a stop chunk has {}.",
        counted(found.threshold, found.count.noun()),
        count(found.nearest)
    )];
    if found.stop > 0 {
        let reasons = found.stop_reasons;
        notes.push(format!(
            "Of {} distinct {object}s, {} are stop chunks: {} without visible text, {} too short, {} listed.",
            count(found.distinct),
            count(found.stop),
            count(reasons.no_text),
            count(reasons.short),
            count(reasons.listed)
        ));
    }
    notes
}

/// Splits a range in two. The upper half comes first: the caller takes ranges from the end of a list, and
/// labels are written in ascending order.
pub(crate) fn halves(range: &RangeInclusive<u64>) -> [RangeInclusive<u64>; 2] {
    let middle = u64::midpoint(*range.start(), *range.end());
    [middle + 1..=*range.end(), *range.start()..=middle]
}

/// The most frequent objects. Among equal counts, the lowest fingerprints win.
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

    /// Adds an object if it is among the most frequent ones.
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
        let [occurrences, pages, sites] = entry.counts;
        let object = TopObject {
            fingerprint: entry.fingerprint,
            occurrences,
            pages,
            sites,
            chars: entry.chars,
            category: String::new(),
            reason: String::new(),
            text: String::new(),
            url: None,
            urls: Vec::new(),
        };
        self.entries.insert(entry.fingerprint, object);
    }

    /// Returns the objects, most frequent first.
    fn into_objects(mut self) -> Vec<TopObject> {
        let sorted = self.heap.into_sorted_vec();
        sorted
            .iter()
            .filter_map(|Reverse((_, Reverse(fingerprint)))| self.entries.remove(fingerprint))
            .collect()
    }
}

/// Writes labels with the first page of each.
fn write_labels(
    corpus: &CorpusReader,
    level: Level,
    entries: Vec<Entry>,
    labels: &mut LabelsWriter,
) -> Result<(), StoreError> {
    let pages: Vec<PageRef> = entries.iter().map(|entry| entry.first.1).collect();
    let names = page_names(corpus, &pages)?;
    for (entry, (url, site)) in entries.into_iter().zip(names) {
        labels.push(Label {
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
