//! Discovery of chunks: merges the fingerprints of all segments, then scans the chunks of the candidates
//! for their sites and first pages.

use std::ops::RangeInclusive;

use reprise_report::results::CountBy;
use reprise_store::schema::{Chunks, Fingerprints, Pages};
use reprise_store::{
    CorpusReader, Counted, Merged, PageRef, Progress, RankSet, Segment, SegmentPages, SiteNumbers,
    StoreError, TableReader,
};

use crate::discovery::{Entry, Part, Ranged};
use crate::options::DiscoverOptions;

/// The memory of an entry, with its places in the segments and the texts of its label.
const ENTRY_BYTES: usize = 320;

/// Fingerprints that are merged between two checks for cancellation.
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
    let budget = memory_bytes / 2;
    let mut part = Part::default();
    let mut entries: Vec<Entry> = Vec::new();
    // The entry of each rank, by segment.
    let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); corpus.manifest().segments.len()];
    let counted = match options.count {
        CountBy::Occurrences => Counted::Occurrences,
        CountBy::Pages => Counted::Pages,
        CountBy::Sites => Counted::Sites,
    };
    let mut merged = Merged::new(corpus, prefixes.clone(), counted, memory_bytes / 4);
    let is_splittable = prefixes.start() < prefixes.end();
    while let Some(row) = merged.next_row()? {
        part.distinct += 1;
        if part.distinct.is_multiple_of(ROWS_PER_CHECK) {
            progress.check()?;
            progress.advance(ROWS_PER_CHECK);
        }
        let stop = options
            .stop
            .reason(row.fingerprint(), row.chars(), row.is_visible());
        if let Some(reason) = stop {
            part.stop.count(reason);
        }
        let count = row.count();
        let is_open = row.parts().len() > 1;
        // Numbers of sites cannot be added up over segments. The scan below counts them.
        let is_counted = !(is_open && options.count == CountBy::Sites);
        if is_counted {
            part.count(count, stop.is_some(), threshold);
        }
        if is_counted && (stop.is_some() || count <= threshold) {
            continue;
        }
        let index = entries.len() as u32;
        entries.push(Entry {
            fingerprint: *row.fingerprint(),
            chars: row.chars(),
            counts: row.counts(),
            is_stop: stop.is_some(),
            is_open,
            first: Entry::NOWHERE,
        });
        for (segment, rank) in row.parts() {
            places[segment as usize].push((rank, index));
        }
        if entries.len() * ENTRY_BYTES > budget && is_splittable {
            return Ok(Ranged::TooMany);
        }
    }
    let mut open_sites = OpenSites {
        pairs: Vec::new(),
        limit: (budget / 4 / size_of::<u64>()).max(1 << 16),
    };
    for (number, segment) in corpus.segments().enumerate() {
        if places[number].is_empty() {
            continue;
        }
        progress.check()?;
        let fits = scan(
            &segment,
            number as u32,
            &places[number],
            sites,
            &mut entries,
            &mut open_sites,
        )?;
        if !fits && is_splittable {
            return Ok(Ranged::TooMany);
        }
    }
    open_sites.close(&mut entries);
    for entry in &entries {
        if entry.is_open && options.count == CountBy::Sites {
            part.count(entry.counts[2], entry.is_stop, threshold);
        }
    }
    entries.retain(|entry| !entry.is_stop && options.count.of(entry.counts) > threshold);
    part.labeled = entries;
    Ok(Ranged::Done(part))
}

/// Finds the first page of each entry, and the sites of the entries that several segments have. Returns
/// false if there are too many such sites.
fn scan(
    segment: &Segment<'_>,
    number: u32,
    places: &[(u32, u32)],
    sites: &mut SiteNumbers,
    entries: &mut [Entry],
    open_sites: &mut OpenSites,
) -> Result<bool, StoreError> {
    // The places are in the order of fingerprints, and therefore of ranks.
    let wanted = RankSet::new(
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
            let Some(place) = wanted.place(rank) else {
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

/// Finds the page of a chunk, for ascending chunks. Counts the chunks of each page: few chunks are asked
/// for, and reading a page number for each chunk would take longer than everything else.
struct ChunkPages {
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
                detail: format!("its pages have {total} chunks, not {}", table.rows()),
            });
        }
        Ok(ChunkPages {
            end: chunks.first().copied().map_or(0, u64::from),
            chunks,
            page: 0,
        })
    }

    fn page_of(&mut self, row: u64) -> usize {
        while row >= self.end {
            self.page += 1;
            self.end += u64::from(self.chunks[self.page]);
        }
        self.page
    }
}

/// Pairs of an entry and a site that has it.
struct OpenSites {
    pairs: Vec<u64>,
    limit: usize,
}

impl OpenSites {
    fn push(&mut self, index: u32, site: u32) -> bool {
        let pair = u64::from(index) << 32 | u64::from(site);
        if self.pairs.last() == Some(&pair) {
            return true;
        }
        if self.pairs.len() >= self.limit {
            self.pairs.sort_unstable();
            self.pairs.dedup();
            if self.pairs.len() > self.limit / 2 {
                // If the range cannot be split, the pair must not be lost.
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
