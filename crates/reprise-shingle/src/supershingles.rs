//! Shingles of two documents, compared.

use crate::rabin::Rabin;
use crate::{SHINGLES, SUPERSHINGLES, Shingles, polynomials};

static RUNS: Rabin = Rabin::new(polynomials::SUPERSHINGLES);

/// Shingles in a run.
const RUN: usize = SHINGLES / SUPERSHINGLES;

/// The supershingles: a fingerprint of each run of 14 shingles, `0..14`, `14..28` and so on.
///
/// Documents that agree in a whole run agree in its supershingle, so an index of single numbers
/// finds them.
pub fn supershingles(shingles: &Shingles) -> [u64; SUPERSHINGLES] {
    let (runs, _) = shingles.as_chunks::<RUN>();
    let mut fingerprints = [RUNS.empty(); SUPERSHINGLES];
    // All runs side by side: the processor need not wait for one to go on with another.
    for at in 0..RUN {
        for (fingerprint, run) in fingerprints.iter_mut().zip(runs) {
            *fingerprint = RUNS.extend_8(*fingerprint, run[at]);
        }
    }
    fingerprints
}

/// In how many shingles two documents agree, position by position.
///
/// Divided by [`SHINGLES`], that estimates what part of the phrases in either is in both.
#[inline]
pub fn agreement(a: &Shingles, b: &Shingles) -> usize {
    a.iter().zip(b).map(|(a, b)| usize::from(a == b)).sum()
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use proptest::prelude::*;

    use super::*;
    use crate::oracle;

    proptest! {
        #[test]
        fn supershingles_are_of_runs(seed in any::<u64>()) {
            let shingles: Shingles = from_fn(|i| seed.wrapping_mul(2 * i as u64 + 1));
            for (run, found) in shingles.chunks(14).zip(supershingles(&shingles)) {
                let bytes: Vec<u8> = run.iter().flat_map(|shingle| shingle.to_be_bytes()).collect();
                prop_assert_eq!(found, oracle::rabin(polynomials::SUPERSHINGLES, &bytes));
            }
        }
    }

    #[test]
    fn agreement_is_by_position() {
        let a: Shingles = from_fn(|i| i as u64);
        let mut b = a;
        assert_eq!(agreement(&a, &b), SHINGLES);
        b.rotate_left(1);
        assert_eq!(agreement(&a, &b), 0);
        b = a;
        b[3] += 1;
        b[83] = 1 << 63;
        assert_eq!(agreement(&a, &b), SHINGLES - 2);
    }
}
