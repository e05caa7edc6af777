//! Lists of numbers by key, for many millions of short lists.
//!
//! A map of vectors would take four times the memory. Here all lists stand in one vector, each entry
//! with the place of the next. Keys are kept as 32 bits of their hash, so now and then a list has
//! entries of another key: whoever asks has to look at what it finds anyhow. The hash is a fixed one.
//! Somebody can make keys that collide, but that is no worse than many entries of one key, which is
//! easier.

/// No entry comes next.
const END: u32 = u32::MAX;

/// Lists of numbers by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Postings {
    /// Where the list of each range of hashes begins; a power of two of them, or none.
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
        let place = place.expect("an index holds at most four thousand million places in lists");
        let next = std::mem::replace(head, place);
        self.entries.push(Entry { hash, value, next });
    }

    /// The values of a key, the newest first, and seldom one of another key.
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

    /// Doubles the number of lists.
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

/// In which of so many equal ranges a hash falls.
const fn range(hash: u32, ranges: usize) -> usize {
    ((hash as u64 * ranges as u64) >> 32) as usize
}

/// The upper half of a product depends on all bits of the key.
const fn hash(key: u64) -> u32 {
    let key = key ^ key >> 32;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_what_was_added_newest_first() {
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
