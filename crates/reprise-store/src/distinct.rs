//! Counts over all segments at once.

use hashbrown::HashSet;
use parquet::data_type::AsBytes;

use crate::corpus::Corpus;
use crate::error::StoreError;
use crate::merged::{ALL_PREFIXES, Counted, Merged};

/// What the merge takes of memory: a count is not worth more.
const MEMORY_BYTES: usize = 64 << 20;

/// How many distinct chunk fingerprints a corpus has: one merge of the sorted segments.
pub fn count_distinct(corpus: &Corpus) -> Result<u64, StoreError> {
    let mut merged = Merged::new(corpus, ALL_PREFIXES, Counted::Occurrences, MEMORY_BYTES);
    let mut count = 0;
    while merged.next_row()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// How many distinct sites the pages of a corpus are on.
pub fn count_sites(corpus: &Corpus) -> Result<u64, StoreError> {
    let mut sites: HashSet<Box<[u8]>, foldhash::fast::FixedState> = HashSet::default();
    for segment in corpus.segments() {
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            for site in pages.texts(group, "site")? {
                if !site.is_empty() && !sites.contains(site.as_bytes()) {
                    sites.insert(site.as_bytes().into());
                }
            }
        }
    }
    Ok(sites.len() as u64)
}
