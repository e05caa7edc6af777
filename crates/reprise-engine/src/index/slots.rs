//! A hash table from keys to pieces, with prefetching.
//!
//! The table does not fit in the cache, so each look-up waits for memory. If the caller announces a
//! look-up early enough, the memory has arrived when it happens.

use reprise_sys::ZeroedTable;

use super::prefetch::prefetch;

/// The low bits of a slot hold the number of a piece plus one, the high bits a part of its hash.
const NUMBER_BITS: u32 = 22;
const NUMBER_MASK: u32 = (1 << NUMBER_BITS) - 1;

/// A hash table of numbers.
pub(crate) struct Slots {
    /// A power of two slots of four bytes. An empty slot is 0.
    slots: ZeroedTable,
    used: usize,
}

impl Slots {
    /// Creates a table for `capacity` numbers.
    pub(crate) fn new(capacity: usize) -> Slots {
        let count = capacity.max(1).saturating_mul(2).next_power_of_two();
        Slots {
            slots: ZeroedTable::new(count * size_of::<u32>()),
            used: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
        self.used = 0;
    }

    /// Prefetches the slot of a hash.
    #[inline]
    pub(crate) fn expect(&self, hash: u64) {
        prefetch(&self.slots()[self.place(hash)]);
    }

    /// Returns the number that a look-up will most likely find.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> Option<u32> {
        let slot = u32::from_ne_bytes(self.slots()[self.place(hash)]);
        (slot != 0 && slot & !NUMBER_MASK == tag(hash)).then(|| (slot & NUMBER_MASK) - 1)
    }

    /// Returns the number with this hash for which `is_it` is true.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        self.from(hash)
            .map(|at| u32::from_ne_bytes(self.slots()[at]))
            .take_while(|&slot| slot != 0)
            .filter(|&slot| slot & !NUMBER_MASK == tag(hash))
            .map(|slot| (slot & NUMBER_MASK) - 1)
            .find(|&number| is_it(number))
    }

    /// Inserts a number. A full table drops it.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        if self.used >= self.slots().len() / 2 || number >= NUMBER_MASK {
            return;
        }
        let mut places = self.from(hash);
        let (slots, _) = self.slots.as_chunks_mut();
        if let Some(free) = places.find(|&at| slots[at] == [0; 4]) {
            slots[free] = (tag(hash) | (number + 1)).to_ne_bytes();
            self.used += 1;
        }
    }

    /// Returns the slots that a hash can be in, in order.
    #[inline]
    fn from(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots().len() - 1;
        let first = self.place(hash);
        (0..=mask).map(move |step| (first + step) & mask)
    }

    #[inline]
    fn slots(&self) -> &[[u8; 4]] {
        self.slots.as_chunks().0
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.slots().len() - 1)
    }
}

/// Returns the high bits of a hash. The low bits choose the slot.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 & !NUMBER_MASK
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::Slots;

    proptest! {
        #[test]
        fn what_went_in_is_found(
            hashes in vec(prop_oneof![any::<u64>(), 0_u64..20, Just(u64::MAX)], 0..100),
            others in vec(any::<u64>(), 0..20),
            capacity in 0_usize..100,
        ) {
            let mut slots = Slots::new(capacity);
            let room = capacity.max(1).next_power_of_two();
            for _ in 0..2 {
                for (number, &hash) in hashes.iter().enumerate() {
                    slots.expect(hash);
                    let is_it = |found: u32| hashes[found as usize] == hash;
                    let first = hashes.iter().position(|&other| other == hash).unwrap();
                    let expected = (first < number.min(room)).then_some(first as u32);
                    prop_assert_eq!(slots.find(hash, is_it), expected);
                    slots.insert(hash, number as u32);
                }
                for &hash in others.iter().filter(|hash| !hashes.contains(hash)) {
                    prop_assert_eq!(slots.find(hash, |found| hashes[found as usize] == hash), None);
                }
                slots.clear();
            }
        }
    }
}
