//! Counts over all segments at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashSet;
use parquet::data_type::AsBytes;
use reprise_fingerprint::Fingerprint;

use crate::corpus::Corpus;
use crate::error::StoreError;
use crate::table::TableReader;

/// The fingerprints of one segment, one after another, a group of rows in memory at a time.
struct SortedFingerprints {
    table: TableReader,
    next_group: usize,
    group: std::vec::IntoIter<Fingerprint>,
}

impl SortedFingerprints {
    fn next(&mut self) -> Result<Option<Fingerprint>, StoreError> {
        loop {
            if let Some(fingerprint) = self.group.next() {
                return Ok(Some(fingerprint));
            }
            if self.next_group >= self.table.groups() {
                return Ok(None);
            }
            let group = self.table.fingerprints(self.next_group, "fingerprint")?;
            self.group = group.into_iter();
            self.next_group += 1;
        }
    }
}

/// How many distinct chunk fingerprints a corpus has: one merge of the sorted segments.
pub fn count_distinct(corpus: &Corpus) -> Result<u64, StoreError> {
    let mut segments = Vec::new();
    for segment in corpus.segments() {
        segments.push(SortedFingerprints {
            table: segment.fingerprints()?,
            next_group: 0,
            group: Vec::new().into_iter(),
        });
    }
    let mut heads = BinaryHeap::new();
    for (index, segment) in segments.iter_mut().enumerate() {
        if let Some(fingerprint) = segment.next()? {
            heads.push(Reverse((fingerprint, index)));
        }
    }
    let mut count = 0;
    let mut last = None;
    while let Some(Reverse((fingerprint, index))) = heads.pop() {
        if last != Some(fingerprint) {
            count += 1;
            last = Some(fingerprint);
        }
        if let Some(next) = segments[index].next()? {
            heads.push(Reverse((next, index)));
        }
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
