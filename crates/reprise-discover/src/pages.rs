//! What discovery and detection need to know of a segment's pages, and no more.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use reprise_store::{AsBytes, ByteArray, Corpus, GROUP_ROWS, Segment, StoreError};

/// A page of a corpus: index of its segment, and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageRef {
    /// Index of the segment.
    pub segment: u32,
    /// Row of the page.
    pub page: u32,
}

/// Gives every site one number over all segments.
///
/// A corpus has many pages and few sites, so that nearly every look finds something: the names lie one after the
/// other and the table holds numbers only, which leaves both in the processor's cache.
#[derive(Default)]
pub struct SiteNumbers {
    numbers: HashTable<u32>,
    /// All names, one after the other.
    text: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Each name once more, to be given away.
    names: Vec<Arc<str>>,
    hash: FixedState,
}

impl SiteNumbers {
    /// The number of a site.
    pub fn number(&mut self, site: &[u8]) -> u32 {
        let hash = self.hash.hash_one(site);
        let (text, ends, state) = (&self.text, &self.ends, &self.hash);
        let is_same = |&number: &u32| name(text, ends, number) == site;
        let rehash = |&number: &u32| state.hash_one(name(text, ends, number));
        match self.numbers.entry(hash, is_same, rehash) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let number = self.ends.len() as u32;
                place.insert(number);
                self.text.extend_from_slice(site);
                self.ends.push(self.text.len());
                self.names.push(String::from_utf8_lossy(site).into());
                number
            }
        }
    }

    /// The number of a site that has one.
    pub fn find(&self, site: &str) -> Option<u32> {
        let hash = self.hash.hash_one(site.as_bytes());
        let is_same = |&number: &u32| name(&self.text, &self.ends, number) == site.as_bytes();
        self.numbers.find(hash, is_same).copied()
    }

    /// The site with this number.
    pub fn name(&self, number: u32) -> Arc<str> {
        Arc::clone(&self.names[number as usize])
    }
}

fn name<'t>(text: &'t [u8], ends: &[usize], number: u32) -> &'t [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}

/// Site and fetch time of each page of a segment.
pub struct SegmentPages {
    /// Numbers of the sites.
    pub sites: Vec<u32>,
    /// Milliseconds since 1970; `i64::MAX` where it is not known.
    pub fetched: Vec<i64>,
}

impl SegmentPages {
    /// Reads them.
    pub fn read(
        segment: &Segment<'_>,
        sites: &mut SiteNumbers,
    ) -> Result<SegmentPages, StoreError> {
        let table = segment.pages()?;
        let mut pages = SegmentPages {
            sites: Vec::new(),
            fetched: Vec::new(),
        };
        for group in 0..table.groups() {
            for site in table.texts(group, "site")? {
                pages.sites.push(sites.number(site.as_bytes()));
            }
            for fetched in table.optional_ints(group, "fetched")? {
                pages.fetched.push(fetched.unwrap_or(i64::MAX));
            }
        }
        Ok(pages)
    }
}

/// URL and site of each of these pages. Each group of pages is read once.
pub fn page_names(corpus: &Corpus, pages: &[PageRef]) -> Result<Vec<(String, String)>, StoreError> {
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_unstable_by_key(|&index| pages[index]);
    let mut names = vec![Default::default(); pages.len()];
    let mut rest = order.as_slice();
    for (number, segment) in corpus.segments().enumerate() {
        let here = rest.partition_point(|&index| pages[index].segment as usize <= number);
        let (indices, later) = rest.split_at(here);
        rest = later;
        name_in_segment(&segment, pages, indices, &mut names)?;
    }
    Ok(names)
}

/// Names the pages with these indices, which are of one segment and in its order.
fn name_in_segment(
    segment: &Segment<'_>,
    pages: &[PageRef],
    indices: &[usize],
    names: &mut [(String, String)],
) -> Result<(), StoreError> {
    let table = segment.pages()?;
    let group_of = |index: &usize| pages[*index].page as usize / GROUP_ROWS;
    for indices in indices.chunk_by(|a, b| group_of(a) == group_of(b)) {
        let group = group_of(&indices[0]);
        let (urls, sites) = (table.texts(group, "url")?, table.texts(group, "site")?);
        let text = |bytes: &ByteArray| String::from_utf8_lossy(bytes.as_bytes()).into_owned();
        for &index in indices {
            let row = pages[index].page as usize % GROUP_ROWS;
            names[index] = (text(&urls[row]), text(&sites[row]));
        }
    }
    Ok(())
}
