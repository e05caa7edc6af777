//! Checks the counts of fingerprints against the chunks.
//!
//! Only the counts of a range of ranks are in memory. If not all ranks fit in memory, the chunks are scanned
//! several times.

use std::ops::Range;

use hashbrown::HashMap;
use reprise_fingerprint::Fingerprint;

use super::rows::Rows;
use crate::error::StoreError;
use crate::schema::{Chunks, Fingerprints, Pages};
use crate::segment::Segment;
use crate::table::{GROUP_ROWS, TableReader};

/// The memory of a rank: its counts in the table, the counts of its chunks, and its last page.
const RANK_BYTES: usize = 2 * size_of::<Count>() + size_of::<u32>();

/// Checks the order of the fingerprints and all counts except sites.
pub(super) fn check_counts(segment: &Segment<'_>, memory_bytes: usize) -> Result<(), StoreError> {
    let table = segment.fingerprints()?;
    let groups_at_once = (memory_bytes / RANK_BYTES / GROUP_ROWS).max(1);
    let mut first_rank = 0;
    let mut last: Option<Fingerprint> = None;
    for start in (0..table.groups()).step_by(groups_at_once) {
        let groups = start..(start + groups_at_once).min(table.groups());
        check_order(&table, groups.clone(), &mut last)?;
        let stated = stated(&table, groups)?;
        let ranks = first_rank..first_rank + stated.len() as i64;
        let found = counted(segment, &ranks)?;
        let differs = stated.iter().zip(&found).position(|(a, b)| a != b);
        if let Some(at) = differs {
            let rank = first_rank + at as i64;
            let detail = format!("the counts at rank {rank} differ from the chunks");
            return Err(table.file().damaged(&detail));
        }
        first_rank = ranks.end;
    }
    Ok(())
}

/// Checks that the fingerprints of these groups are sorted and that their chunks have characters.
fn check_order(
    table: &TableReader<Fingerprints>,
    groups: Range<usize>,
    last: &mut Option<Fingerprint>,
) -> Result<(), StoreError> {
    for group in groups {
        for fingerprint in table.read(group, Fingerprints::FINGERPRINT)? {
            if last.is_some_and(|last| last >= fingerprint) {
                return Err(table
                    .file()
                    .damaged(&format!("{fingerprint} is not in sorted order")));
            }
            *last = Some(fingerprint);
        }
        let chars = table.read(group, Fingerprints::CHARS)?;
        if let Some(chars) = chars.into_iter().find(|&chars| chars < 1) {
            return Err(table
                .file()
                .damaged(&format!("a chunk has {chars} characters")));
        }
    }
    Ok(())
}

/// The counts of one fingerprint.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Count {
    occurrences: i64,
    pages: i64,
    first_chunk: i64,
}

const NONE: Count = Count {
    occurrences: 0,
    pages: 0,
    first_chunk: -1,
};

/// Reads the counts of these groups from the table.
fn stated(
    table: &TableReader<Fingerprints>,
    groups: Range<usize>,
) -> Result<Vec<Count>, StoreError> {
    let mut counts = Vec::new();
    for group in groups {
        let occurrences = table.read(group, Fingerprints::OCCURRENCES)?;
        let pages = table.read(group, Fingerprints::PAGES)?;
        let first_chunks = table.read(group, Fingerprints::FIRST_CHUNK)?;
        let rows = occurrences.into_iter().zip(pages).zip(first_chunks);
        counts.extend(rows.map(|((occurrences, pages), first_chunk)| Count {
            occurrences,
            pages,
            first_chunk,
        }));
    }
    Ok(counts)
}

/// Counts the chunks of each of the `ranks`.
fn counted(segment: &Segment<'_>, ranks: &Range<i64>) -> Result<Vec<Count>, StoreError> {
    let length = (ranks.end - ranks.start) as usize;
    let mut counts = vec![NONE; length];
    let mut last_page = vec![u32::MAX; length];
    let chunks = segment.chunks()?;
    let mut rows = Rows::new(&chunks, [Chunks::PAGE, Chunks::RANK]);
    let mut number = 0;
    while let Some([page, rank]) = rows.next()? {
        if ranks.contains(&rank) {
            let at = (rank - ranks.start) as usize;
            let count = &mut counts[at];
            if count.occurrences == 0 {
                count.first_chunk = number;
            }
            count.occurrences += 1;
            // The chunks are in page order.
            if last_page[at] != page as u32 {
                last_page[at] = page as u32;
                count.pages += 1;
            }
        }
        number += 1;
    }
    Ok(counts)
}

/// Checks the number of sites of each fingerprint, and of the segment. The number of pages must be checked
/// already.
pub(super) fn check_sites(segment: &Segment<'_>, memory_bytes: usize) -> Result<(), StoreError> {
    let (page_sites, distinct) = page_sites(segment)?;
    let stated = segment.summary().sites;
    if distinct != stated {
        let detail = format!("pages on {distinct} sites, but the manifest counts {stated}");
        return Err(StoreError::damaged(&segment.file::<Pages>(), detail));
    }
    let table = segment.fingerprints()?;
    let mut rows = Rows::new(&table, [Fingerprints::PAGES, Fingerprints::SITES]);
    let mut range = SiteRange::default();
    while let Some([pages, sites]) = rows.next()? {
        if range.memory_bytes() + pages as usize * size_of::<u32>() > memory_bytes {
            range.check(&table, segment, &page_sites)?;
        }
        range.push(pages, sites);
    }
    range.check(&table, segment, &page_sites)
}

/// Returns the number of each page's site, 0 for a page without a site, and the number of sites.
fn page_sites(segment: &Segment<'_>) -> Result<(Vec<u32>, u64), StoreError> {
    let mut numbers: HashMap<Box<[u8]>, u32, foldhash::fast::FixedState> = HashMap::default();
    let mut sites = Vec::new();
    let pages = segment.pages()?;
    for group in 0..pages.groups() {
        for site in pages.read(group, Pages::SITE)?.iter() {
            let next = numbers.len() as u32 + 1;
            sites.push(match site {
                [] => 0,
                site => match numbers.get(site) {
                    Some(&number) => number,
                    None => *numbers.entry(site.into()).or_insert(next),
                },
            });
        }
    }
    Ok((sites, numbers.len() as u64))
}

/// A range of ranks whose sites are counted together.
#[derive(Default)]
struct SiteRange {
    first_rank: i64,
    /// The number of sites of each rank in the table.
    stated: Vec<i64>,
    /// The number of pages of each rank and of all ranks before it in the range.
    ends: Vec<usize>,
}

impl SiteRange {
    fn memory_bytes(&self) -> usize {
        let pages = self.ends.last().copied().unwrap_or(0);
        let each =
            size_of::<i64>() + size_of::<usize>() + 2 * size_of::<u32>() + size_of::<usize>();
        pages * size_of::<u32>() + self.ends.len() * each
    }

    fn push(&mut self, pages: i64, sites: i64) {
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.push(end + pages as usize);
        self.stated.push(sites);
    }

    /// Compares the range with the chunks, and begins the next range.
    fn check(
        &mut self,
        table: &TableReader<Fingerprints>,
        segment: &Segment<'_>,
        page_sites: &[u32],
    ) -> Result<(), StoreError> {
        let sites = self.sites(segment, page_sites)?;
        let mut seen_for = vec![u32::MAX; page_sites.len() + 1];
        let mut start = 0;
        for (at, (&end, &stated)) in self.ends.iter().zip(&self.stated).enumerate() {
            let mut found = 0;
            for &site in &sites[start..end] {
                let seen_for = &mut seen_for[site as usize];
                found += i64::from(*seen_for != at as u32);
                *seen_for = at as u32;
            }
            start = end;
            if found != stated {
                let rank = self.first_rank + at as i64;
                let detail =
                    format!("rank {rank} is on {found} sites, but the table says {stated}");
                return Err(table.file().damaged(&detail));
            }
        }
        *self = SiteRange {
            first_rank: self.first_rank + self.ends.len() as i64,
            ..SiteRange::default()
        };
        Ok(())
    }

    /// Returns the sites of the pages of each rank, grouped by rank.
    fn sites(&self, segment: &Segment<'_>, page_sites: &[u32]) -> Result<Vec<u32>, StoreError> {
        let mut sites = vec![0; self.ends.last().copied().unwrap_or(0)];
        let mut filled: Vec<usize> = [0].into_iter().chain(self.ends.iter().copied()).collect();
        let mut last_page = vec![u32::MAX; self.ends.len()];
        let chunks = segment.chunks()?;
        let mut rows = Rows::new(&chunks, [Chunks::PAGE, Chunks::RANK]);
        while let Some([page, rank]) = rows.next()? {
            let at = usize::try_from(rank - self.first_rank).unwrap_or(usize::MAX);
            if at < self.ends.len() && last_page[at] != page as u32 {
                last_page[at] = page as u32;
                sites[filled[at]] = page_sites[page as usize];
                filled[at] += 1;
            }
        }
        Ok(sites)
    }
}
