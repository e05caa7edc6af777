//! Every changed byte of a corpus is found, and the damaged file is named.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::store::schema::{SEGMENT_TABLES, Sketches, Table, TableInfo, Urls};
use reprise_engine::store::{CorpusReader, StoreError, TableReader, Values, verify};
use reprise_engine::{
    Corpus, IndexOptions, Resources, Settings, Verification, VerifyOptions, results, verify_corpus,
};
use tempfile::tempdir;

use crate::support::{MEMORY, files, name};

const PAGES: &str = r#"{"url":"http://a.example/1","html":"<p>One<p>Two<p>One"}
{"url":"http://b.example/2","html":"<div>Three</div><p>One"}
{"url":"http://b.example/x1/x1/x1/x1/","html":"a trap"}
not a row
"#;

/// Creates a corpus of two pages.
fn small_corpus(directory: &Path) -> PathBuf {
    let input = directory.join("pages.jsonl");
    fs::write(&input, PAGES).unwrap();
    let path = directory.join("corpus");
    let settings = Settings {
        shingles: true,
        ..Settings::default()
    };
    let mut corpus = Corpus::create(&path, settings).unwrap();
    let stats = corpus.index(&[name(&input)], &IndexOptions::default(), &());
    let stats = stats.unwrap();
    assert_eq!((stats.pages, stats.chunks), (2, 5));
    path
}

#[test]
fn every_flipped_byte_is_named() {
    let directory = tempdir().unwrap();
    let corpus = small_corpus(directory.path());
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
    let files = files(&corpus);
    // The manifest, the five tables of every segment, the shingles and the index of URLs.
    assert_eq!(files.values().filter(|bytes| !bytes.is_empty()).count(), 8);
    for (name, bytes) in files {
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(corpus.join(&name), &flipped).unwrap();
            // A flipped format number may be that of a newer version, which is another error.
            if let Ok(damage) = verify(&corpus, MEMORY) {
                let is_named = damage.iter().any(|damage| damage.path.ends_with(&name));
                assert!(is_named, "byte {at} of {}: {damage:?}", name.display());
            }
        }
        fs::write(corpus.join(&name), &bytes).unwrap();
    }
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}

/// Returns all values of a table.
fn all_values<T: Table>(table: &TableReader<T>) -> Result<Vec<Values>, StoreError> {
    let mut values = Vec::new();
    for group in 0..table.groups() {
        for &column in T::COLUMNS {
            values.push(table.values(group, column)?);
        }
    }
    Ok(values)
}

/// Returns all values of a table of the first segment.
fn values(corpus: &Path, table: &str) -> Result<Vec<Values>, StoreError> {
    let corpus = CorpusReader::open(corpus)?;
    let segment = corpus.segments().next().unwrap();
    match table {
        "sources" => all_values(&segment.sources()?),
        "pages" => all_values(&segment.pages()?),
        "fingerprints" => all_values(&segment.fingerprints()?),
        "chunks" => all_values(&segment.chunks()?),
        "problems" => all_values(&segment.problems()?),
        "shingles" => all_values(&segment.shingles()?.unwrap()),
        "urls" => all_values(&segment.urls()?.unwrap()),
        other => panic!("{other} is not a table"),
    }
}

/// Stages read tables without verifying the corpus first, so a reader must notice damage itself.
#[test]
fn readers_notice_every_flipped_bit_that_changes_a_value() {
    let directory = tempdir().unwrap();
    let corpus = small_corpus(directory.path());
    let (mut noticed, mut harmless) = (0, 0);
    let more = [TableInfo::of::<Sketches>(), TableInfo::of::<Urls>()];
    for table in SEGMENT_TABLES.into_iter().chain(more) {
        let undamaged = values(&corpus, table.name).unwrap();
        let path = corpus.join(format!("segments/00000001/{}.parquet", table.name));
        let bytes = fs::read(&path).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            match values(&corpus, table.name) {
                Err(_) => noticed += 1,
                Ok(found) => {
                    assert!(found == undamaged, "bit {bit} of {}", table.name);
                    harmless += 1;
                }
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    println!("{noticed} flipped bits were noticed, {harmless} changed nothing");
    assert!(harmless < noticed / 10);
}

#[test]
fn a_missing_file_is_named() {
    let directory = tempdir().unwrap();
    let corpus = small_corpus(directory.path());
    fs::remove_file(corpus.join("segments/00000001/chunks.parquet")).unwrap();
    let damage = verify(&corpus, MEMORY).unwrap();
    assert_eq!(damage.len(), 1, "{damage:?}");
    assert!(damage[0].path.ends_with("chunks.parquet"));
}

fn check(corpus: &Path) -> Verification {
    let options = VerifyOptions {
        archives: true,
        ..VerifyOptions::default()
    };
    verify_corpus(corpus, &options, Resources::default(), &()).unwrap()
}

#[test]
fn a_damaged_segment_can_be_removed_and_indexed_again() {
    let directory = tempdir().unwrap();
    let path = small_corpus(directory.path());
    let found = check(&path);
    assert!(found.ok && found.repair.is_none(), "{found:?}");
    assert_eq!(
        (found.pages_read_back, found.pages_lost),
        (Some(2), Some(0))
    );

    let table = path.join("segments/00000001/pages.parquet");
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&table, bytes).unwrap();
    let found = check(&path);
    assert!(!found.ok && found.damage.len() == 1, "{found:?}");
    assert_eq!(found.pages_read_back, None);
    let Some(results::Repair::RemoveSegments { corpus, segments }) = found.repair else {
        panic!("{found:?}");
    };
    assert_eq!(corpus, name(&path));

    let mut corpus = Corpus::open(&path).unwrap();
    let options = reprise_engine::RemoveOptions {
        segments,
        ..reprise_engine::RemoveOptions::default()
    };
    assert_eq!(corpus.remove(&options).unwrap().removed, [1]);
    let input = [name(&directory.path().join("pages.jsonl"))];
    let added = corpus.index(&input, &IndexOptions::default(), &()).unwrap();
    assert_eq!((added.pages, added.segments), (2, 1));
    assert!(check(&path).ok);
}

#[test]
fn pages_that_changed_in_their_archive_are_lost() {
    let directory = tempdir().unwrap();
    let path = small_corpus(directory.path());
    let input = directory.path().join("pages.jsonl");
    fs::write(&input, PAGES.replace("Three", "Eight")).unwrap();
    let found = check(&path);
    assert!(!found.ok && found.repair.is_none(), "{found:?}");
    assert_eq!(
        (found.pages_read_back, found.pages_lost),
        (Some(1), Some(1))
    );
    assert_eq!(found.damage[0].path, name(&input));
}
