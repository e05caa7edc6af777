//! A set of ranks of a segment.

/// A set of ranks, which also knows the position of each rank in the sorted set.
///
/// It takes two bits of memory per rank of the segment, so that lookups mostly stay in the processor's
/// cache.
pub struct RankSet {
    words: Vec<Word>,
}

#[derive(Clone, Copy, Default)]
struct Word {
    /// One bit for each of 64 ranks.
    bits: u64,
    /// The number of ranks of the set below these 64.
    before: u32,
}

impl RankSet {
    /// Creates a set of `ranks`, for a segment with `fingerprints` fingerprints.
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

    /// Returns the position of a rank in the sorted set, or `None` if the set does not contain it.
    #[inline]
    pub fn place(&self, rank: i64) -> Option<usize> {
        let (before, is_in) = self.look(rank);
        is_in.then_some(before as usize)
    }

    /// Returns the number of ranks of the set below `rank`, and true if the set contains `rank`.
    ///
    /// The code has no branches, so the processor can work on many lookups at once.
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
        fn lookups_agree_with_a_sorted_list(ranks in proptest::collection::btree_set(0u32..300, 0..80)) {
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
