//! Wrong directories, foreign corpora and locks are typed errors, and change nothing.

use std::fs;

use reprise_engine::ingest::InputError;
use reprise_engine::store::{Action, CorpusWriter, SettingName};
use reprise_engine::{
    ChunkForm, ChunkSettings, Corpus, Error, Fault, HashKind, IndexOptions, Near, NearOptions,
    RemoveOptions, RequestedSettings, Resources, ScanOptions, Settings, StoreError, VerifyOptions,
    results, scan, verify_corpus,
};
use tempfile::tempdir;

use crate::small::{Small, assert_error};
use crate::support::{files, name};

/// The manifest of a corpus that a newer version wrote.
const NEWER: &str = r#"{
  "kind": "reprise corpus",
  "format": 99,
  "checksum": "fa7d8f6591808609"
}
"#;

fn index_into(
    path: &std::path::Path,
    inputs: &[String],
    requested: RequestedSettings,
) -> Result<(), Error> {
    let (options, resources) = (IndexOptions::default(), Resources::default());
    Corpus::index_into(path, requested, inputs, &options, resources, &()).map(|_| ())
}

fn verify(path: &std::path::Path) -> Result<reprise_engine::Verification, Error> {
    verify_corpus(path, &VerifyOptions::default(), Resources::default(), &())
}

fn remove(segments: &[u64]) -> RemoveOptions {
    RemoveOptions {
        segments: segments.to_vec(),
        ..RemoveOptions::default()
    }
}

#[test]
fn a_directory_that_does_not_exist() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("missing");
    assert_error!(
        Corpus::open(&path),
        Error::Store(StoreError::Missing { path: found }) if found == path
    );
    assert_error!(verify(&path), Error::Store(StoreError::Missing { .. }));
    let error = Corpus::open(&path).unwrap_err();
    assert_eq!((error.fault(), error.repair()), (Fault::Caller, None));
    assert!(!path.exists());
}

#[test]
fn a_file_in_place_of_the_directory() {
    let small = Small::new();
    let path = small.write("file", "text");
    small.unchanged(|small| {
        let is_it = |found: &std::path::Path| found == path;
        let options = ScanOptions {
            corpus: Some(path.clone()),
            ..ScanOptions::default()
        };
        let results = small.path("results");
        let into = |directory, options| {
            scan(
                &small.inputs(),
                directory,
                options,
                Resources::default(),
                &(),
            )
            .map(|_| ())
        };
        let errors = [
            Corpus::open(&path).map(|_| ()),
            Corpus::create(&path, Settings::default()).map(|_| ()),
            index_into(&path, &small.inputs(), RequestedSettings::default()),
            verify(&path).map(|_| ()),
            into(&results, &options),
            into(&path, &ScanOptions::default()),
        ];
        for result in errors {
            assert_error!(
                result,
                Error::Store(StoreError::NotADirectory { path: found }) if is_it(&found)
            );
        }
    });
}

#[test]
fn a_directory_without_a_corpus() {
    let small = Small::new();
    let empty = small.path("empty");
    fs::create_dir(&empty).unwrap();
    small.unchanged(|_| {
        for result in [Corpus::open(&empty).map(|_| ()), verify(&empty).map(|_| ())] {
            assert_error!(
                result,
                Error::Store(StoreError::NotACorpus { path }) if path == empty
            );
        }
    });
}

#[test]
fn a_directory_of_another_program() {
    let small = Small::new();
    let foreign = small.path("foreign");
    fs::create_dir_all(foreign.join("segments/one")).unwrap();
    small.unchanged(|small| {
        let requested = RequestedSettings::default();
        for result in [
            Corpus::create(&foreign, Settings::default()).map(|_| ()),
            index_into(&foreign, &small.inputs(), requested),
        ] {
            assert_error!(
                result,
                Error::Store(StoreError::Foreign { path }) if path == foreign
            );
        }
    });
    assert!(foreign.join("segments/one").is_dir());
}

#[test]
fn a_corpus_is_not_created_twice() {
    let small = Small::new();
    small.unchanged(|small| {
        assert_error!(
            Corpus::create(small.corpus.path(), Settings::default()),
            Error::Store(StoreError::AlreadyExists { path }) if path == small.corpus.path()
        );
    });
}

#[test]
fn another_writer_has_locked_the_corpus() {
    let mut small = Small::new();
    let path = small.corpus.path().to_owned();
    let more = small.write(
        "more.jsonl",
        "{\"url\":\"http://m.example/\",\"text\":\"more\"}\n",
    );
    let inputs = vec![small.input.clone(), name(&more)];
    let writer = CorpusWriter::open(&path, RequestedSettings::default()).unwrap();
    let locked = |result: Result<(), Error>| {
        assert_error!(result, Error::Store(StoreError::Locked { path: found }) if found == path);
    };
    small.unchanged_mut(|corpus| {
        let options = IndexOptions::default();
        locked(corpus.index(&inputs, &options, &()).map(|_| ()));
        locked(corpus.remove(&remove(&[1])).map(|_| ()));
    });
    small.unchanged(|small| {
        locked(index_into(&path, &inputs, RequestedSettings::default()));
        let options = ScanOptions {
            corpus: Some(path.clone()),
            add: true,
            ..ScanOptions::default()
        };
        let results = small.path("results");
        locked(scan(&inputs, &results, &options, Resources::default(), &()).map(|_| ()));
        // Readers do not wait.
        assert!(verify(&path).unwrap().ok);
        let near = small
            .corpus
            .near(&Near::default(), &NearOptions::default(), None, &());
        assert_eq!(near.unwrap().copies.clusters, 1);
    });
    let dry = RemoveOptions {
        dry_run: true,
        ..remove(&[1])
    };
    assert_eq!(small.corpus.remove(&dry).unwrap().removed, [1]);
    drop(writer);
    let added = small.corpus.index(&inputs, &IndexOptions::default(), &());
    assert_eq!(added.unwrap().pages, 1);
}

#[test]
fn a_corpus_of_a_newer_version() {
    let small = Small::new();
    let path = small.path("newer");
    fs::create_dir(&path).unwrap();
    small.write("newer/manifest.json", NEWER);
    small.unchanged(|small| {
        for result in [
            Corpus::open(&path).map(|_| ()),
            verify(&path).map(|_| ()),
            index_into(&path, &small.inputs(), RequestedSettings::default()),
        ] {
            assert_error!(
                result,
                Error::Store(StoreError::NewerFormat { path: found, found: 99, known: 1 })
                    if found == path
            );
        }
        assert_error!(
            Corpus::create(&path, Settings::default()),
            Error::Store(StoreError::AlreadyExists { .. })
        );
    });
}

#[test]
fn a_damaged_manifest() {
    let small = Small::new();
    let manifest = small.corpus.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("sha256", "sha1")).unwrap();
    small.unchanged(|small| {
        let path = small.corpus.path();
        for result in [
            Corpus::open(path).map(|_| ()),
            index_into(path, &small.inputs(), RequestedSettings::default()),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.repair(), Some(results::Repair::RestoreManifest));
            assert_error!(
                Err::<(), _>(error),
                Error::Store(StoreError::Damaged { path, .. }) if path == manifest
            );
        }
        let found = verify(path).unwrap();
        assert!(!found.ok);
        assert_eq!(found.repair, Some(results::Repair::RestoreManifest));
    });
}

#[test]
fn a_corpus_with_other_settings() {
    let small = Small::with_settings(Settings::default());
    let path = small.corpus.path();
    small.unchanged(|small| {
        let with = |requested| index_into(path, &small.inputs(), requested);
        let hash = RequestedSettings {
            hash: Some(HashKind::Sha1),
            ..RequestedSettings::default()
        };
        assert_error!(
            with(hash),
            Error::Store(StoreError::OtherSettings {
                setting: SettingName::Hash,
                ..
            })
        );
        let chunk = RequestedSettings {
            chunk: Some(ChunkForm::Text),
            ..RequestedSettings::default()
        };
        assert_error!(
            with(chunk),
            Error::Store(StoreError::OtherSettings {
                setting: SettingName::Chunk,
                ..
            })
        );
        let shingles = RequestedSettings {
            shingles: true,
            ..RequestedSettings::default()
        };
        assert_error!(
            with(shingles),
            Error::Store(StoreError::NoShingles { path: found }) if found == path
        );
    });
    let settings = Settings {
        chunks: ChunkSettings {
            hash: HashKind::Sha1,
            chunk: ChunkForm::Text,
        },
        shingles: true,
    };
    let other = Corpus::create(small.path("other"), settings).unwrap();
    assert_eq!(other.settings(), settings);
}

#[test]
fn a_segment_that_does_not_exist() {
    let mut small = Small::new();
    small.unchanged_mut(|corpus| {
        for segments in [&[7][..], &[1, 7], &[0], &[u64::MAX]] {
            let wrong = *segments.last().unwrap();
            assert_error!(
                corpus.remove(&remove(segments)),
                Error::NoSuchSegment { number, .. } if number == wrong
            );
        }
        // Without a choice, all segments are listed.
        let listed = corpus.remove(&RemoveOptions::default()).unwrap();
        assert!(listed.removed.is_empty() && listed.segments.len() == 1);
    });
    assert_eq!(small.corpus.remove(&remove(&[1, 1])).unwrap().removed, [1]);
    assert_error!(
        small.corpus.remove(&remove(&[1])),
        Error::NoSuchSegment { number: 1, .. }
    );
}

#[test]
fn a_corpus_is_not_an_input() {
    let mut small = Small::new();
    let corpus = small.corpus.path().to_owned();
    let inputs = [name(&corpus)];
    small.unchanged_mut(|own| {
        assert_error!(
            own.index(&inputs, &IndexOptions::default(), &()),
            Error::Input(InputError::IsCorpus { path }) if path == corpus
        );
    });
    let other = small.path("other");
    small.unchanged(|_| {
        assert_error!(
            index_into(&other, &inputs, RequestedSettings::default()),
            Error::Input(InputError::IsCorpus { .. })
        );
    });
    // The directory around a corpus is an input; the corpus inside it is not read.
    let around = [name(small.directory.path())];
    let added = small
        .corpus
        .index(&around, &IndexOptions::default(), &())
        .unwrap();
    assert_eq!((added.pages, added.sources.held), (0, 1));
}

#[test]
fn a_corpus_that_was_deleted_while_it_was_open() {
    let mut small = Small::new();
    fs::remove_dir_all(small.corpus.path()).unwrap();
    let near = small
        .corpus
        .near(&Near::default(), &NearOptions::default(), None, &());
    assert_error!(
        near,
        Error::Store(StoreError::Io {
            action: Action::Read,
            ..
        })
    );
    let found = small.corpus.info(&()).unwrap();
    assert_eq!((found.pages, found.distinct_chunks), (14, None));
    assert!(!found.damage.is_empty());
    assert_error!(
        small.corpus.remove(&remove(&[1])),
        Error::Store(StoreError::Missing { .. })
    );
    let inputs = small.inputs();
    assert_error!(
        small.corpus.index(&inputs, &IndexOptions::default(), &()),
        Error::Store(StoreError::Missing { .. })
    );
    assert!(!small.corpus.path().exists());
}

#[test]
fn directories_that_were_created_for_nothing_are_removed() {
    let small = Small::new();
    let missing = [name(&small.path("missing.warc"))];
    let results = small.path("a/b/c");
    assert_error!(
        index_into(&results, &missing, RequestedSettings::default()),
        Error::Input(InputError::Unreadable { .. })
    );
    assert!(!small.path("a").exists());
    let options = ScanOptions::default();
    assert_error!(
        scan(&missing, &results, &options, Resources::default(), &()),
        Error::Input(InputError::Unreadable { .. })
    );
    assert!(!small.path("a").exists());
    // Directories that existed stay.
    fs::create_dir(small.path("a")).unwrap();
    assert_error!(
        index_into(&results, &missing, RequestedSettings::default()),
        Error::Input(InputError::Unreadable { .. })
    );
    assert_eq!(files(&small.path("a")).len(), 0);
    assert!(small.path("a").is_dir() && !small.path("a/b").exists());
}
