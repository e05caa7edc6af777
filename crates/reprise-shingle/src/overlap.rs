//! Compares the phrase sets of two documents.

/// The sizes of two phrase sets and of their intersection.
///
/// ```
/// use reprise_shingle::Overlap;
///
/// let overlap = Overlap::of(&[1, 2, 3, 4], &[3, 4, 5]);
/// assert_eq!((overlap.shared, overlap.jaccard()), (2, 0.4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The number of phrases in both sets.
    pub shared: u32,
    /// The number of phrases in the first set.
    pub one: u32,
    /// The number of phrases in the second set.
    pub other: u32,
}

impl Overlap {
    /// Compares two sets, given as sorted slices without duplicates.
    pub fn of(one: &[u64], other: &[u64]) -> Overlap {
        let (mut at, mut to, mut shared) = (0, 0, 0);
        while at < one.len() && to < other.len() {
            let (a, b) = (one[at], other[to]);
            shared += u32::from(a == b);
            at += usize::from(a <= b);
            to += usize::from(b <= a);
        }
        Overlap {
            shared,
            one: one.len() as u32,
            other: other.len() as u32,
        }
    }

    /// Returns the Jaccard similarity: the size of the intersection divided by the size of the union.
    pub fn jaccard(self) -> f64 {
        let all = u64::from(self.one) + u64::from(self.other) - u64::from(self.shared);
        f64::from(self.shared) / all.max(1) as f64
    }

    /// Returns the share of the second set that is in the first.
    pub fn containment(self) -> f64 {
        f64::from(self.shared) / f64::from(self.other.max(1))
    }

    /// Returns the overlap with the two sets swapped.
    #[must_use]
    pub fn turned(self) -> Overlap {
        Overlap {
            one: self.other,
            other: self.one,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Overlap;

    proptest! {
        #[test]
        fn overlaps_are_those_of_sets(
            a in proptest::collection::btree_set(0_u64..40, 0..40),
            b in proptest::collection::btree_set(0_u64..40, 0..40),
        ) {
            let sorted = |set: &BTreeSet<u64>| -> Vec<u64> { set.iter().copied().collect() };
            let found = Overlap::of(&sorted(&a), &sorted(&b));
            let shared = a.intersection(&b).count() as u32;
            let expected = Overlap { shared, one: a.len() as u32, other: b.len() as u32 };
            prop_assert_eq!(found, expected);
            let union = a.union(&b).count().max(1) as f64;
            prop_assert!((found.jaccard() - f64::from(shared) / union).abs() < 1e-12);
            prop_assert!((found.turned().containment() * a.len() as f64 - f64::from(shared)).abs() < 1e-9);
        }
    }
}
