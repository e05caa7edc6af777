//! Nilsimsa digests that another implementation computed. Those of real files need a data set.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use reprise_lab::nilsimsa::Digest;

use crate::shared_data::unpack;

#[test]
fn digests_and_scores_are_the_published_ones() {
    let one = Digest::of(b"abcdefgh");
    let other = Digest::of(b"abcdefghijk");
    let expected = "14c8118000000000030800000004042004189020001308014088003280000078";
    assert_eq!(one.to_string(), expected);
    let expected = "14c811840010000c0328200108040630041890200217582d4098103280000078";
    assert_eq!(other.to_string(), expected);
    assert_eq!(one.score(&other), 109);
}

#[test]
fn real_files_have_the_recorded_digests() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(set) = unpack(&project, "hash-vectors") else {
        return;
    };
    let set = set.join("nilsimsa");
    let mut digests = HashMap::new();
    for line in fs::read_to_string(set.join("expected.tsv"))
        .unwrap()
        .lines()
    {
        let (name, expected) = line.split_once('\t').unwrap();
        let bytes = fs::read(set.join("nilsimsa/test_data").join(name)).unwrap();
        let digest = Digest::of(&bytes);
        assert_eq!(digest.to_string(), expected, "{name}");
        digests.insert(name.split('-').next().unwrap().to_owned(), digest);
    }
    assert_eq!(digests.len(), 20);
    assert_eq!(digests["1352396387"].score(&digests["1338103128"]), 95);
}
