//! What discovery and detection need to know of a segment's pages, and no more.

use std::sync::Arc;

use hashbrown::HashMap;
use reprise_store::{AsBytes, Segment, StoreError};

/// A page of a corpus: index of its segment, and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageRef {
    /// Index of the segment.
    pub segment: u32,
    /// Row of the page.
    pub page: u32,
}

/// Gives every site one number over all segments.
#[derive(Default)]
pub struct SiteNumbers {
    numbers: HashMap<Box<[u8]>, u32, foldhash::fast::FixedState>,
    names: Vec<Arc<str>>,
}

impl SiteNumbers {
    /// The number of a site.
    pub fn number(&mut self, site: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(site) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(String::from_utf8_lossy(site).into());
        self.numbers.insert(site.into(), number);
        number
    }

    /// The site with this number.
    pub fn name(&self, number: u32) -> Arc<str> {
        Arc::clone(&self.names[number as usize])
    }
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

/// Gives URL and site of some pages of a segment to `take`. The pages asked for must not fall.
pub fn read_names(
    segment: &Segment<'_>,
    pages: impl IntoIterator<Item = u32>,
    mut take: impl FnMut(String, String),
) -> Result<(), StoreError> {
    let table = segment.pages()?;
    let mut group = 0;
    let mut first = 0;
    let mut open = None;
    for page in pages {
        loop {
            let rows = if let Some((urls, _)) = &open {
                Vec::len(urls)
            } else {
                let columns = (table.texts(group, "url")?, table.texts(group, "site")?);
                open.insert(columns).0.len()
            };
            if (page as usize) < first + rows {
                break;
            }
            first += rows;
            group += 1;
            open = None;
        }
        if let Some((urls, sites)) = &open {
            let text = |bytes: &reprise_store::ByteArray| {
                String::from_utf8_lossy(bytes.as_bytes()).into_owned()
            };
            let row = page as usize - first;
            take(text(&urls[row]), text(&sites[row]));
        }
    }
    Ok(())
}
