//! References to pages of a corpus, and the columns of pages that most stages need.
use crate::corpus::CorpusReader;
use crate::error::StoreError;
use crate::schema::Pages;
use crate::segment::Segment;
use crate::site_numbers::SiteNumbers;
use crate::table::GROUP_ROWS;

/// A reference to a page of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageRef {
    /// The index of the segment in the corpus.
    pub segment: u32,
    /// The row of the page in the segment.
    pub page: u32,
}

/// The site and the fetch time of each page of a segment.
pub struct SegmentPages {
    /// The number of each page's site.
    pub sites: Vec<u32>,
    /// The fetch times in milliseconds since 1970, `i64::MAX` if unknown.
    pub fetched: Vec<i64>,
}

impl SegmentPages {
    /// Reads the columns of a segment. New sites get numbers in `sites`.
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
            for site in table.read(group, Pages::SITE)?.iter() {
                pages.sites.push(sites.number(site));
            }
            for fetched in table.read(group, Pages::FETCHED)? {
                pages.fetched.push(fetched.unwrap_or(i64::MAX));
            }
        }
        Ok(pages)
    }
}

/// Returns the URL and the site of each of the `pages`. Reads each group of rows at most once.
pub fn page_names(
    corpus: &CorpusReader,
    pages: &[PageRef],
) -> Result<Vec<(String, String)>, StoreError> {
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

/// Fills `names` for the `indices` of `pages`. All of these pages are in `segment`, in ascending order.
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
        let urls = table.read(group, Pages::URL)?;
        let sites = table.read(group, Pages::SITE)?;
        for &index in indices {
            let row = pages[index].page as usize % GROUP_ROWS;
            names[index] = (urls.to_str(row).into(), sites.to_str(row).into());
        }
    }
    Ok(())
}
