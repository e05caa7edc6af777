//! Corpora of older versions are read, checked and added to.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::store::{AsBytes, Corpus, Labels, Level, verify};
use reprise_engine::text::ChunkForm;
use tempfile::tempdir;

use crate::corpus::{How, MEMORY, add, files};

/// A copy of what an older version wrote.
fn old(name: &str, directory: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let copy = directory.join(name);
    for (file, bytes) in files(&source.join(name)) {
        let path = copy.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    copy
}

fn urls(corpus: &Path) -> Vec<String> {
    let corpus = Corpus::open(corpus).unwrap();
    let mut urls = Vec::new();
    for segment in corpus.segments() {
        let pages = segment.pages().unwrap();
        for group in 0..pages.groups() {
            let texts = pages.texts(group, "url").unwrap();
            urls.extend(
                texts
                    .iter()
                    .map(|url| String::from_utf8_lossy(url.as_bytes()).into_owned()),
            );
        }
    }
    urls
}

#[test]
fn a_corpus_without_checksums_of_pages() {
    let directory = tempdir().unwrap();
    let corpus = old("corpus-without-page-checksums", directory.path());
    assert_eq!(urls(&corpus), ["http://a.example/1", "http://b.example/2"]);
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);

    let labels = Labels::open(&corpus.join("labels.parquet")).unwrap();
    labels.verify().unwrap();
    let found = Corpus::open(&corpus).unwrap();
    let segment = found.segments().next().unwrap();
    let fingerprints = segment.fingerprints().unwrap();
    let mut reader = labels.reader();
    for fingerprint in fingerprints.fingerprints(0, "fingerprint").unwrap() {
        assert!(!reader.find(&fingerprint, Level::Chunk).unwrap().is_empty());
    }

    let more = directory.path().join("more.jsonl");
    fs::write(&more, r#"{"url":"http://c.example/","html":"<p>One"}"#).unwrap();
    let how = How {
        threads: 1,
        segment_bytes: 1 << 20,
        chunk: ChunkForm::Markup,
    };
    let stats = add(&[more.to_string_lossy().into_owned()], &corpus, how);
    assert_eq!((stats.pages, stats.segments), (1, 1));
    assert_eq!(urls(&corpus).len(), 3);
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}
