//! Compares the crate with the program ssdeep 2.14.1, if it is installed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use reprise_fuzzy::lines::{self, HEADER};
use reprise_fuzzy::{Digest, score};

use crate::inputs::{KINDS, LONG, Noise, bytes_of_kind, bytes_that_roll_to_zero, digests, mutated};

/// Runs the program and returns its output, or `None` if it is not installed.
fn ssdeep(directory: &Path, arguments: &[&str], files: &[String]) -> Option<String> {
    let mut command = Command::new("ssdeep");
    command.args(arguments).args(files).current_dir(directory);
    let Ok(output) = command.output() else {
        println!("skipped: the program ssdeep is not installed");
        return None;
    };
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Compares the digests of files and, with `scores`, the scores of all pairs.
fn check_files(files: &[Vec<u8>], scores: bool) {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..files.len()).map(|number| number.to_string()).collect();
    for (name, bytes) in names.iter().zip(files) {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    let Some(printed) = ssdeep(directory.path(), &["-b"], &names) else {
        return;
    };
    let mut found = vec![];
    for (_, line) in lines::read(printed.as_bytes()).unwrap() {
        let line = line.unwrap();
        let number: usize = String::from_utf8(line.name.unwrap())
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(number, found.len());
        let digest = Digest::of(&files[number]);
        assert_eq!(digest, line.digest, "{} bytes", files[number].len());
        found.push(digest);
    }
    assert_eq!(found.len(), files.len());
    if scores {
        let printed = ssdeep(directory.path(), &["-a", "-d", "-b", "-c"], &names).unwrap();
        check_scores(&found, &printed);
    }
}

/// Compares the scores of all pairs with the printed ones.
fn check_scores(digests: &[Digest], printed: &str) {
    let mut pairs = HashSet::new();
    for line in printed.lines().filter(|line| !line.is_empty()) {
        let [a, b, printed] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let [a, b]: [usize; 2] = [a, b].map(|name| name.trim_matches('"').parse().unwrap());
        let found = score(&digests[a], &digests[b]).to_string();
        assert_eq!(found, printed, "{} {}", digests[a], digests[b]);
        pairs.insert((a.min(b), a.max(b)));
    }
    assert_eq!(pairs.len(), digests.len() * (digests.len() - 1) / 2);
}

#[test]
fn small_files_agree() {
    let mut noise = Noise(21);
    let mut files = vec![vec![]];
    for byte in 1..=255 {
        let len = noise.below(1000);
        files.push(vec![byte; len]);
    }
    for round in 0..40 {
        for kind in 0..KINDS {
            let len = noise.below(200 << (round % 9));
            files.push(bytes_of_kind(kind, len, &mut noise));
        }
    }
    for len in [0, 1000, 20_000] {
        let mut bytes = bytes_of_kind(0, len, &mut noise);
        bytes.extend(bytes_that_roll_to_zero());
        files.push(bytes);
    }
    check_files(&files, false);
}

#[test]
fn similar_files_agree() {
    let mut noise = Noise(22);
    let mut files = vec![vec![]];
    for len in [500, 3000, 10_000, 50_000, LONG / 10] {
        for kind in [0, 1, 4, 5] {
            let file = bytes_of_kind(kind, len, &mut noise);
            for changes in 0..8 {
                files.push(mutated(&file, changes, &mut noise));
            }
        }
    }
    check_files(&files, true);
}

#[test]
fn files_up_to_ten_megabytes_agree() {
    let mut noise = Noise(23);
    let files: Vec<Vec<u8>> = (0..KINDS)
        .map(|kind| bytes_of_kind(kind, noise.below(LONG), &mut noise))
        .collect();
    check_files(&files, true);
    check_files(&[bytes_of_kind(0, LONG, &mut noise)], false);
}

#[test]
fn generated_digests_agree() {
    for (seed, letters) in [(24, 64), (25, 20), (26, 3)] {
        let digests = digests(150, 5, letters, &mut Noise(seed));
        let directory = tempfile::tempdir().unwrap();
        let mut file = format!("{HEADER}\n").into_bytes();
        for (number, digest) in digests.iter().enumerate() {
            file.extend(lines::write(digest, number.to_string().as_bytes()).unwrap());
        }
        fs::write(directory.path().join("list"), file).unwrap();
        let list = ["list".to_owned()];
        let Some(printed) = ssdeep(directory.path(), &["-a", "-x", "-c"], &list) else {
            return;
        };
        check_scores(&digests, &printed);
    }
}
