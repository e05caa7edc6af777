//! Corpora of older versions can be read, verified and extended.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::store::schema::{Fingerprints, Pages};
use reprise_engine::store::{CorpusReader, verify};
use reprise_engine::{ChunkForm, LabelLookup, Labels, Level};
use tempfile::tempdir;

use crate::support::{How, MEMORY, add, files, name, write_files};

/// Copies a directory that an older version wrote.
fn copy_of(name: &str, directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let copy = directory.join(name);
    write_files(&copy, &files(&source.join(name)));
    copy
}

fn urls(corpus: &Path) -> Vec<String> {
    let corpus = CorpusReader::open(corpus).unwrap();
    let mut urls = Vec::new();
    for segment in corpus.segments() {
        let pages = segment.pages().unwrap();
        for group in 0..pages.groups() {
            let texts = pages.read(group, Pages::URL).unwrap();
            urls.extend((0..texts.len()).map(|row| texts.to_str(row).into_owned()));
        }
    }
    urls
}

#[test]
fn a_corpus_without_page_checksums() {
    let directory = tempdir().unwrap();
    let corpus = copy_of("corpus-without-page-checksums", directory.path());
    assert_eq!(urls(&corpus), ["http://a.example/1", "http://b.example/2"]);
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);

    let labels = Labels::open(&corpus.join("labels.parquet")).unwrap();
    labels.verify().unwrap();
    let found = CorpusReader::open(&corpus).unwrap();
    let segment = found.segments().next().unwrap();
    let table = segment.fingerprints().unwrap();
    let fingerprints = table.read(0, Fingerprints::FINGERPRINT).unwrap();
    assert!(!fingerprints.is_empty());
    let mut reader = labels.reader();
    for fingerprint in fingerprints {
        assert!(!reader.find(&fingerprint, Level::Chunk).unwrap().is_empty());
    }

    let more = directory.path().join("more.jsonl");
    fs::write(&more, r#"{"url":"http://c.example/","html":"<p>One"}"#).unwrap();
    let how = How {
        threads: 1,
        segment_bytes: 1 << 20,
        chunk: ChunkForm::Markup,
    };
    let stats = add(&[name(&more)], &corpus, how);
    assert_eq!((stats.pages, stats.segments), (1, 1));
    assert_eq!(urls(&corpus).len(), 3);
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}
