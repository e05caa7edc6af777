//! Counts over all segments at once.

use hashbrown::HashSet;

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use crate::merged::{ALL_PREFIXES, Counted, Merged};
use crate::schema::Pages;

/// What the merge takes of memory: a count is not worth more.
const MEMORY_BYTES: usize = 64 << 20;

/// How many distinct chunk fingerprints a corpus has: one merge of the sorted segments.
pub fn count_distinct(corpus: &CorpusReader) -> Result<u64, StoreError> {
    let mut merged = Merged::new(corpus, ALL_PREFIXES, Counted::Occurrences, MEMORY_BYTES);
    let mut count = 0;
    while merged.next_row()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// How many distinct sites the pages of a corpus are on.
pub fn count_sites(corpus: &CorpusReader) -> Result<u64, StoreError> {
    let mut sites: HashSet<Box<[u8]>, foldhash::fast::FixedState> = HashSet::default();
    for segment in corpus.segments() {
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            for site in pages.read(group, Pages::SITE)?.iter() {
                if !site.is_empty() && !sites.contains(site) {
                    sites.insert(site.into());
                }
            }
        }
    }
    Ok(sites.len() as u64)
}
