//! Compares index, pairs and groups with a comparison of all pairs.

use proptest::prelude::*;
use reprise_fuzzy::{Digest, Groups, Index, Match, Pair, pairs, pairs_each};

use crate::inputs::{Noise, digest_of, digests};
use crate::oracle;

fn check(digests: &[Digest], at_least: u8) {
    let expected = oracle::pairs(digests, at_least.max(1));
    assert_eq!(pairs(digests, at_least), expected);

    let mut index = Index::new();
    let mut found = Vec::new();
    for digest in digests {
        let matches = index.matches(digest, at_least);
        assert!(matches.is_sorted());
        let b = index.insert(digest);
        assert_eq!(index.digest(b), digest);
        found.extend(
            matches
                .into_iter()
                .map(|Match { id: a, score }| Pair { a, b, score }),
        );
    }
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(index.len(), digests.len());
}

proptest! {
    #[test]
    fn all_pairs_are_found(
        count in 0_usize..80,
        levels in 1_usize..6,
        letters in 1_usize..65,
        at_least in prop::sample::select(vec![0_u8, 1, 2, 10, 30, 50, 80, 90, 99, 100, 101, 255]),
        seed: u64,
    ) {
        check(&digests(count, levels, letters, &mut Noise(seed)), at_least);
    }
}

#[test]
fn pairs_of_the_highest_level_are_found() {
    let digests: Vec<Digest> = [
        "ABCDEFGH:C",
        "ABCDEFGHI:D",
        "C:ABCDEFGH",
        "D:ABCDEFGHI",
        ":",
    ]
    .iter()
    .flat_map(|parts| [1_u64 << 30, 1 << 29].map(|size| format!("{}:{parts}", 3 * size)))
    .map(|text| text.parse().unwrap())
    .collect();
    check(&digests, 1);
}

#[test]
fn many_equal_digests_are_one_group() {
    let mut noise = Noise(9);
    let mut list = vec![digest_of(5, &[1, 2, 3, 4, 5, 6, 7, 8], &[]); 100_000];
    list.extend(vec![
        digest_of(5, &[1, 2, 3, 4, 5, 6, 7, 9, 9, 9, 9], &[]);
        100_000
    ]);
    list.push(digest_of(5, &[1, 2, 3, 4, 5, 6, 7, 9, 9, 9], &[]));
    list.extend(digests(100, 1, 64, &mut noise));
    let groups = Groups::of(&list);
    assert!(groups.len() <= 102);
    assert_eq!(groups.members(0).len(), 100_000);
    assert_eq!(groups.members(1).len(), 100_001);
    assert_eq!(groups.members(1).last(), Some(&200_000));
    let between = groups.pairs(50);
    assert_eq!((between[0].a, between[0].b), (0, 1));

    let mut index = Index::new();
    for digest in &list {
        index.insert(digest);
    }
    let matches = index.matches(&list[0], 100);
    assert_eq!(matches.len(), 100_000);
    assert!(matches.is_sorted());
}

/// If all digests share a gram, all pairs are compared, without memory for the pairs.
#[test]
fn a_gram_that_all_digests_share_gives_all_pairs() {
    let mut noise = Noise(10);
    let list: Vec<Digest> = (0..600)
        .map(|_| {
            let mut codes = vec![0, 0, 0, 1, 1, 1, 2];
            codes.extend((0..40).map(|_| noise.below(64) as u8));
            digest_of(6, &codes, &[])
        })
        .collect();
    let mut count = 0;
    pairs_each(&list, 1, |_| count += 1);
    assert_eq!(count, 600 * 599 / 2);
    pairs_each(&list, 90, |pair| panic!("{pair:?} cannot be so alike"));
}
