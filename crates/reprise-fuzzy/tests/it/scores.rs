//! Compares scores with the oracle.

use proptest::prelude::*;
use reprise_fuzzy::{Digest, score};

use crate::inputs::{Noise, digests};
use crate::oracle;

proptest! {
    #[test]
    fn scores_equal_the_oracle(levels in 1_usize..6, letters in 1_usize..65, seed: u64) {
        let digests = digests(20, levels, letters, &mut Noise(seed));
        for a in &digests {
            for b in &digests {
                prop_assert_eq!(score(a, b), oracle::score(a, b), "{} {}", a, b);
            }
        }
    }
}

/// The expected scores were printed by ssdeep 2.14.1.
#[test]
fn corner_cases_score_as_in_ssdeep() {
    let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (a, b, expected) in [
        ("3::", "3::", 100),
        ("3::A", "3::A", 100),
        ("3:AAAAAB:C", "3:AAAB:C", 100),
        ("3:AAAB:C", "3:AAAB:D", 0),
        ("3:AAAB:C", "6:C:D", 0),
        ("3:ABCDEFGH:C", "3:ABCDEFGH:D", 8),
        ("3:ABCDEFGHIJKLMNOP:C", "3:ABCDEFGHIJKLMNOP:D", 16),
        ("96:ABCDEFGHIJKLMNOP:C", "96:ABCDEFGHIJKLMNOP:D", 100),
        ("96:ABCDEFGHIJKLMNOP:C", "192:ABCDEFG:D", 0),
        ("96:C:ABCDEFGHIJKLMNOP", "192:ABCDEFGHIJKLMNOP:D", 100),
        ("3:C:ABCDEFG", "3:D:ABCDEFG", 14),
        ("3:C:ABCDEFG", "6:ABCDEFG:C", 14),
        ("96:ABCDEFGHIJKL:C", "96:ABCDEFxGHIJKL:D", 0),
        (
            "3221225472:C:ABCDEFGHIJKL",
            "3221225472:D:ABCDEFGHIJKL",
            100,
        ),
        (&format!("96:{all}:{all}"), &format!("96:{all}:{all}"), 100),
    ] {
        let [a, b] = [a, b].map(|text| text.parse::<Digest>().unwrap());
        assert_eq!(score(&a, &b), expected, "{a} {b}");
        assert_eq!(score(&b, &a), expected, "{b} {a}");
        assert_eq!(oracle::score(&a, &b), expected, "{b} {a}");
    }
}
