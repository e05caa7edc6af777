//! A map from keys to lists of numbers, for many millions of short lists.
//!
//! A map of vectors would take four times the memory. Here all lists are in one vector, and each entry
//! has the index of the next. Only 32 bits of a key's hash are stored, so a list may contain entries of
//! another key. Callers compare the results anyway. The hash function is fixed: an attacker can construct
//! colliding keys, but many entries with the same key cost as much and are easier to construct.

/// Marks the last entry of a list.
const END: u32 = u32::MAX;

/// A map from keys to lists of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Postings {
    /// The index of the first entry for each range of hashes. The length is a power of two, or zero.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    value: u32,
    next: u32,
}

impl Postings {
    /// Adds a value to the list of a key.
    pub(crate) fn add(&mut self, key: u64, value: u32) {
        if self.entries.len() == self.heads.len() {
            self.grow();
        }
        let hash = hash(key);
        let head = head(&mut self.heads, hash);
        let place = u32::try_from(self.entries.len())
            .ok()
            .filter(|&place| place != END);
        let place = place.expect("an index holds fewer than 2^32 - 1 entries");
        let next = std::mem::replace(head, place);
        self.entries.push(Entry { hash, value, next });
    }

    /// Returns the values of a key, the newest first. A few may belong to another key.
    pub(crate) fn of(&self, key: u64) -> impl Iterator<Item = u32> {
        let hash = hash(key);
        let mut place = match self.heads.len() {
            0 => END,
            heads => self.heads[range(hash, heads)],
        };
        std::iter::from_fn(move || {
            let entry = *self.entries.get(place as usize)?;
            place = entry.next;
            Some(entry)
        })
        .filter(move |entry| entry.hash == hash)
        .map(|entry| entry.value)
    }

    /// Doubles the number of ranges.
    fn grow(&mut self) {
        let heads = (self.heads.len() * 2).max(1024);
        self.heads = vec![END; heads];
        for (place, entry) in self.entries.iter_mut().enumerate() {
            let head = head(&mut self.heads, entry.hash);
            entry.next = std::mem::replace(head, place as u32);
        }
    }
}

fn head(heads: &mut [u32], hash: u32) -> &mut u32 {
    let range = range(hash, heads.len());
    &mut heads[range]
}

/// Returns the index of the range that a hash belongs to, of `ranges` equal ranges.
const fn range(hash: u32, ranges: usize) -> usize {
    ((hash as u64 * ranges as u64) >> 32) as usize
}

/// Hashes a key. The upper half of the product depends on all bits of the key.
const fn hash(key: u64) -> u32 {
    let key = key ^ key >> 32;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_return_their_values_newest_first() {
        let mut postings = Postings::default();
        assert_eq!(postings.of(7).count(), 0);
        for value in 0..10_000_u32 {
            postings.add(u64::from(value % 2500) << 20, value);
        }
        for key in 0..2500_u32 {
            let expected = [7500, 5000, 2500, 0].map(|round| round + key);
            let found: Vec<u32> = postings.of(u64::from(key) << 20).collect();
            assert_eq!(found, expected);
        }
    }
}
