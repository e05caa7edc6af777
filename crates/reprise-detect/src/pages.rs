//! The share of each page that is labelled, and where it seems to come from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use reprise_fingerprint::Fingerprint;
use reprise_store::SiteNumbers;
use reprise_store::{AsBytes, ByteArray, Labels, Segment, StoreError, TableReader};

use crate::config::DetectConfig;
use crate::marks::{Hit, Marked, Marks};
use crate::prefix::directory;
use crate::sorted_runs::SortedRuns;
use crate::sources::LabelSources;

/// What detection found of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageResult {
    /// Its URL.
    pub url: String,
    /// Its site; empty where it has none.
    pub site: Arc<str>,
    /// Labelled chunks by chunks; nothing for a page with no chunk, or too few.
    pub contains: Option<f64>,
    /// Labelled chunks, repeats counted.
    pub matched: u64,
    /// Chunks, repeats counted, stop chunks left out.
    pub chunks: u64,
    /// Is the file as a whole labelled?
    pub file_matched: bool,
    /// A page of the other site that most of the labelled chunks come from.
    pub source_url: Option<Arc<str>>,
    /// That site.
    pub source_site: Option<Arc<str>>,
    /// When the page was fetched.
    pub fetched: Option<i64>,
    /// When that page of the source was fetched.
    pub source_fetched: Option<i64>,
}

impl PageResult {
    /// Which side is older, so likely the original: `source` or `copy`.
    pub fn older(&self) -> Option<&'static str> {
        let (here, there) = (self.fetched?, self.source_fetched?);
        match here.cmp(&there) {
            std::cmp::Ordering::Less => Some("copy"),
            std::cmp::Ordering::Greater => Some("source"),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// How much one site has of another's labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePair {
    /// The site that has it.
    pub copier: Arc<str>,
    /// The site that the labels come from.
    pub source: Arc<str>,
    /// Labelled chunks, repeats counted.
    pub chunks: u64,
    /// Pages with one or more of them.
    pub pages: u64,
}

/// What is collected over all segments.
pub(crate) struct PageScan<'l> {
    labels: &'l Labels,
    config: &'l DetectConfig,
    sites: SiteNumbers,
    sources: LabelSources,
    /// Sites of the labels, where they are to be left out.
    own_sites: HashSet<u32, foldhash::fast::FixedState>,
    /// A bit for each row of the labels.
    seen: Vec<u64>,
    pairs: HashMap<(u32, u32), (u64, u64), foldhash::fast::FixedState>,
    pub(crate) matched_chunks: u64,
    pub(crate) matched_files: u64,
    /// Pages left out because the labels come from their site.
    pub(crate) own_pages: u64,
}

impl<'l> PageScan<'l> {
    pub(crate) fn new(
        labels: &'l Labels,
        config: &'l DetectConfig,
    ) -> Result<PageScan<'l>, StoreError> {
        let mut sites = SiteNumbers::default();
        let sources = LabelSources::read(labels, &mut sites)?;
        let mut own_sites = HashSet::default();
        if config.elsewhere {
            own_sites.extend(sources.iter().map(|source| source.site));
            // Pages without a site are nobody's own.
            own_sites.remove(&sites.number(b""));
        }
        Ok(PageScan {
            labels,
            config,
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

    /// Scans a segment; gives its pages, in order, a group at a time, and their directories to `runs`.
    pub(crate) fn segment(
        &mut self,
        segment: &Segment<'_>,
        runs: &mut SortedRuns,
        give: &mut dyn FnMut(Vec<PageResult>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let cursor = self.labels.cursor_within(self.config.memory_bytes / 4);
        let marks = Marks::merge(segment, cursor, &self.config.stop, &self.sources)?;
        let pages = segment.pages()?;
        let mut chunks = Chunks::new(segment.chunks()?, &marks);
        let mut seen = vec![0; marks.labels().div_ceil(64) as usize];
        let mut lies_in = String::new();
        for group in 0..pages.groups() {
            let columns = PageColumns::read(&pages, group)?;
            let mut results = Vec::with_capacity(columns.urls.len());
            for row in 0..columns.urls.len() {
                let site = self.sites.number(columns.sites[row].as_bytes());
                let own = self.own_sites.contains(&site);
                let seen = (!own).then_some(&mut seen);
                let found = page(&mut chunks, columns.chunks[row] as usize, seen)?;
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
                    .map(|label| self.sources.of(marks.row(label)));
                let is_counted = found.chunks >= self.config.min_chunks.max(1);
                let url = text(&columns.urls[row]);
                directory(&url, &text(&columns.hosts[row]), &mut lies_in);
                if is_counted && !lies_in.is_empty() {
                    runs.push(&lies_in, found.matched, found.chunks)?;
                }
                results.push(PageResult {
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
            give(results)?;
        }
        for label in
            (0..marks.labels()).filter(|&label| seen[label as usize / 64] >> (label % 64) & 1 != 0)
        {
            self.see(marks.row(label));
        }
        Ok(())
    }

    fn see(&mut self, row: u64) {
        self.seen[row as usize / 64] |= 1 << (row % 64);
    }

    pub(crate) fn labels_seen(&self) -> u64 {
        self.seen
            .iter()
            .map(|bits| u64::from(bits.count_ones()))
            .sum()
    }

    /// Counts pairs of sites; returns the label that stands for the other site with most chunks.
    fn attribute(&mut self, site: u32, by_site: &[(u32, u64, u32)]) -> Option<u32> {
        let others = by_site.iter().filter(|(source, _, _)| *source != site);
        for &(source, chunks, _) in others.clone() {
            let pair = self.pairs.entry((site, source)).or_default();
            pair.0 += chunks;
            pair.1 += 1;
        }
        // Of equal ones, the label that comes first.
        others
            .max_by_key(|(_, chunks, label)| (*chunks, std::cmp::Reverse(*label)))
            .map(|&(_, _, label)| label)
    }

    /// Which site has how much of which: most chunks first.
    pub(crate) fn site_pairs(&self) -> Vec<SitePair> {
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
                copier,
                source,
                chunks,
                pages,
            })
            .collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.chunks));
        pairs
    }
}

/// What a page's chunks are.
#[derive(Default)]
struct Found {
    matched: u64,
    chunks: u64,
    /// Labelled chunks by the site of the label, with the first such label.
    by_site: Vec<(u32, u64, u32)>,
}

impl Found {
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

/// Counts the chunks of one page, and notes the labels in `seen`, a bit for each.
fn page(
    chunks: &mut Chunks<'_>,
    count: usize,
    mut seen: Option<&mut Vec<u64>>,
) -> Result<Found, StoreError> {
    let mut found = Found::default();
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

/// The columns of a group of pages that detection needs.
struct PageColumns {
    urls: Vec<ByteArray>,
    hosts: Vec<ByteArray>,
    sites: Vec<ByteArray>,
    fetched: Vec<Option<i64>>,
    chunks: Vec<i64>,
    fingerprints: Vec<Fingerprint>,
}

impl PageColumns {
    fn read(table: &TableReader, group: usize) -> Result<PageColumns, StoreError> {
        Ok(PageColumns {
            urls: table.texts(group, "url")?,
            hosts: table.texts(group, "host")?,
            sites: table.texts(group, "site")?,
            fetched: table.optional_ints(group, "fetched")?,
            chunks: table.ints(group, "chunks")?,
            fingerprints: table.fingerprints(group, "fingerprint")?,
        })
    }
}

/// The chunks of a segment, one after another.
struct Chunks<'m> {
    table: TableReader,
    marks: &'m Marks,
    next_group: usize,
    ranks: Vec<i64>,
    marked: Marked,
    /// Chunks before this one are done, and so are hits before that.
    chunk: usize,
    hit: usize,
}

impl<'m> Chunks<'m> {
    fn new(table: TableReader, marks: &'m Marks) -> Chunks<'m> {
        Chunks {
            table,
            marks,
            next_group: 0,
            ranks: Vec::new(),
            marked: Marked::default(),
            chunk: 0,
            hit: 0,
        }
    }

    /// The next chunks, one or more but not over `most`: those that are labelled, and for each whether
    /// it is a stop chunk.
    fn next(&mut self, most: usize) -> Result<(&[Hit], &[u8]), StoreError> {
        while self.chunk == self.marked.stops.len() {
            (self.table).ints_into(self.next_group, "rank", &mut self.ranks)?;
            self.marks.look(&self.ranks, &mut self.marked);
            self.next_group += 1;
            (self.chunk, self.hit) = (0, 0);
        }
        let end = self.marked.stops.len().min(self.chunk + most);
        let stops = &self.marked.stops[self.chunk..end];
        let hits = &self.marked.hits[self.hit..];
        let hits = &hits[..(hits.iter())
            .position(|hit| hit.chunk as usize >= end)
            .unwrap_or(hits.len())];
        self.chunk = end;
        self.hit += hits.len();
        Ok((hits, stops))
    }
}

fn text(bytes: &ByteArray) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.as_bytes())
}
