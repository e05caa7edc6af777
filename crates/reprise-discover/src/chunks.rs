//! Discovery of chunks: a merge of the segments' fingerprints, then one scan of their chunks for what
//! the merge cannot tell.

use std::ops::RangeInclusive;

use reprise_store::{Corpus, Counted, Merged, RankSet, Segment, StoreError, TableReader};

use crate::config::{CountBy, DiscoverConfig};
use crate::discovery::{Entry, Part, Ranged};
use reprise_store::{PageRef, SegmentPages, SiteNumbers};

/// What an entry takes of memory, its places in the segments and the text of its label included.
const ENTRY_BYTES: usize = 320;

pub(crate) fn discover(
    corpus: &Corpus,
    config: &DiscoverConfig,
    threshold: u64,
    prefixes: RangeInclusive<u64>,
    sites: &mut SiteNumbers,
) -> Result<Ranged, StoreError> {
    let budget = config.memory_bytes / 2;
    let mut part = Part::default();
    let mut entries: Vec<Entry> = Vec::new();
    // Entry of each rank, by segment.
    let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); corpus.manifest().segments.len()];
    let counted = match config.count {
        CountBy::Occurrences => Counted::Occurrences,
        CountBy::Pages => Counted::Pages,
        CountBy::Sites => Counted::Sites,
    };
    let mut merged = Merged::new(corpus, prefixes.clone(), counted, config.memory_bytes / 4);
    let is_splittable = prefixes.start() < prefixes.end();
    while let Some(row) = merged.next_row()? {
        part.distinct += 1;
        let stop = config
            .stop
            .reason(row.fingerprint(), row.chars(), row.is_visible());
        if let Some(reason) = stop {
            part.stop.count(reason);
        }
        let count = row.count();
        let is_open = row.parts().len() > 1;
        // Sites of several segments cannot be added up; how many there are is found out below.
        let is_counted = !(is_open && config.count == CountBy::Sites);
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
        if entry.is_open && config.count == CountBy::Sites {
            part.count(entry.counts[2], entry.is_stop, threshold);
        }
    }
    entries.retain(|entry| !entry.is_stop && config.count.of(entry.counts) > threshold);
    part.labeled = entries;
    Ok(Ranged::Done(part))
}

/// Finds the first page of each entry, and the sites of those that several segments have. False when
/// there are too many of these.
fn scan(
    segment: &Segment<'_>,
    number: u32,
    places: &[(u32, u32)],
    sites: &mut SiteNumbers,
    entries: &mut [Entry],
    open_sites: &mut OpenSites,
) -> Result<bool, StoreError> {
    // Places are in the order of fingerprints, which is that of ranks.
    let wanted = RankSet::new(
        segment.summary().rows("fingerprints"),
        places.iter().map(|&(rank, _)| rank),
    );
    let known = SegmentPages::read(segment, sites)?;
    let table = segment.chunks()?;
    let mut pages = ChunkPages::read(segment, &table)?;
    let mut ranks = table.scan_ints("rank");
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

/// The page of each chunk, asked in their order: by how many chunks each page has, since few chunks
/// are asked for and reading a page number for each takes longer than all the rest.
struct ChunkPages {
    chunks: Vec<u32>,
    page: usize,
    /// Chunks up to the end of the page at hand.
    end: u64,
}

impl ChunkPages {
    fn read(segment: &Segment<'_>, table: &TableReader) -> Result<ChunkPages, StoreError> {
        let pages = segment.pages()?;
        let mut scan = pages.scan_ints("chunks");
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
                // Not lost: where the range cannot be split, there is room for more after all.
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
