//! Computes the labelled share of each page, and the site that most of it comes from.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use reprise_chunk::StopRules;
use reprise_fingerprint::Fingerprint;
use reprise_report::results::{Older, PageShare, SitePair, Timestamp};
use reprise_store::schema::{Chunks, Pages};
use reprise_store::{Labels, Progress, Segment, SiteNumbers, StoreError, TableReader, Texts};

use crate::options::DetectOptions;
use crate::prefix::directory;
use crate::segment_labels::{Hit, LookedUp, SegmentLabels};
use crate::sorted_runs::SortedRuns;
use crate::sources::LabelSources;

/// The finding for a page. Pages share their strings.
#[derive(Clone, Debug)]
pub(crate) struct PageFinding {
    pub(crate) url: String,
    /// The site, or an empty string.
    pub(crate) site: Arc<str>,
    /// The share of labelled chunks, or `None` for a page with too few chunks.
    pub(crate) contains: Option<f64>,
    pub(crate) matched: u64,
    pub(crate) chunks: u64,
    pub(crate) file_matched: bool,
    pub(crate) source_url: Option<Arc<str>>,
    pub(crate) source_site: Option<Arc<str>>,
    pub(crate) fetched: Option<i64>,
    pub(crate) source_fetched: Option<i64>,
}

impl PageFinding {
    pub(crate) fn into_share(self) -> PageShare {
        PageShare {
            older: Older::of(self.fetched, self.source_fetched),
            url: self.url,
            contains: self.contains,
            matched: self.matched,
            chunks: self.chunks,
            source_url: self.source_url.as_deref().map(str::to_owned),
            source_site: self.source_site.as_deref().map(str::to_owned),
            fetched: self.fetched.map(Timestamp),
            source_fetched: self.source_fetched.map(Timestamp),
        }
    }
}

/// The state of a scan over all segments.
pub(crate) struct PageScan<'l> {
    labels: &'l Labels,
    options: &'l DetectOptions,
    stop: StopRules,
    memory_bytes: usize,
    sites: SiteNumbers,
    sources: LabelSources,
    /// The sites whose pages are excluded.
    own_sites: HashSet<u32, foldhash::fast::FixedState>,
    /// One bit for each row of the labels, set if the label was found.
    seen: Vec<u64>,
    /// The numbers of chunks and pages of each pair of a copying site and a source site.
    pairs: HashMap<(u32, u32), (u64, u64), foldhash::fast::FixedState>,
    pub(crate) matched_chunks: u64,
    pub(crate) matched_files: u64,
    /// The number of pages that are excluded because labels come from their sites.
    pub(crate) own_pages: u64,
}

impl<'l> PageScan<'l> {
    pub(crate) fn new(
        labels: &'l Labels,
        options: &'l DetectOptions,
        memory_bytes: usize,
    ) -> Result<PageScan<'l>, StoreError> {
        let stop = (options.stop.clone())
            .unwrap_or_else(|| StopRules::new(labels.header().min_length, Vec::new()));
        let mut sites = SiteNumbers::default();
        let sources = LabelSources::read(labels, &mut sites)?;
        let mut own_sites = HashSet::default();
        if options.elsewhere {
            own_sites.extend(sources.iter().map(|source| source.site));
            // Pages without a site are never excluded.
            own_sites.remove(&sites.number(b""));
        }
        Ok(PageScan {
            labels,
            options,
            stop,
            memory_bytes,
            sites,
            sources,
            own_sites,
            seen: vec![0; labels.rows().div_ceil(64) as usize],
            pairs: HashMap::default(),
            matched_chunks: 0,
            matched_files: 0,
            own_pages: 0,
        })
    }

    /// Scans a segment. Calls `give` with the findings of its pages, in order, one row group at a time. Adds
    /// the directories of pages to `runs`.
    pub(crate) fn segment(
        &mut self,
        segment: &Segment<'_>,
        runs: &mut SortedRuns,
        progress: &dyn Progress,
        give: &mut dyn FnMut(Vec<PageFinding>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let cursor = self.labels.cursor_within(self.memory_bytes / 4);
        let labels = SegmentLabels::merge(segment, cursor, &self.stop, &self.sources)?;
        let pages = segment.pages()?;
        let mut chunks = ChunkScan::new(segment.chunks()?, &labels);
        let mut seen = vec![0; labels.labels().div_ceil(64) as usize];
        let mut page_directory = String::new();
        for group in 0..pages.groups() {
            progress.check()?;
            let columns = PageColumns::read(&pages, group)?;
            let mut results = Vec::with_capacity(columns.urls.len());
            for row in 0..columns.urls.len() {
                let site = self.sites.number(&columns.sites[row]);
                let own = self.own_sites.contains(&site);
                let seen = (!own).then_some(&mut seen);
                let found = count_page(&mut chunks, columns.chunks[row] as usize, seen)?;
                if own {
                    self.own_pages += 1;
                    continue;
                }
                self.matched_chunks += found.matched;
                let file_row = self.sources.files.get(&columns.fingerprints[row]).copied();
                self.matched_files += u64::from(file_row.is_some());
                if let Some(row) = file_row {
                    self.see(row);
                }
                let source = self
                    .attribute(site, &found.by_site)
                    .map(|label| self.sources.of(labels.row(label)));
                let is_counted = found.chunks >= self.options.min_chunks.max(1);
                let url = columns.urls.to_str(row);
                directory(&url, &columns.hosts.to_str(row), &mut page_directory);
                if is_counted && !page_directory.is_empty() {
                    runs.push(&page_directory, found.matched, found.chunks)?;
                }
                results.push(PageFinding {
                    url: url.into_owned(),
                    site: self.sites.name(site),
                    contains: is_counted.then(|| found.matched as f64 / found.chunks as f64),
                    matched: found.matched,
                    chunks: found.chunks,
                    file_matched: file_row.is_some(),
                    source_url: source.map(|source| Arc::clone(&source.url)),
                    source_site: source.map(|source| self.sites.name(source.site)),
                    fetched: columns.fetched[row],
                    source_fetched: source.and_then(|source| source.fetched),
                });
            }
            progress.advance(columns.urls.len() as u64);
            give(results)?;
        }
        for label in
            (0..labels.labels()).filter(|&label| seen[label as usize / 64] >> (label % 64) & 1 != 0)
        {
            self.see(labels.row(label));
        }
        Ok(())
    }

    /// Marks a row of the labels as found.
    fn see(&mut self, row: u64) {
        self.seen[row as usize / 64] |= 1 << (row % 64);
    }

    /// Returns the number of rows of the labels that were found.
    pub(crate) fn labels_seen(&self) -> u64 {
        self.seen
            .iter()
            .map(|bits| u64::from(bits.count_ones()))
            .sum()
    }

    /// Counts the pairs of a page's site and the sites that its chunks come from. Returns a label of the
    /// other site that most chunks come from.
    fn attribute(&mut self, site: u32, by_site: &[(u32, u64, u32)]) -> Option<u32> {
        let others = by_site.iter().filter(|(source, _, _)| *source != site);
        for &(source, chunks, _) in others.clone() {
            let pair = self.pairs.entry((site, source)).or_default();
            pair.0 += chunks;
            pair.1 += 1;
        }
        // If several sites have the same number of chunks, the one with the first label wins.
        others
            .max_by_key(|(_, chunks, label)| (*chunks, std::cmp::Reverse(*label)))
            .map(|&(_, _, label)| label)
    }

    /// Returns the pairs of sites, most chunks first. Also returns the number of rings: pairs of sites that
    /// have chunks of each other.
    pub(crate) fn site_pairs(&self) -> (Vec<SitePair>, u64) {
        let is_ring = |&&(copier, source): &&(u32, u32)| {
            copier < source && self.pairs.contains_key(&(source, copier))
        };
        let rings = self.pairs.keys().filter(is_ring).count() as u64;
        let named: BTreeMap<(Arc<str>, Arc<str>), (u64, u64)> = self
            .pairs
            .iter()
            .map(|(&(copier, source), &counts)| {
                ((self.sites.name(copier), self.sites.name(source)), counts)
            })
            .collect();
        let mut pairs: Vec<SitePair> = named
            .into_iter()
            .map(|((copier, source), (chunks, pages))| SitePair {
                copier: copier.to_string(),
                source: source.to_string(),
                chunks,
                pages,
            })
            .collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.chunks));
        (pairs, rings)
    }
}

/// The counts of a page's chunks.
#[derive(Default)]
struct PageCounts {
    /// The number of labelled chunks.
    matched: u64,
    /// The number of chunks without stop chunks.
    chunks: u64,
    /// Each site that labels of the page come from, its number of labelled chunks, and its first label.
    by_site: Vec<(u32, u64, u32)>,
}

impl PageCounts {
    fn add_site(&mut self, site: u32, label: u32) {
        match self.by_site.iter_mut().find(|(seen, _, _)| *seen == site) {
            Some((_, chunks, first)) => {
                *chunks += 1;
                *first = label.min(*first);
            }
            None => self.by_site.push((site, 1, label)),
        }
    }
}

/// Counts the next `count` chunks, which are those of one page. Sets the bits of their labels in `seen`.
fn count_page(
    chunks: &mut ChunkScan<'_>,
    count: usize,
    mut seen: Option<&mut Vec<u64>>,
) -> Result<PageCounts, StoreError> {
    let mut found = PageCounts::default();
    let mut left = count;
    while left > 0 {
        let (hits, stops) = chunks.next(left)?;
        left -= stops.len();
        found.matched += hits.len() as u64;
        let stopped: u64 = stops.iter().map(|&stop| u64::from(stop)).sum();
        found.chunks += stops.len() as u64 - stopped;
        for hit in hits {
            found.add_site(hit.site, hit.label);
            if let Some(seen) = &mut seen {
                seen[hit.label as usize / 64] |= 1 << (hit.label % 64);
            }
        }
    }
    Ok(found)
}

/// The columns of a row group of pages that detection needs.
struct PageColumns {
    urls: Texts,
    hosts: Texts,
    sites: Texts,
    fetched: Vec<Option<i64>>,
    chunks: Vec<i64>,
    fingerprints: Vec<Fingerprint>,
}

impl PageColumns {
    fn read(table: &TableReader<Pages>, group: usize) -> Result<PageColumns, StoreError> {
        Ok(PageColumns {
            urls: table.read(group, Pages::URL)?,
            hosts: table.read(group, Pages::HOST)?,
            sites: table.read(group, Pages::SITE)?,
            fetched: table.read(group, Pages::FETCHED)?,
            chunks: table.read(group, Pages::CHUNKS)?,
            fingerprints: table.read(group, Pages::FINGERPRINT)?,
        })
    }
}

/// Reads the chunks of a segment in order.
struct ChunkScan<'m> {
    table: TableReader<Chunks>,
    labels: &'m SegmentLabels,
    next_group: usize,
    ranks: Vec<i64>,
    looked_up: LookedUp,
    /// The indices of the next chunk and the next hit in `looked_up`.
    chunk: usize,
    hit: usize,
}

impl<'m> ChunkScan<'m> {
    fn new(table: TableReader<Chunks>, labels: &'m SegmentLabels) -> ChunkScan<'m> {
        ChunkScan {
            table,
            labels,
            next_group: 0,
            ranks: Vec::new(),
            looked_up: LookedUp::default(),
            chunk: 0,
            hit: 0,
        }
    }

    /// Reads at least one and at most `most` chunks. Returns the labelled ones, and for each chunk 1 if it is
    /// a stop chunk.
    fn next(&mut self, most: usize) -> Result<(&[Hit], &[u8]), StoreError> {
        while self.chunk == self.looked_up.stops.len() {
            (self.table).ints_into(self.next_group, Chunks::RANK, &mut self.ranks)?;
            self.labels.look_up(&self.ranks, &mut self.looked_up);
            self.next_group += 1;
            (self.chunk, self.hit) = (0, 0);
        }
        let end = self.looked_up.stops.len().min(self.chunk + most);
        let stops = &self.looked_up.stops[self.chunk..end];
        let hits = &self.looked_up.hits[self.hit..];
        let hits = &hits[..(hits.iter())
            .position(|hit| hit.chunk as usize >= end)
            .unwrap_or(hits.len())];
        self.chunk = end;
        self.hit += hits.len();
        Ok((hits, stops))
    }
}
