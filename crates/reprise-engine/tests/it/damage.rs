//! A flipped byte anywhere in a corpus is named.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::store::schema::{TABLES, Table};
use reprise_engine::store::{Corpus, StoreError, Values, verify};
use reprise_engine::text::ChunkForm;
use tempfile::tempdir;

use crate::corpus::{How, MEMORY, add, files};

const PAGES: &str = r#"{"url":"http://a.example/1","html":"<p>One<p>Two<p>One"}
{"url":"http://b.example/2","html":"<div>Three</div><p>One"}
{"url":"http://b.example/x1/x1/x1/x1/","html":"a trap"}
not a row
"#;

/// A corpus of two pages in a directory.
fn small_corpus(directory: &Path) -> PathBuf {
    let input = directory.join("pages.jsonl");
    fs::write(&input, PAGES).unwrap();
    let corpus = directory.join("corpus");
    let how = How {
        threads: 1,
        segment_bytes: 1 << 20,
        chunk: ChunkForm::Markup,
    };
    let stats = add(&[input.to_string_lossy().into_owned()], &corpus, how);
    assert_eq!((stats.pages, stats.chunks), (2, 5));
    corpus
}

#[test]
fn every_flipped_byte_is_named() {
    let directory = tempdir().unwrap();
    let corpus = small_corpus(directory.path());
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
    let files = files(&corpus);
    assert_eq!(files.values().filter(|bytes| !bytes.is_empty()).count(), 6);
    for (name, bytes) in files {
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(corpus.join(&name), &flipped).unwrap();
            // A format number may have become that of a newer version, which is refused as such.
            if let Ok(damage) = verify(&corpus, MEMORY) {
                let is_named = damage.iter().any(|damage| damage.path.ends_with(&name));
                assert!(is_named, "byte {at} of {}: {damage:?}", name.display());
            }
        }
        fs::write(corpus.join(&name), &bytes).unwrap();
    }
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}

/// All values of a table, or the first error.
fn values(corpus: &Path, table: &Table) -> Result<Vec<Values>, StoreError> {
    let corpus = Corpus::open(corpus)?;
    let mut values = Vec::new();
    for segment in corpus.segments() {
        let reader = match table.name {
            "sources" => segment.sources()?,
            "pages" => segment.pages()?,
            "fingerprints" => segment.fingerprints()?,
            "chunks" => segment.chunks()?,
            _ => segment.problems()?,
        };
        for group in 0..reader.groups() {
            for column in table.columns {
                values.push(reader.read(group, column.name)?);
            }
        }
    }
    Ok(values)
}

/// Nobody calls `verify` before each command: whoever reads a damaged table is told.
#[test]
fn no_flipped_bit_is_read_as_something_else() {
    let directory = tempdir().unwrap();
    let corpus = small_corpus(directory.path());
    let (mut told, mut harmless) = (0, 0);
    for table in TABLES {
        let sound = values(&corpus, table).unwrap();
        let path = corpus.join(format!("segments/00000001/{}.parquet", table.name));
        let bytes = fs::read(&path).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            match values(&corpus, table) {
                Err(_) => told += 1,
                Ok(found) => {
                    assert!(found == sound, "bit {bit} of {}", table.name);
                    harmless += 1;
                }
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    println!("{told} flipped bits are told, {harmless} do no harm");
    assert!(harmless < told / 10);
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
