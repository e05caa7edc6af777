//! Files that are missing, foreign or of another kind are typed errors, and change nothing.

use std::fs;
use std::path::{Path, PathBuf};

use reprise_engine::fuzzy_hashes::lines::LineError;
use reprise_engine::ingest::InputError;
use reprise_engine::signatures::{FileError, SigningOptions, TrainOptions};
use reprise_engine::store::{Action, FormatError, LabelsHeader, LabelsWriter, Origin, SettingName};
use reprise_engine::{
    CampaignOptions, CheckedItem, Checker, ChunkForm, ChunkSettings, ClassesError, ConvertOptions,
    Corpus, DetectOptions, DigestList, DropError, DropOptions, Error, ExplainWith, ExportTable,
    Fault, HashKind, IndexOptions, LabelOptions, Labels, Near, NearOptions, PhraseOptions,
    ReportOptions, RequestedSettings, Resources, ResultFile, SampleOptions, ScanOptions, Settings,
    SigningFiles, StoreError, TrainInputs, drop_pages, export_file, label_pages, scan,
    sign_documents, train,
};

use crate::small::{COPY, EMPTY, ORIGINAL, Small, assert_error};
use crate::support::{files, name};

fn resources() -> Resources {
    Resources::default()
}

fn clusters_of(small: &Small) -> PathBuf {
    let path = small.path("clusters.parquet");
    let output = ResultFile::new(&path).unwrap();
    let (method, options) = (Near::default(), NearOptions::default());
    let found = small.corpus.near(&method, &options, Some(&output), &());
    assert_eq!(found.unwrap().copies.removable, 5);
    path
}

#[test]
fn labels_of_other_settings() {
    let small = Small::new();
    let text = ChunkSettings {
        chunk: ChunkForm::Text,
        ..ChunkSettings::default()
    };
    let sha1 = ChunkSettings {
        hash: HashKind::Sha1,
        ..ChunkSettings::default()
    };
    for (chunks, expected) in [(text, SettingName::Chunk), (sha1, SettingName::Hash)] {
        let settings = Settings {
            chunks,
            ..Settings::default()
        };
        let path = small.label("labels.parquet", settings);
        let labels = Labels::open(&path).unwrap();
        let results = small.path("results");
        small.unchanged(|small| {
            let options = DetectOptions::default();
            let output = Some((results.as_path(), reprise_engine::Format::Csv));
            let report = ReportOptions {
                labels: Some(path.clone()),
                ..ReportOptions::default()
            };
            let with = ExplainWith::Labels(&labels);
            for result in [
                small
                    .corpus
                    .detect(&labels, &options, output, &())
                    .map(|_| ()),
                small.corpus.explain(COPY, with).map(|_| ()),
                small
                    .corpus
                    .report(&report, Some(&results), &())
                    .map(|_| ()),
            ] {
                assert_error!(
                    result,
                    Error::Store(StoreError::OtherLabels { path: found, setting, .. })
                        if found == path && setting == expected
                );
            }
        });
    }
}

#[test]
fn files_that_are_not_labels() {
    let small = Small::new();
    let text = small.write("labels.txt", "not labels");
    let empty = small.write("empty.parquet", "");
    let clusters = clusters_of(&small);
    let corpus_table = small.corpus.path().join("segments/00000001/pages.parquet");
    small.unchanged(|small| {
        for path in [&text, &empty, &clusters, &corpus_table] {
            for result in use_labels(small, path) {
                assert_error!(
                    result,
                    Error::Store(StoreError::NotLabels { path: found }) if found == *path
                );
            }
        }
        for path in [small.path("missing.parquet"), small.path("corpus")] {
            for result in use_labels(small, &path) {
                assert_error!(
                    result,
                    Error::Store(StoreError::Io { action: Action::Read, path: found, .. })
                        if found == path
                );
            }
        }
    });
}

/// Calls every function that opens a label file.
fn use_labels(small: &Small, path: &Path) -> Vec<Result<(), Error>> {
    let report = ReportOptions {
        labels: Some(path.to_owned()),
        ..ReportOptions::default()
    };
    let results = small.path("results");
    let scanning = ScanOptions {
        report: report.clone(),
        ..ScanOptions::default()
    };
    vec![
        Labels::open(path).map(|_| ()).map_err(Error::from),
        Checker::open(path, None).map(|_| ()),
        small
            .corpus
            .report(&report, Some(&results), &())
            .map(|_| ()),
        scan(&small.inputs(), &results, &scanning, resources(), &()).map(|_| ()),
    ]
}

#[test]
fn labels_of_a_newer_version() {
    let small = Small::new();
    let path = small.path("labels.parquet");
    let header = LabelsHeader {
        format: 99,
        ..LabelsHeader::new(ChunkSettings::default(), Origin::Informed, 0)
    };
    LabelsWriter::create(&path, &header)
        .unwrap()
        .finish()
        .unwrap();
    small.unchanged(|small| {
        for result in use_labels(small, &path) {
            assert_error!(
                result,
                Error::Store(StoreError::NewerFormat {
                    found: 99,
                    known: 1,
                    ..
                })
            );
        }
    });
}

#[test]
fn damaged_labels() {
    let small = Small::new();
    let path = small.label("labels.parquet", Settings::default());
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let labels = Labels::open(&path).unwrap();
    small.unchanged(|small| {
        let options = DetectOptions::default();
        let error = small
            .corpus
            .detect(&labels, &options, None, &())
            .unwrap_err();
        // The corpus is intact.
        assert_eq!(error.repair(), None);
        assert_error!(
            Err::<(), _>(error),
            Error::Store(StoreError::Damaged { path: found, .. }) if found == path
        );
    });
}

#[test]
fn discovered_labels_have_no_sites_to_leave_out() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    let detect = DetectOptions {
        elsewhere: true,
        ..DetectOptions::default()
    };
    let results = small.path("results");
    small.unchanged(|small| {
        assert_error!(
            small.corpus.detect(&labels, &detect, None, &()),
            Error::LabelsWithoutSites { path } if path == labels.path()
        );
        for labels in [None, Some(labels.path().to_owned())] {
            let report = ReportOptions {
                labels,
                detect: detect.clone(),
                ..ReportOptions::default()
            };
            let found = small.corpus.report(&report, Some(&results), &());
            assert_error!(found, Error::LabelsWithoutSites { .. });
            let scanning = ScanOptions {
                report,
                ..ScanOptions::default()
            };
            let found = scan(&small.inputs(), &results, &scanning, resources(), &());
            assert_error!(found, Error::LabelsWithoutSites { .. });
        }
    });
    // Labels of named pages have sites.
    let informed = Labels::open(&small.label("informed.parquet", Settings::default())).unwrap();
    let found = small.corpus.detect(&informed, &detect, None, &()).unwrap();
    assert_eq!(found.pages.own, 14);
}

#[test]
fn pages_that_the_corpus_does_not_have() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    let unknown = "http://unknown.example/";
    let options = PhraseOptions::default();
    small.unchanged(|small| {
        let corpus = &small.corpus;
        let explain = |page, with| corpus.explain(page, with).map(|_| ());
        for url in [unknown, "", "not a URL", "http://original.example/A"] {
            for result in [
                explain(url, ExplainWith::Page(COPY)),
                explain(COPY, ExplainWith::Page(url)),
                explain(url, ExplainWith::Labels(&labels)),
                corpus.sources(url, options, false, &()).map(|_| ()),
            ] {
                assert_error!(result, Error::NoSuchPage { url: found } if found == url);
            }
        }
        let shared = explain("http://other1.example/", ExplainWith::Labels(&labels));
        assert_error!(
            shared,
            Error::NothingShared { url } if url == "http://other1.example/"
        );
        let sources = corpus.sources(EMPTY, options, false, &());
        assert_error!(sources, Error::NoText { url } if url == EMPTY);
        // A page can be compared with itself.
        let own = corpus.explain(COPY, ExplainWith::Page(COPY)).unwrap();
        assert_eq!(own.page_chunks, own.page_shared);
    });
}

#[test]
fn pages_whose_archive_is_gone() {
    let small = Small::new();
    fs::remove_file(&small.input).unwrap();
    small.unchanged(|small| {
        let found = small.corpus.explain(COPY, ExplainWith::Page(ORIGINAL));
        assert_error!(found, Error::PageUnreadable { url, .. } if url == COPY);
        // Other stages count such pages.
        let found = small
            .corpus
            .near(&Near::default(), &NearOptions::default(), None, &());
        let found = found.unwrap().copies;
        assert_eq!(found.clusters, 0);
        assert!(found.unreadable > 0 && found.unreadable_reason.is_some());
        let evade = small
            .corpus
            .evade(&reprise_engine::lab::EvadeOptions::default(), &());
        assert_error!(
            evade,
            Error::Lab(reprise_engine::lab::LabError::Unreadable { pages: 14, .. })
        );
    });
}

#[test]
fn a_corpus_without_shingles() {
    let small = Small::with_settings(Settings::default());
    let none = Corpus::create(small.path("none"), Settings::default()).unwrap();
    let output = ResultFile::new(small.path("result.csv")).unwrap();
    small.unchanged(|small| {
        for corpus in [&small.corpus, &none] {
            let options = PhraseOptions::default();
            let sample = SampleOptions::default();
            let near = NearOptions::default();
            for result in [
                corpus
                    .near(&Near::default(), &near, Some(&output), &())
                    .map(|_| ()),
                corpus.phrases(options, &()).map(|_| ()),
                corpus
                    .sample_sources(&sample, options, false, &())
                    .map(|_| ()),
                corpus.sites(options, &()).map(|_| ()),
                corpus.export(ExportTable::Shingles, &output, &()).map(drop),
            ] {
                assert_error!(
                    result,
                    Error::Store(StoreError::NoShingles { path }) if path == corpus.path()
                );
            }
            // Other methods and the report do not need shingles.
            let exact = corpus.near(&Near::Exact, &near, None, &());
            assert_eq!(exact.unwrap().copies.clusters, 0);
            let report = corpus.report(&ReportOptions::default(), None, &()).unwrap();
            assert!(report.near.is_none() && report.phrases.is_none());
        }
        let sources = small
            .corpus
            .sources(ORIGINAL, PhraseOptions::default(), false, &());
        assert_error!(sources, Error::Store(StoreError::NoShingles { .. }));
    });
}

#[test]
fn an_empty_corpus_has_empty_results() {
    let settings = Settings {
        shingles: true,
        ..Settings::default()
    };
    let small = Small::new();
    let corpus = Corpus::create(small.path("none"), settings).unwrap();
    let report = corpus.report(&ReportOptions::default(), None, &()).unwrap();
    assert_eq!(report.discovery.labeled, 0);
    assert_eq!(report.near.unwrap().documents, 0);
    assert!(!report.notes.is_empty());
    let evade = corpus.evade(&reprise_engine::lab::EvadeOptions::default(), &());
    assert_error!(evade, Error::Lab(reprise_engine::lab::LabError::NoPages));
}

#[test]
fn unknown_extensions_of_result_files() {
    for path in ["found.txt", "found.json", "found.parquet.gz", "dir/found."] {
        assert_error!(
            ResultFile::new(path),
            Error::Format(FormatError::Extension { path: found }) if found == Path::new(path)
        );
    }
    let error = ResultFile::new("found.txt").unwrap_err();
    assert_eq!(error.fault(), Fault::Caller);
    for path in ["found", "found.parquet", "found.JSONL", "a.b/found.csv"] {
        ResultFile::new(path).unwrap();
    }
}

#[test]
fn results_that_cannot_be_written() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    let nowhere = ResultFile::new(small.path("missing/found.parquet")).unwrap();
    let file = small.write("file", "text");
    small.unchanged(|small| {
        let corpus = &small.corpus;
        let discover = reprise_engine::DiscoverOptions::default();
        let detect = DetectOptions::default();
        let output = Some((file.as_path(), reprise_engine::Format::Parquet));
        let near = NearOptions::default();
        let labelling = LabelOptions::default();
        for result in [
            corpus.discover(&discover, Some(&nowhere), &()).map(|_| ()),
            corpus
                .near(&Near::default(), &near, Some(&nowhere), &())
                .map(|_| ()),
            corpus.export(ExportTable::Pages, &nowhere, &()).map(drop),
            corpus.detect(&labels, &detect, output, &()).map(|_| ()),
            label_pages(&small.inputs(), &labelling, &nowhere, resources(), &()).map(|_| ()),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.fault(), Fault::Environment);
            assert_error!(
                Err::<(), _>(error),
                Error::Store(StoreError::Io {
                    action: Action::Write,
                    ..
                })
            );
        }
    });
}

#[test]
fn results_of_another_kind() {
    let small = Small::new();
    let text = small.write("found.csv", "a,b\n");
    let output = ResultFile::new(small.path("out.jsonl")).unwrap();
    small.unchanged(|small| {
        assert_error!(
            export_file(&text, &output, &()),
            Error::NotAResult { path } if path == text
        );
        let table = small.corpus.path().join("segments/00000001/chunks.parquet");
        assert_error!(export_file(&table, &output, &()), Error::NotAResult { .. });
        assert_error!(
            export_file(&small.path("missing.parquet"), &output, &()),
            Error::Store(StoreError::Io {
                action: Action::Read,
                ..
            })
        );
    });
}

#[test]
fn a_scan_keeps_the_corpus_of_other_inputs() {
    let small = Small::new();
    let results = small.path("results");
    let run = |inputs: &[String], add| {
        let options = ScanOptions {
            add,
            ..ScanOptions::default()
        };
        scan(inputs, &results, &options, resources(), &())
    };
    let first = run(&small.inputs(), false).unwrap();
    assert_eq!(first.index.pages, 14);
    for file in &first.files {
        assert!(file.is_file(), "{}", file.display());
    }
    let more = [name(&small.write(
        "more.jsonl",
        "{\"url\":\"http://m.example/\",\"text\":\"more\"}\n",
    ))];
    small.unchanged(|small| {
        assert_error!(
            run(&more, false),
            Error::CorpusExists { path, source_name }
                if path == results.join("corpus") && source_name == small.input
        );
    });
    // The same inputs again: nothing is added, and the results are the same.
    let before = files(&results);
    let again = run(&small.inputs(), false).unwrap();
    assert_eq!((again.index.pages, again.index.segments), (0, 0));
    assert_eq!(again.index.sources.held, 1);
    assert!(files(&results) == before, "a second scan changes nothing");
    // More inputs of which the corpus has some need no permission, others do.
    let both = [small.inputs(), more.to_vec()].concat();
    assert_eq!(run(&both, false).unwrap().index.pages, 1);
    assert_error!(run(&more, false), Error::CorpusExists { .. });
    let added = run(&more, true).unwrap();
    assert_eq!((added.index.pages, added.index.sources.held), (0, 1));
    assert_eq!(added.report.corpus.pages, 15);
}

#[test]
fn a_scan_reads_its_files_before_it_indexes() {
    let small = Small::new();
    let results = small.path("results");
    let missing = small.path("missing");
    let stop_list = ReportOptions {
        stop_list: Some(missing.clone()),
        ..ReportOptions::default()
    };
    let campaigns = ReportOptions {
        campaigns: CampaignOptions {
            files: Some(SigningFiles {
                lexicon: missing.clone(),
                contexts: None,
                second_lexicon: None,
                second_contexts: None,
            }),
            ..CampaignOptions::default()
        },
        ..ReportOptions::default()
    };
    small.unchanged(|small| {
        for report in [stop_list, campaigns] {
            let options = ScanOptions {
                report,
                ..ScanOptions::default()
            };
            assert_error!(
                scan(&small.inputs(), &results, &options, resources(), &()),
                Error::File { action: Action::Read, path, .. } if path == missing
            );
        }
    });
}

#[test]
fn empty_directories_have_no_pages() {
    let small = Small::new();
    let empty = small.path("empty");
    fs::create_dir(&empty).unwrap();
    let inputs = [name(&empty)];
    let labels = ResultFile::new(small.path("labels.parquet")).unwrap();
    let labelling = LabelOptions::default();
    assert_error!(
        label_pages(&inputs, &labelling, &labels, resources(), &()),
        Error::NothingRead { .. }
    );
    assert!(!labels.path.exists());
    let (corpus, added) = Corpus::index_into(
        &small.path("new"),
        RequestedSettings::default(),
        &inputs,
        &IndexOptions::default(),
        resources(),
        &(),
    )
    .unwrap();
    assert_error!(added.check_read(), Error::NothingRead { .. });
    assert_eq!((added.segments, corpus.info(&()).unwrap().pages), (0, 0));
    let results = small.path("results");
    assert_error!(
        scan(&inputs, &results, &ScanOptions::default(), resources(), &()),
        Error::NothingRead { .. }
    );
    assert!(!results.exists());
    // Without inputs there is nothing to read either.
    let (_, added) = Corpus::index_into(
        &small.path("new"),
        RequestedSettings::default(),
        &[],
        &IndexOptions::default(),
        resources(),
        &(),
    )
    .unwrap();
    assert_error!(added.check_read(), Error::NothingRead { .. });
}

/// Calls every function that takes inputs.
fn read_input(small: &mut Small, input: &str) -> Vec<Result<(), Error>> {
    let inputs = [input.to_owned()];
    let labels = small.path("labels.parquet");
    let out = ResultFile::new(small.path("out.parquet")).unwrap();
    let convert = ConvertOptions::default();
    let signing = small
        .corpus
        .train_signing(&SigningOptions::default(), &convert, &());
    let signing = signing.unwrap();
    let training = TrainInputs {
        ham: inputs.to_vec(),
        ..TrainInputs::default()
    };
    let dropping = DropOptions {
        clusters: small.path("clusters.parquet"),
        output: small.path("dropped"),
        limits: reprise_engine::LimitOptions::default(),
        dry_run: false,
    };
    let mut see = |_: CheckedItem| Ok::<(), Error>(());
    let checker = Checker::open(&labels, None).unwrap();
    let results = [
        small
            .corpus
            .index(&inputs, &IndexOptions::default(), &())
            .map(|_| ()),
        label_pages(&inputs, &LabelOptions::default(), &out, resources(), &()).map(|_| ()),
        scan(
            &inputs,
            &small.path("results"),
            &ScanOptions::default(),
            resources(),
            &(),
        )
        .map(|_| ()),
        checker.session().input(input, None, &mut see),
        drop_pages(&inputs, &dropping, &()).map(|_| ()),
        train(
            &training,
            &TrainOptions::default(),
            false,
            &convert,
            resources(),
            &(),
        )
        .map(|_| ()),
        sign_documents(&inputs, &signing, &convert, resources(), &(), |_| {
            Ok::<(), Error>(())
        })
        .map(|_| ()),
    ];
    results.into()
}

#[test]
fn inputs_that_cannot_be_read() {
    let mut small = Small::new();
    small.label("labels.parquet", Settings::default());
    clusters_of(&small);
    let before = files(small.directory.path());
    let missing = small.path("missing.warc");
    for result in read_input(&mut small, &name(&missing)) {
        let error = result.unwrap_err();
        assert_eq!(error.fault(), Fault::Caller);
        assert_error!(
            Err::<(), _>(error),
            Error::Input(InputError::Unreadable { path, .. }) if path == missing
        );
    }
    let list = format!("@{}", name(&small.path("missing.txt")));
    for result in read_input(&mut small, &list) {
        assert_error!(result, Error::Input(InputError::Unreadable { .. }));
    }
    for result in read_input(&mut small, "") {
        assert_error!(result, Error::Input(InputError::Nameless));
    }
    for result in read_input(&mut small, "https://a.example/crawl.warc.gz") {
        assert_error!(result, Error::Input(InputError::Remote { .. }));
    }
    assert!(files(small.directory.path()) == before);
}

#[test]
fn inputs_that_are_read_more_than_once() {
    let mut small = Small::new();
    small.label("labels.parquet", Settings::default());
    clusters_of(&small);
    // Archives and documents that are read again cannot come from standard input.
    let read = read_input_again(&mut small, "-");
    for result in read {
        assert_error!(result, Error::ReadOnce { name } if name == "-");
    }
}

fn read_input_again(small: &mut Small, input: &str) -> Vec<Result<(), Error>> {
    let inputs = [input.to_owned()];
    let convert = ConvertOptions::default();
    let signing = small
        .corpus
        .train_signing(&SigningOptions::default(), &convert, &());
    let signing = signing.unwrap();
    let training = TrainInputs {
        spam: inputs.to_vec(),
        ..TrainInputs::default()
    };
    let dropping = DropOptions {
        clusters: small.path("clusters.parquet"),
        output: small.path("dropped"),
        limits: reprise_engine::LimitOptions::default(),
        dry_run: true,
    };
    let options = TrainOptions::default();
    vec![
        drop_pages(&inputs, &dropping, &()).map(|_| ()),
        train(&training, &options, false, &convert, resources(), &()).map(|_| ()),
        sign_documents(&inputs, &signing, &convert, resources(), &(), |_| {
            Ok::<(), Error>(())
        })
        .map(|_| ()),
    ]
}

#[test]
fn stop_lists() {
    let small = Small::new();
    let missing = small.path("missing");
    assert_error!(
        small.corpus.stop_rules(0, Some(&missing)),
        Error::File { action: Action::Read, path, .. } if path == missing
    );
    let wrong = small.path("wrong");
    fs::write(&wrong, b"caf\xe9\n").unwrap();
    small.unchanged(|small| {
        assert_error!(
            small.corpus.stop_rules(0, Some(&wrong)),
            Error::StopList { path, .. } if path == wrong
        );
    });
}

#[test]
fn lexicons() {
    let small = Small::new();
    let training = TrainInputs {
        unclassified: small.inputs(),
        ..TrainInputs::default()
    };
    let trained = |options: TrainOptions| {
        train(
            &training,
            &options,
            true,
            &ConvertOptions::default(),
            resources(),
            &(),
        )
        .unwrap()
    };
    let one = trained(TrainOptions::default());
    let other = trained(TrainOptions {
        size_max: 3,
        ..TrainOptions::default()
    });
    let lexicon = small.write("lexicon", one.lexicon.to_bytes());
    let contexts = other.contexts.unwrap();
    let contexts = small.write("contexts", contexts.to_bytes());
    let text = small.write("text", "no lexicon");
    let read = |lexicon: &Path, contexts: Option<&Path>| {
        let files = SigningFiles {
            lexicon: lexicon.to_owned(),
            contexts: contexts.map(Path::to_owned),
            second_lexicon: None,
            second_contexts: None,
        };
        files.read(&SigningOptions::default())
    };
    small.unchanged(|small| {
        let missing = small.path("missing");
        read(&lexicon, None).unwrap();
        assert_error!(
            read(&missing, None),
            Error::File { action: Action::Read, path, .. } if path == missing
        );
        assert_error!(
            read(&text, None),
            Error::Lexicon { path, source: FileError::Header { .. } } if path == text
        );
        assert_error!(
            read(&lexicon, Some(&contexts)),
            Error::Lexicon { path, source: FileError::Lexicon } if path == contexts
        );
    });
}

#[test]
fn classes() {
    let small = Small::new();
    let try_with = |text: &str| {
        let classes = small.write("classes", text);
        let inputs = TrainInputs {
            unclassified: small.inputs(),
            classes: Some(classes),
            ..TrainInputs::default()
        };
        train(
            &inputs,
            &TrainOptions::default(),
            false,
            &ConvertOptions::default(),
            resources(),
            &(),
        )
    };
    assert_error!(
        try_with("http://a.example/ ham\n"),
        Error::Classes(ClassesError::Line { line: 1, .. })
    );
    assert_error!(
        try_with("http://a.example/\tham\nhttp://a.example/\tspam\n"),
        Error::Classes(ClassesError::Both { line: 2, .. })
    );
    assert_error!(
        try_with("http://unknown.example/\tham\n"),
        Error::Classes(ClassesError::NoneKnown { .. })
    );
    let trained = try_with(&format!("{ORIGINAL}\tham\n{COPY}\tspam\n")).unwrap();
    assert_eq!((trained.summary.ham, trained.summary.spam), (1, 1));
}

#[test]
fn lists_of_digests() {
    let small = Small::new();
    let text = small.write("text", "no digests");
    let missing = small.path("missing");
    small.unchanged(|_| {
        assert_error!(
            DigestList::read(&text, |_, _| ()),
            Error::DigestList { path, source: LineError::Header } if path == text
        );
        assert_error!(
            DigestList::read(&missing, |_, _| ()),
            Error::File {
                action: Action::Read,
                ..
            }
        );
    });
}

#[test]
fn clusters_to_drop() {
    let small = Small::new();
    let clusters = clusters_of(&small);
    let labels = small.label("labels.parquet", Settings::default());
    let more = name(&small.write(
        "more.jsonl",
        "{\"url\":\"http://m.example/\",\"text\":\"m\"}\n",
    ));
    let out = small.path("out");
    let drop = |inputs: &[String], clusters: &Path, output: &Path| {
        let options = DropOptions {
            clusters: clusters.to_owned(),
            output: output.to_owned(),
            limits: reprise_engine::LimitOptions::default(),
            dry_run: false,
        };
        drop_pages(inputs, &options, &())
    };
    let inputs = small.inputs();
    small.unchanged(|small| {
        assert_error!(
            drop(&inputs, &labels, &out),
            Error::Drop(DropError::NotClusters { path }) if path == labels
        );
        assert_error!(
            drop(&inputs, &small.path("missing"), &out),
            Error::Store(StoreError::Io {
                action: Action::Read,
                ..
            })
        );
        assert_error!(
            drop(std::slice::from_ref(&more), &clusters, &out),
            Error::Drop(DropError::OtherSources { path, example })
                if path == clusters && example == small.input
        );
        let twice = [inputs.clone(), inputs.clone()].concat();
        assert_error!(
            drop(&twice, &clusters, &out),
            Error::Drop(DropError::SameName { .. })
        );
        assert_error!(
            drop(&inputs, &clusters, small.directory.path()),
            Error::Drop(DropError::IsInput { name }) if name == small.input
        );
    });
    let done = drop(&inputs, &clusters, &out).unwrap();
    assert_eq!((done.pages, done.dropped, done.kept), (14, 5, 9));
    small.unchanged(|_| {
        assert_error!(
            drop(&inputs, &clusters, &out),
            Error::Drop(DropError::Exists { path }) if path == out.join("pages.jsonl")
        );
    });
    let text = fs::read_to_string(&small.input).unwrap();
    fs::write(&small.input, text.replace("copy.example", "kopy.example")).unwrap();
    small.unchanged(|small| {
        assert_error!(
            drop(&inputs, &clusters, &small.path("deep/new")),
            Error::Drop(DropError::Changed { name }) if name == small.input
        );
        assert!(!small.path("deep").exists());
    });
}
