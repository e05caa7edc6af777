//! Finds pages that have given fingerprints, on different sites.

use std::collections::{BTreeMap, BTreeSet};

use reprise_chunk::Level;
use reprise_fingerprint::Fingerprint;
use reprise_store::schema::{Chunks, Fingerprints, Pages};
use reprise_store::{
    CorpusReader, PageRef, RankSet, Segment, SegmentPages, SiteNumbers, StoreError, page_names,
};

/// A page that has a chunk or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The page.
    pub page: PageRef,
    /// The URL of the page.
    pub url: String,
    /// The site of the page.
    pub site: String,
    /// The byte range of the chunk in the page's text, or an empty range for a whole file.
    pub span: std::ops::Range<usize>,
}

/// Returns up to `each` occurrences of each fingerprint, on different sites, in corpus order.
pub fn occurrences(
    corpus: &CorpusReader,
    level: Level,
    fingerprints: &[Fingerprint],
    each: usize,
) -> Result<Vec<Vec<Occurrence>>, StoreError> {
    let wanted: BTreeMap<Fingerprint, usize> = fingerprints.iter().copied().zip(0..).collect();
    let mut found = Found {
        each,
        sites: SiteNumbers::default(),
        seen: vec![BTreeSet::new(); fingerprints.len()],
        places: vec![Vec::new(); fingerprints.len()],
    };
    for (number, segment) in corpus.segments().enumerate() {
        match level {
            Level::Chunk => found.chunks(&segment, number as u32, &wanted)?,
            Level::File => found.files(&segment, number as u32, &wanted)?,
        }
    }
    found.named(corpus)
}

/// The occurrences that were found so far.
struct Found {
    /// The most occurrences of each object.
    each: usize,
    sites: SiteNumbers,
    /// The sites that each object was found on.
    seen: Vec<BTreeSet<u32>>,
    /// The pages of each object, with the span in the text.
    places: Vec<Vec<(PageRef, std::ops::Range<usize>)>>,
}

impl Found {
    /// Adds an occurrence, unless the object has enough of them or one on the same site.
    fn offer(&mut self, index: usize, site: u32, page: PageRef, span: std::ops::Range<usize>) {
        if self.places[index].len() < self.each && self.seen[index].insert(site) {
            self.places[index].push((page, span));
        }
    }

    /// Adds the occurrences of chunks in a segment. `wanted` maps each fingerprint to its place in the result.
    fn chunks(
        &mut self,
        segment: &Segment<'_>,
        number: u32,
        wanted: &BTreeMap<Fingerprint, usize>,
    ) -> Result<(), StoreError> {
        let mut places: Vec<(u32, usize)> = Vec::new();
        let table = segment.fingerprints()?;
        let mut first = 0;
        for group in 0..table.groups() {
            let fingerprints = table.read(group, Fingerprints::FINGERPRINT)?;
            if let (Some(low), Some(high)) = (fingerprints.first(), fingerprints.last()) {
                for (fingerprint, &index) in wanted.range(*low..=*high) {
                    if let Ok(at) = fingerprints.binary_search(fingerprint) {
                        places.push(((first + at) as u32, index));
                    }
                }
            }
            first += fingerprints.len();
        }
        if places.is_empty() {
            return Ok(());
        }
        let ranks = RankSet::new(table.rows(), places.iter().map(|&(rank, _)| rank));
        let known = SegmentPages::read(segment, &mut self.sites)?;
        let chunks = segment.chunks()?;
        let mut column = Vec::new();
        for group in 0..chunks.groups() {
            chunks.ints_into(group, Chunks::RANK, &mut column)?;
            let found: Vec<(usize, usize)> = column
                .iter()
                .enumerate()
                .filter_map(|(row, &rank)| Some((row, places[ranks.place(rank)?].1)))
                .collect();
            if found.is_empty() {
                continue;
            }
            let pages = chunks.indices(group, Chunks::PAGE, known.sites.len())?;
            let starts = chunks.read(group, Chunks::START)?;
            let lengths = chunks.read(group, Chunks::LENGTH)?;
            for (row, index) in found {
                let page = PageRef {
                    segment: number,
                    page: pages[row] as u32,
                };
                let start = starts[row] as usize;
                let site = known.sites[pages[row]];
                self.offer(index, site, page, start..start + lengths[row] as usize);
            }
        }
        Ok(())
    }

    /// Adds the occurrences of files in a segment. `wanted` has the index of each fingerprint.
    fn files(
        &mut self,
        segment: &Segment<'_>,
        number: u32,
        wanted: &BTreeMap<Fingerprint, usize>,
    ) -> Result<(), StoreError> {
        let known = SegmentPages::read(segment, &mut self.sites)?;
        let table = segment.pages()?;
        let mut page = 0;
        for group in 0..table.groups() {
            for fingerprint in table.read(group, Pages::FINGERPRINT)? {
                if let Some(&index) = wanted.get(&fingerprint) {
                    let here = PageRef {
                        segment: number,
                        page,
                    };
                    self.offer(index, known.sites[page as usize], here, 0..0);
                }
                page += 1;
            }
        }
        Ok(())
    }

    /// Returns the occurrences with the URLs of their pages.
    fn named(self, corpus: &CorpusReader) -> Result<Vec<Vec<Occurrence>>, StoreError> {
        let pages: Vec<PageRef> = self
            .places
            .iter()
            .flatten()
            .map(|(page, _)| *page)
            .collect();
        let mut names = page_names(corpus, &pages)?.into_iter();
        let mut occurrence = |(page, span): (PageRef, std::ops::Range<usize>)| {
            let (url, site) = names.next().unwrap_or_default();
            Occurrence {
                page,
                url,
                site,
                span,
            }
        };
        Ok(self
            .places
            .into_iter()
            .map(|places| places.into_iter().map(&mut occurrence).collect())
            .collect())
    }
}
