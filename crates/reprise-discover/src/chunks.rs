//! Discovers chunks: merges the fingerprints of all segments, then scans the chunks of the candidates for
//! their sites and first pages.

use std::ops::RangeInclusive;

use reprise_report::results::CountBy;
use reprise_store::schema::{Chunks, Fingerprints, Pages};
use reprise_store::{
    CorpusReader, Counted, Merged, MergedRow, PageRef, Progress, RankSet, Segment, SegmentPages,
    SiteNumbers, StoreError, TableReader,
};

use crate::discovery::{Entry, Part, Ranged};
use crate::options::DiscoverOptions;

/// The memory of an entry, with its ranks in the segments and the texts of its label.
const ENTRY_BYTES: usize = 320;

/// The number of fingerprints that are merged between two checks for cancellation.
const ROWS_PER_CHECK: u64 = 1 << 18;

/// Discovers the chunks with a fingerprint prefix in `prefixes`.
pub(crate) fn discover(
    corpus: &CorpusReader,
    options: &DiscoverOptions,
    memory_bytes: usize,
    threshold: u64,
    prefixes: RangeInclusive<u64>,
    sites: &mut SiteNumbers,
    progress: &dyn Progress,
) -> Result<Ranged, StoreError> {
    let mut range = Range {
        corpus,
        options,
        threshold,
        memory_bytes,
        is_splittable: prefixes.start() < prefixes.end(),
        part: Part::default(),
        entries: Vec::new(),
        places: vec![Vec::new(); corpus.manifest().segments.len()],
    };
    let fits = range.merge(prefixes, progress)? && range.scan(sites, progress)?;
    if !fits {
        return Ok(Ranged::TooMany);
    }
    Ok(Ranged::Done(range.finish()))
}

/// The discovery of a range of fingerprints: first a merge of all segments, then a scan of each segment.
struct Range<'c> {
    corpus: &'c CorpusReader,
    options: &'c DiscoverOptions,
    threshold: u64,
    memory_bytes: usize,
    /// True if the range has more than one prefix, so that two smaller ranges can replace it.
    is_splittable: bool,
    part: Part,
    /// The chunks that are above the threshold or may be, sorted by fingerprint.
    entries: Vec<Entry>,
    /// For each segment, the ranks of the entries and their indices, sorted.
    places: Vec<Vec<(u32, u32)>>,
}

impl Range<'_> {
    fn budget(&self) -> usize {
        self.memory_bytes / 2
    }

    /// Collects the entries. Returns false if they do not fit in memory and the range can be split.
    fn merge(
        &mut self,
        prefixes: RangeInclusive<u64>,
        progress: &dyn Progress,
    ) -> Result<bool, StoreError> {
        let counted = match self.options.count {
            CountBy::Occurrences => Counted::Occurrences,
            CountBy::Pages => Counted::Pages,
            CountBy::Sites => Counted::Sites,
        };
        let mut merged = Merged::new(self.corpus, prefixes, counted, self.memory_bytes / 4);
        while let Some(row) = merged.next_row()? {
            self.part.distinct += 1;
            if self.part.distinct.is_multiple_of(ROWS_PER_CHECK) {
                progress.check()?;
                progress.advance(ROWS_PER_CHECK);
            }
            self.add(row);
            if self.entries.len() * ENTRY_BYTES > self.budget() && self.is_splittable {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts a chunk, and adds an entry if it is above the threshold or may be.
    #[inline]
    fn add(&mut self, row: MergedRow<'_>) {
        let stop = (self.options.stop).reason(row.fingerprint(), row.chars(), row.is_visible());
        if let Some(reason) = stop {
            self.part.stop.count(reason);
        }
        let count = row.count();
        let is_open = row.parts().len() > 1;
        // Numbers of sites cannot be added up over segments. The scan counts them.
        let is_counted = !(is_open && self.options.count == CountBy::Sites);
        if is_counted {
            self.part.count(count, stop.is_some(), self.threshold);
        }
        if is_counted && (stop.is_some() || count <= self.threshold) {
            return;
        }
        let index = self.entries.len() as u32;
        self.entries.push(Entry {
            fingerprint: *row.fingerprint(),
            chars: row.chars(),
            counts: row.counts(),
            is_stop: stop.is_some(),
            is_open,
            first: Entry::NOWHERE,
        });
        for (segment, rank) in row.parts() {
            self.places[segment as usize].push((rank, index));
        }
    }

    /// Finds the first page of each entry, and the number of sites of the entries that several segments
    /// have. Returns false if these sites do not fit in memory and the range can be split.
    fn scan(
        &mut self,
        sites: &mut SiteNumbers,
        progress: &dyn Progress,
    ) -> Result<bool, StoreError> {
        let mut open_sites = OpenSites {
            pairs: Vec::new(),
            limit: (self.budget() / 4 / size_of::<u64>()).max(1 << 16),
        };
        for (number, segment) in self.corpus.segments().enumerate() {
            let places = &self.places[number];
            if places.is_empty() {
                continue;
            }
            progress.check()?;
            let entries = &mut self.entries;
            let fits = scan_segment(
                &segment,
                number as u32,
                places,
                sites,
                entries,
                &mut open_sites,
            )?;
            if !fits && self.is_splittable {
                return Ok(false);
            }
        }
        open_sites.close(&mut self.entries);
        Ok(true)
    }

    /// Counts the entries whose sites are known now, and keeps those above the threshold.
    fn finish(mut self) -> Part {
        for entry in &self.entries {
            if entry.is_open && self.options.count == CountBy::Sites {
                (self.part).count(entry.counts[2], entry.is_stop, self.threshold);
            }
        }
        (self.entries)
            .retain(|entry| !entry.is_stop && self.options.count.of(entry.counts) > self.threshold);
        self.part.labeled = self.entries;
        self.part
    }
}

/// Finds the first page in a segment of each entry, and the sites of the entries that several segments
/// have. Returns false if there are too many such sites.
fn scan_segment(
    segment: &Segment<'_>,
    number: u32,
    places: &[(u32, u32)],
    sites: &mut SiteNumbers,
    entries: &mut [Entry],
    open_sites: &mut OpenSites,
) -> Result<bool, StoreError> {
    // The places are sorted by rank, because entries are sorted by fingerprint.
    let entry_ranks = RankSet::new(
        segment.summary().rows::<Fingerprints>(),
        places.iter().map(|&(rank, _)| rank),
    );
    let known = SegmentPages::read(segment, sites)?;
    let table = segment.chunks()?;
    let mut pages = ChunkPages::read(segment, &table)?;
    let mut ranks = table.scan_ints(Chunks::RANK);
    let mut first = 0;
    while let Some(ranks) = ranks.next_rows()? {
        for (row, &rank) in (first..).zip(ranks) {
            let Some(place) = entry_ranks.place(rank) else {
                continue;
            };
            let index = places[place].1;
            let entry = &mut entries[index as usize];
            let page = pages.page_of(row);
            let here = PageRef {
                segment: number,
                page: page as u32,
            };
            entry.first = entry.first.min((known.fetched[page], here));
            if entry.is_open && !open_sites.push(index, known.sites[page]) {
                return Ok(false);
            }
        }
        first += ranks.len() as u64;
    }
    Ok(true)
}

/// Finds the page of a chunk, for ascending chunks.
///
/// It adds up the numbers of chunks per page. Only a few chunks are looked up, and reading the page of
/// every chunk would take longer than everything else.
struct ChunkPages {
    /// The number of chunks of each page.
    chunks: Vec<u32>,
    page: usize,
    /// The number of chunks up to the end of `page`.
    end: u64,
}

impl ChunkPages {
    fn read(segment: &Segment<'_>, table: &TableReader<Chunks>) -> Result<ChunkPages, StoreError> {
        let pages = segment.pages()?;
        let mut scan = pages.scan_ints(Pages::CHUNKS);
        let mut chunks = Vec::new();
        while let Some(counts) = scan.next_rows()? {
            chunks.extend(counts.iter().map(|&count| count as u32));
        }
        let total: u64 = chunks.iter().map(|&count| u64::from(count)).sum();
        if total != table.rows() {
            return Err(StoreError::Damaged {
                path: segment.path().to_owned(),
                detail: format!(
                    "its pages have {total} chunks, but its table of chunks has {} rows",
                    table.rows()
                ),
            });
        }
        Ok(ChunkPages {
            end: chunks.first().copied().map_or(0, u64::from),
            chunks,
            page: 0,
        })
    }

    /// Returns the page of the chunk in `row`.
    fn page_of(&mut self, row: u64) -> usize {
        while row >= self.end {
            self.page += 1;
            self.end += u64::from(self.chunks[self.page]);
        }
        self.page
    }
}

/// The sites of the open entries, as pairs of an entry (upper 32 bits) and a site (lower 32 bits).
struct OpenSites {
    pairs: Vec<u64>,
    limit: usize,
}

impl OpenSites {
    /// Adds a pair. Returns false if there are too many distinct pairs.
    fn push(&mut self, index: u32, site: u32) -> bool {
        let pair = u64::from(index) << 32 | u64::from(site);
        if self.pairs.last() == Some(&pair) {
            return true;
        }
        if self.pairs.len() >= self.limit {
            self.pairs.sort_unstable();
            self.pairs.dedup();
            if self.pairs.len() > self.limit / 2 {
                // The pair is kept, because a range that cannot be split continues.
                self.limit *= 2;
                self.pairs.push(pair);
                return false;
            }
        }
        self.pairs.push(pair);
        true
    }

    /// Counts the sites of each open entry.
    fn close(mut self, entries: &mut [Entry]) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for same in self.pairs.chunk_by(|a, b| a >> 32 == b >> 32) {
            entries[(same[0] >> 32) as usize].counts[2] = same.len() as u64;
        }
    }
}
