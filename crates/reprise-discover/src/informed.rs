//! Informed discovery: labels from pages that somebody named.

use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;
use reprise_store::{ALL_PREFIXES, Corpus, LabelRow, LabelsWriter, Level, StoreError};

use crate::discovery::halves;
use crate::stop::StopRules;
use reprise_store::{PageRef, SegmentPages, SiteNumbers, page_names};

/// What labelling did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labeled {
    /// Distinct chunks that became labels.
    pub chunks: u64,
    /// Distinct files that became labels.
    pub files: u64,
    /// Distinct chunks that are stop chunks.
    pub stop: u64,
    /// Rows written: a label that several sites have is written once for each.
    pub rows: u64,
}

/// A label on one site, small enough to sort many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    fingerprint: Fingerprint,
    level: Level,
    site: u32,
    fetched: i64,
    page: PageRef,
    chars: u64,
}

/// Writes every chunk and file of a corpus as a label, but for stop chunks and empty files.
///
/// Memory: within `memory_bytes`, by taking a range of fingerprints at a time.
pub fn label(
    corpus: &Corpus,
    name: &str,
    stop: &StopRules,
    memory_bytes: usize,
    labels: &mut LabelsWriter,
) -> Result<Labeled, StoreError> {
    let most = (memory_bytes / 8 / size_of::<Candidate>()).max(1 << 12);
    let mut sites = SiteNumbers::default();
    let mut labeled = Labeled::default();
    let mut ranges = vec![ALL_PREFIXES];
    while let Some(range) = ranges.pop() {
        let Some((candidates, stopped)) = collect(corpus, stop, &range, most, &mut sites)? else {
            ranges.extend(halves(&range));
            continue;
        };
        labeled.stop += stopped;
        for same in candidates.chunk_by(|a, b| (a.fingerprint, a.level) == (b.fingerprint, b.level))
        {
            match same[0].level {
                Level::Chunk => labeled.chunks += 1,
                Level::File => labeled.files += 1,
            }
        }
        labeled.rows += candidates.len() as u64;
        write(corpus, name, &candidates, labels)?;
    }
    Ok(labeled)
}

/// The labels with a prefix in this range, and how many stop chunks there are; nothing when there are
/// more than `most`, unless the range is a single prefix.
fn collect(
    corpus: &Corpus,
    stop: &StopRules,
    range: &RangeInclusive<u64>,
    most: usize,
    sites: &mut SiteNumbers,
) -> Result<Option<(Vec<Candidate>, u64)>, StoreError> {
    let mut candidates = Vec::new();
    let mut stopped = 0;
    for (number, segment) in corpus.segments().enumerate() {
        let known = SegmentPages::read(&segment, sites)?;
        let candidate = |fingerprint, level, page: usize, chars| Candidate {
            fingerprint,
            level,
            site: known.sites[page],
            fetched: known.fetched[page],
            page: PageRef {
                segment: number as u32,
                page: page as u32,
            },
            chars,
        };
        let pages = segment.pages()?;
        let mut page = 0;
        for group in 0..pages.groups() {
            let bytes = pages.ints(group, "bytes")?;
            for (fingerprint, bytes) in pages
                .fingerprints(group, "fingerprint")?
                .into_iter()
                .zip(bytes)
            {
                if bytes > 0 && range.contains(&fingerprint.prefix()) {
                    candidates.push(candidate(fingerprint, Level::File, page, bytes as u64));
                }
                page += 1;
            }
        }
        // Fingerprint and length of each rank that is to become a label.
        let mut wanted: Vec<Option<(Fingerprint, u64)>> = Vec::new();
        let table = segment.fingerprints()?;
        for group in 0..table.groups() {
            let chars = table.ints(group, "chars")?;
            let visible = table.bools(group, "visible")?;
            for (at, fingerprint) in table
                .fingerprints(group, "fingerprint")?
                .into_iter()
                .enumerate()
            {
                let length = chars[at] as u64;
                let is_in = range.contains(&fingerprint.prefix());
                let is_stop = stop.reason(&fingerprint, length, visible[at]).is_some();
                stopped += u64::from(is_in && is_stop);
                wanted.push((is_in && !is_stop).then_some((fingerprint, length)));
            }
        }
        let chunks = segment.chunks()?;
        for group in 0..chunks.groups() {
            let ranks = chunks.ints(group, "rank")?;
            for (page, rank) in chunks.ints(group, "page")?.into_iter().zip(ranks) {
                if let Some((fingerprint, chars)) = wanted[rank as usize] {
                    candidates.push(candidate(fingerprint, Level::Chunk, page as usize, chars));
                }
            }
            if candidates.len() > most {
                dedup(&mut candidates);
                if candidates.len() > most / 2 && range.start() < range.end() {
                    return Ok(None);
                }
            }
        }
    }
    dedup(&mut candidates);
    Ok(Some((candidates, stopped)))
}

/// Of a label on one site, keeps the page that had it first.
fn dedup(candidates: &mut Vec<Candidate>) {
    candidates.sort_unstable();
    candidates.dedup_by_key(|found| (found.fingerprint, found.level, found.site));
}

/// Writes the labels with the names of their pages.
fn write(
    corpus: &Corpus,
    name: &str,
    candidates: &[Candidate],
    labels: &mut LabelsWriter,
) -> Result<(), StoreError> {
    let pages: Vec<PageRef> = candidates.iter().map(|found| found.page).collect();
    let names = page_names(corpus, &pages)?;
    let mut rows: Vec<LabelRow> = candidates
        .iter()
        .zip(names)
        .map(|(found, (url, site))| LabelRow {
            fingerprint: found.fingerprint,
            level: found.level,
            chars: found.chars,
            counts: None,
            name: name.to_owned(),
            url,
            site,
            fetched: (found.fetched != i64::MAX).then_some(found.fetched),
        })
        .collect();
    rows.sort_unstable_by(LabelRow::order);
    rows.into_iter().try_for_each(|row| labels.push(row))
}
