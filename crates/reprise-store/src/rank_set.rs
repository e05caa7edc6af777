//! Some ranks of a segment, and the place of each among them.

/// A set of ranks: two bits for each rank of the segment, so that a look at a chunk seldom
/// leaves the processor's cache.
pub struct RankSet {
    words: Vec<Word>,
}

#[derive(Clone, Copy, Default)]
struct Word {
    /// A bit for each of 64 ranks.
    bits: u64,
    /// How many ranks of the set come before these.
    before: u32,
}

impl RankSet {
    /// The set of these ranks, in a segment with so many fingerprints.
    pub fn new(fingerprints: u64, ranks: impl IntoIterator<Item = u32>) -> RankSet {
        let mut words = vec![Word::default(); fingerprints.div_ceil(64) as usize];
        for rank in ranks {
            words[rank as usize / 64].bits |= 1 << (rank % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.before = before;
            before += word.bits.count_ones();
        }
        RankSet { words }
    }

    /// The place of a rank among those of the set, if it is in it.
    #[inline]
    pub fn place(&self, rank: i64) -> Option<usize> {
        let (before, is_in) = self.look(rank);
        is_in.then_some(before as usize)
    }

    /// How many ranks of the set come before this one, and whether it is in the set itself: without a
    /// branch, so that the processor can look at many chunks at once.
    #[inline]
    pub fn look(&self, rank: i64) -> (u32, bool) {
        let word = self.words.get(rank as usize / 64);
        let word = word.copied().unwrap_or_default();
        let at = rank as u32 % 64;
        let before = word.before + (word.bits & ((1 << at) - 1)).count_ones();
        (before, word.bits >> at & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::RankSet;

    proptest! {
        #[test]
        fn places_are_those_of_a_sorted_list(ranks in proptest::collection::btree_set(0u32..300, 0..80)) {
            let set = RankSet::new(300, ranks.iter().copied());
            let ranks: BTreeSet<u32> = ranks;
            for rank in 0..400 {
                let place = ranks.iter().position(|&other| other == rank);
                prop_assert_eq!(set.place(i64::from(rank)), place);
                let before = ranks.range(..rank).count() as u32;
                if rank < 300 {
                    prop_assert_eq!(set.look(i64::from(rank)), (before, place.is_some()));
                }
            }
            prop_assert_eq!(set.place(-1), None);
        }
    }
}
