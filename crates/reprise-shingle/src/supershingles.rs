//! Compares the shingles of two documents.

use crate::rabin::Rabin;
use crate::{SHINGLES, SUPERSHINGLES, Shingles, polynomials};

static RUNS: Rabin = Rabin::new(polynomials::SUPERSHINGLES);

/// The number of shingles in a run.
const RUN: usize = SHINGLES / SUPERSHINGLES;

/// Returns the supershingles: the fingerprints of the runs of 14 shingles, `0..14`, `14..28` and so on.
///
/// Documents that agree in a whole run have the same supershingle, so an index of single numbers finds
/// them.
pub fn supershingles(shingles: &Shingles) -> [u64; SUPERSHINGLES] {
    let (runs, _) = shingles.as_chunks::<RUN>();
    let mut fingerprints = [RUNS.empty(); SUPERSHINGLES];
    // The runs are independent, so the processor works on all of them at the same time.
    for at in 0..RUN {
        for (fingerprint, run) in fingerprints.iter_mut().zip(runs) {
            *fingerprint = RUNS.extend_8(*fingerprint, run[at]);
        }
    }
    fingerprints
}

/// Returns the number of positions at which two documents have the same shingle.
///
/// Divided by [`SHINGLES`], it estimates the share of phrases in either document that are in both.
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
        fn supershingles_are_fingerprints_of_runs(seed in any::<u64>()) {
            let shingles: Shingles = from_fn(|i| seed.wrapping_mul(2 * i as u64 + 1));
            for (run, found) in shingles.chunks(14).zip(supershingles(&shingles)) {
                let bytes: Vec<u8> = run.iter().flat_map(|shingle| shingle.to_be_bytes()).collect();
                prop_assert_eq!(found, oracle::rabin(polynomials::SUPERSHINGLES, &bytes));
            }
        }
    }

    #[test]
    fn agreement_compares_positions() {
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
