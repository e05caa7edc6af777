//! Compares digests and scores of real files with the output of ssdeep 2.14.1, if the data sets are
//! available.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use reprise_fuzzy::lines::{self, HEADER};
use reprise_fuzzy::{Digest, pairs, score};

use crate::shared_data::unpack;

/// The data sets of the digests and of the files: the name in the list of digests, and the name of the
/// data set.
const SETS: [(&str, &str); 4] = [
    ("kat-hashes", "hash-vectors"),
    ("labelled-plagiarism-clough", "labelled-plagiarism-clough"),
    ("mail-spamassassin", "mail-spamassassin"),
    ("warc-dev", "warc-dev"),
];

#[test]
fn real_files_have_the_recorded_digests_and_scores() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sets = HashMap::new();
    for (name, set) in SETS {
        match unpack(&project, set) {
            Some(directory) => sets.insert(name, directory),
            None => return,
        };
    }
    let recorded = sets["kat-hashes"].join("reference-tool-output");
    let list = fs::read_to_string(recorded.join("ssdeep.csv")).unwrap();
    let list = &list[list.find(HEADER).unwrap()..];
    let mut digests: Vec<(String, Digest)> = Vec::new();
    for (_, line) in lines::read(list.as_bytes()).unwrap() {
        let line = line.unwrap();
        let name = String::from_utf8(line.name.unwrap()).unwrap();
        let (set, path) = name.split_once('/').unwrap();
        let bytes = fs::read(sets[set].join(path)).unwrap();
        assert_eq!(Digest::of(&bytes), line.digest, "{name}");
        digests.push((name, line.digest));
    }
    assert!(digests.len() > 700, "only {} digests", digests.len());

    let by_name: HashMap<&str, &Digest> = digests
        .iter()
        .map(|(name, digest)| (name.as_str(), digest))
        .collect();
    let scores = fs::read_to_string(recorded.join("ssdeep-pair-scores.tsv")).unwrap();
    let mut expected = HashSet::new();
    for line in scores.lines().skip(1) {
        let [a, b, recorded] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let recorded: u8 = recorded.parse().unwrap();
        assert_eq!(score(by_name[a], by_name[b]), recorded, "{a} {b}");
        expected.insert((a.min(b), a.max(b), recorded));
    }
    // No other pairs match.
    let list: Vec<Digest> = digests.iter().map(|(_, digest)| digest.clone()).collect();
    let name = |place: u32| digests[place as usize].0.as_str();
    let found = pairs(&list, 1).into_iter().map(|pair| {
        let (a, b) = (name(pair.a), name(pair.b));
        (a.min(b), a.max(b), pair.score)
    });
    assert_eq!(found.collect::<HashSet<_>>(), expected);
}
