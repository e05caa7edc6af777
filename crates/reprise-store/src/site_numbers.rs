//! Assigns numbers to sites.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Assigns a number to every site, the same in all segments.
///
/// A corpus has many pages and few sites, so nearly every lookup finds a known site. To stay in the
/// processor's cache, the names are in one buffer and the hash table holds only numbers.
#[derive(Default)]
pub struct SiteNumbers {
    numbers: HashTable<u32>,
    /// All names, concatenated.
    text: Vec<u8>,
    /// The end of each name in `text`.
    ends: Vec<usize>,
    /// The names again, for [`SiteNumbers::name`] to share.
    names: Vec<Arc<str>>,
    hash: FixedState,
}

impl SiteNumbers {
    /// Returns the number of a site. A new site gets the next number.
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

    /// Returns the number of a site, or `None` if the site has no number yet.
    pub fn find(&self, site: &str) -> Option<u32> {
        let hash = self.hash.hash_one(site.as_bytes());
        let is_same = |&number: &u32| name(&self.text, &self.ends, number) == site.as_bytes();
        self.numbers.find(hash, is_same).copied()
    }

    /// Returns the name of the site with this number.
    pub fn name(&self, number: u32) -> Arc<str> {
        Arc::clone(&self.names[number as usize])
    }
}

fn name<'t>(text: &'t [u8], ends: &[usize], number: u32) -> &'t [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}
