//! Counts distinct fingerprints and sites over all segments.

use hashbrown::HashSet;

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use crate::merged::{ALL_PREFIXES, Counted, Merged};
use crate::progress::Progress;
use crate::schema::Pages;

/// The memory for the merge. A count does not justify more.
const MEMORY_BYTES: usize = 64 << 20;

/// The number of rows between two checks of the progress.
const ROWS_PER_CHECK: u64 = 1 << 16;

/// Counts the distinct chunk fingerprints of a corpus, with one merge of the sorted segments.
pub fn count_distinct(corpus: &CorpusReader, progress: &dyn Progress) -> Result<u64, StoreError> {
    let mut merged = Merged::new(corpus, ALL_PREFIXES, Counted::Occurrences, MEMORY_BYTES);
    let mut count = 0;
    while merged.next_row()?.is_some() {
        count += 1;
        if count % ROWS_PER_CHECK == 0 {
            progress.check()?;
        }
    }
    Ok(count)
}

/// Counts the distinct sites of the pages of a corpus.
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
