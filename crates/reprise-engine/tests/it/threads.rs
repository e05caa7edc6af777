//! The same bytes on disk for any number of threads, in one go or in several.

use reprise_engine::store::verify;
use reprise_engine::text::ChunkForm;
use tempfile::tempdir;

use crate::corpus::{How, MEMORY, add, files, planted_web};

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
        "several segments, not {}",
        stats.segments
    );
    assert_eq!(verify(&single, MEMORY).unwrap(), []);
    for threads in [2, 3, 8] {
        let path = directory.path().join(format!("{threads}"));
        add(&names, &path, How { threads, ..HOW });
        assert!(files(&single) == files(&path), "{threads} threads");
    }
}

#[test]
fn sources_already_held_are_skipped() {
    let directory = tempdir().unwrap();
    let names = planted_web(&directory.path().join("web"));
    let corpus = directory.path().join("corpus");
    let (first, rest) = names.split_at(3);
    let before = add(first, &corpus, HOW);
    let after = add(&names, &corpus, HOW);
    assert_eq!((before.sources_read, before.sources_held), (3, 0));
    assert_eq!(
        (after.sources_read, after.sources_held),
        (rest.len() as u64, 3)
    );
    let once = add(&names, &directory.path().join("once"), HOW);
    assert_eq!(before.pages + after.pages, once.pages);
    assert_eq!(before.chunks + after.chunks, once.chunks);
    let again = add(&names, &corpus, HOW);
    assert_eq!((again.sources_read, again.segments), (0, 0));
    assert_eq!(verify(&corpus, MEMORY).unwrap(), []);
}

#[test]
fn a_source_that_has_changed_is_told() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("rows.jsonl");
    let names = [file.to_string_lossy().into_owned()];
    let corpus = directory.path().join("corpus");
    let mut rows = String::new();
    for (row, expected) in [("a", None), ("b", Some(&names[0]))] {
        rows += &["{\"url\":\"http://x/", row, "\",\"text\":\"words\"}\n"].concat();
        std::fs::write(&file, &rows).unwrap();
        let stats = add(&names, &corpus, HOW);
        assert_eq!(stats.changed_example.as_ref(), expected);
        assert_eq!(stats.sources_changed, u64::from(expected.is_some()));
    }
    assert_eq!(add(&names, &corpus, HOW).sources_changed, 0);
    // The same bytes by another name are held, and not changed.
    let other = directory.path().join("other.jsonl");
    std::fs::copy(&file, &other).unwrap();
    let stats = add(&[other.to_string_lossy().into_owned()], &corpus, HOW);
    assert_eq!((stats.sources_held, stats.sources_changed), (1, 0));
}
