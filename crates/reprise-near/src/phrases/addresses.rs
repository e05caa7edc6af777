//! Reads the IP addresses of pages.

use std::collections::BTreeMap;

use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, PageRef, StoreError};

/// The number of the IP address that each page was fetched from.
pub(super) struct Addresses {
    by_segment: Vec<Vec<u32>>,
}

/// The number of an unknown address.
const UNKNOWN: u32 = u32::MAX;

impl Addresses {
    pub(super) fn read(corpus: &CorpusReader) -> Result<Addresses, StoreError> {
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut by_segment = Vec::new();
        for segment in corpus.segments() {
            let table = segment.pages()?;
            let mut pages = Vec::new();
            for group in 0..table.groups() {
                for address in table.read(group, Pages::IP)?.iter() {
                    pages.push(match address {
                        Some(address) => {
                            let next = numbers.len() as u32;
                            *numbers.entry(address.to_vec()).or_insert(next)
                        }
                        None => UNKNOWN,
                    });
                }
            }
            by_segment.push(pages);
        }
        Ok(Addresses { by_segment })
    }

    /// Returns the number of a page's address, or `None` if it is unknown.
    pub(super) fn of(&self, page: PageRef) -> Option<u32> {
        let number = self.by_segment[page.segment as usize][page.page as usize];
        (number != UNKNOWN).then_some(number)
    }
}
