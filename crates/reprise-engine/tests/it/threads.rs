//! A corpus has the same bytes for any number of threads, and after one run or several.

use std::fs;

use reprise_engine::ChunkForm;
use reprise_engine::store::verify;
use tempfile::tempdir;

use crate::stages::{Call, STAGES, Web};
use crate::support::{How, MEMORY, add, files, name, planted_web, with_threads};

const HOW: How = How {
    threads: 1,
    segment_bytes: 100 << 10,
    chunk: ChunkForm::Markup,
};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let directory = tempdir().unwrap();
    let names = planted_web(&directory.path().join("web"));
    let single = directory.path().join("single");
    let stats = add(&names, &single, HOW);
    assert!(
        stats.segments > 3,
        "{} segments are too few",
        stats.segments
    );
    assert_eq!(verify(&single, MEMORY).unwrap(), []);
    for threads in [2, 3, 8] {
        let path = directory.path().join(format!("{threads}"));
        add(&names, &path, How { threads, ..HOW });
        assert!(files(&single) == files(&path), "{threads} threads");
    }
}

/// The result of every stage, and the files that it writes, are the same for any number of threads.
#[test]
fn any_number_of_threads_gives_the_same_results() {
    let web = Web::new();
    for (name, run) in STAGES {
        let call = |threads: usize| {
            let out = web.directory.path().join(format!("out-{threads}"));
            fs::create_dir(&out).unwrap();
            let call = Call {
                resources: with_threads(threads),
                out: &out,
                progress: &(),
            };
            let found = (run(&web, call).unwrap(), files(&out));
            fs::remove_dir_all(&out).unwrap();
            found
        };
        let single = call(1);
        for threads in [2, 5] {
            assert!(call(threads) == single, "{name} with {threads} threads");
        }
    }
}

#[test]
fn sources_of_the_corpus_are_skipped() {
    let directory = tempdir().unwrap();
    let names = planted_web(&directory.path().join("web"));
    let corpus = directory.path().join("corpus");
    let (first, rest) = names.split_at(3);
    let before = add(first, &corpus, HOW);
    let after = add(&names, &corpus, HOW);
    assert_eq!((before.sources.read, before.sources.held), (3, 0));
    assert_eq!(
        (after.sources.read, after.sources.held),
        (rest.len() as u64, 3)
    );
    let once = add(&names, &directory.path().join("once"), HOW);
    assert_eq!(before.pages + after.pages, once.pages);
    assert_eq!(before.chunks + after.chunks, once.chunks);
    let again = add(&names, &corpus, HOW);
    assert_eq!((again.sources.read, again.segments), (0, 0));
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}

#[test]
fn a_source_that_changed_is_counted() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("rows.jsonl");
    let names = [name(&file)];
    let corpus = directory.path().join("corpus");
    let mut rows = String::new();
    for (row, expected) in [("a", None), ("b", Some(&names[0]))] {
        rows += &["{\"url\":\"http://x/", row, "\",\"text\":\"words\"}\n"].concat();
        std::fs::write(&file, &rows).unwrap();
        let stats = add(&names, &corpus, HOW);
        assert_eq!(stats.changed.example.as_ref(), expected);
        assert_eq!(stats.sources.changed, u64::from(expected.is_some()));
    }
    assert_eq!(add(&names, &corpus, HOW).sources.changed, 0);
    // The same bytes under another name are in the corpus already, and have not changed.
    let other = directory.path().join("other.jsonl");
    std::fs::copy(&file, &other).unwrap();
    let stats = add(&[name(&other)], &corpus, HOW);
    assert_eq!((stats.sources.held, stats.sources.changed), (1, 0));
}
