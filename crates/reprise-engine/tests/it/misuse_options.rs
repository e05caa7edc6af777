//! Options that are out of range are typed errors, and change nothing. Extreme options are not errors.

use std::path::Path;

use reprise_engine::crawler::{CrawlConfig, CrawlError};
use reprise_engine::defaults::{MEMORY_BYTES, MEMORY_BYTES_MIN};
use reprise_engine::lab::{CompareOptions, EvadeOptions, LabError};
use reprise_engine::signatures::attack::{AttackError, AttackOptions};
use reprise_engine::signatures::{
    Choice, Class, ContextConfig, ContextRule, SignerError, Signing, SigningOptions, TermRules,
    TrainError, TrainOptions,
};
use reprise_engine::{
    AttackInputs, Bands, ConvertOptions, Corpus, DetectOptions, DiscoverOptions, DropOptions,
    Error, Fault, IndexOptions, LabelOptions, LimitOptions, Link, Near, NearOptions, PhraseOptions,
    ReportOptions, RequestedSettings, Resources, ResultFile, SampleOptions, ScanOptions,
    ShareThreshold, StopRules, Threshold, TrainInputs, VerifyOptions, crawl_into, drop_pages,
    label_pages, scan, sign_documents, simulate_attacks, train, verify_corpus,
};

use crate::small::{ORIGINAL, Small, assert_error, option_of};

fn resources() -> Resources {
    Resources::default()
}

/// Trains a lexicon on the documents of a small corpus.
fn signing(small: &Small, options: SigningOptions) -> Signing {
    let convert = ConvertOptions::default();
    small.corpus.train_signing(&options, &convert, &()).unwrap()
}

/// Calls every function that takes resources.
fn call_with_resources(small: &Small, resources: Resources) -> Vec<Result<(), Error>> {
    let inputs = small.inputs();
    let out = small.path("out.parquet");
    let output = ResultFile::new(&out).unwrap();
    let signing = signing(small, SigningOptions::default());
    let convert = ConvertOptions::default();
    let path = small.corpus.path();
    let new = small.path("new");
    let training = TrainInputs {
        unclassified: inputs.clone(),
        ..TrainInputs::default()
    };
    let crawl = CrawlConfig {
        seeds: vec!["http://a.invalid/".to_owned()],
        ..CrawlConfig::default()
    };
    vec![
        (Corpus::open(path).unwrap())
            .with_resources(resources)
            .map(|_| ()),
        Corpus::index_into(
            &new,
            RequestedSettings::default(),
            &inputs,
            &IndexOptions::default(),
            resources,
            &(),
        )
        .map(|_| ()),
        label_pages(&inputs, &LabelOptions::default(), &output, resources, &()).map(|_| ()),
        verify_corpus(path, &VerifyOptions::default(), resources, &()).map(|_| ()),
        scan(&inputs, &new, &ScanOptions::default(), resources, &()).map(|_| ()),
        train(
            &training,
            &TrainOptions::default(),
            false,
            &convert,
            resources,
            &(),
        )
        .map(|_| ()),
        sign_documents(&inputs, &signing, &convert, resources, &(), |_| {
            Ok::<(), Error>(())
        })
        .map(|_| ()),
        simulate_attacks(
            &AttackInputs::default(),
            &signing,
            &AttackOptions::default(),
            &convert,
            resources,
            &(),
        )
        .map(|_| ()),
        crawl_into(&new, crawl, &IndexOptions::default(), resources, &(), &()).map(|_| ()),
    ]
}

#[test]
fn memory_and_threads() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    let wrong = [
        (MEMORY_BYTES_MIN - 1, None, "memory"),
        (0, Some(1), "memory"),
        (MEMORY_BYTES, Some(0), "threads"),
        (MEMORY_BYTES, Some(1025), "threads"),
        (MEMORY_BYTES, Some(usize::MAX), "threads"),
    ];
    small.unchanged(|small| {
        for (memory_bytes, threads, option) in wrong {
            let resources = Resources {
                memory_bytes,
                threads,
            };
            assert_eq!(option_of(resources.validate()), option);
            for result in call_with_resources(small, resources) {
                let error = result.as_ref().unwrap_err();
                assert_eq!(
                    (error.option(), error.fault()),
                    (Some(option), Fault::Caller)
                );
                assert_eq!(option_of(result), option);
            }
            // Label files that are merged need no corpus, but have the same limits.
            let inputs = [crate::support::name(labels.path())];
            let output = ResultFile::new(small.path("merged.parquet")).unwrap();
            let merged = label_pages(&inputs, &LabelOptions::default(), &output, resources, &());
            assert_eq!(option_of(merged), option);
        }
    });
}

#[test]
fn limits_of_records() {
    let mut small = Small::new();
    let limits = |limits: LimitOptions| IndexOptions {
        limits,
        ..IndexOptions::default()
    };
    let none = LimitOptions::default();
    let ratio = LimitOptions {
        ratio: Some(0),
        ..none
    };
    let body = LimitOptions {
        body_bytes: Some(MEMORY_BYTES / 32 + 1),
        ..none
    };
    let header = LimitOptions {
        header_bytes: Some(MEMORY_BYTES / 128 + 1),
        ..none
    };
    let segment = IndexOptions {
        segment_bytes: Some(MEMORY_BYTES / 5),
        ..IndexOptions::default()
    };
    let wrong = [
        (limits(ratio), "max_ratio"),
        (limits(body), "max_body"),
        (limits(header), "max_header"),
        (segment, "segment_size"),
    ];
    let inputs = small.inputs();
    for (options, option) in &wrong {
        small.unchanged_mut(|corpus| {
            assert_eq!(option_of(corpus.index(&inputs, options, &())), *option);
        });
        small.unchanged(|small| {
            let output = ResultFile::new(small.path("labels.parquet")).unwrap();
            let labelling = LabelOptions {
                index: options.clone(),
                ..LabelOptions::default()
            };
            let labels = label_pages(&inputs, &labelling, &output, resources(), &());
            assert_eq!(option_of(labels), *option);
            let scanning = ScanOptions {
                index: options.clone(),
                ..ScanOptions::default()
            };
            let scanned = scan(&inputs, &small.path("results"), &scanning, resources(), &());
            assert_eq!(option_of(scanned), *option);
        });
    }
}

#[test]
fn limits_of_records_that_are_read_again() {
    let small = Small::new();
    let clusters = small.path("clusters.parquet");
    let output = ResultFile::new(&clusters).unwrap();
    let (method, options) = (Near::default(), NearOptions::default());
    small
        .corpus
        .near(&method, &options, Some(&output), &())
        .unwrap();
    let wrong = [
        (Some(0), None, "max_ratio"),
        (None, Some(usize::MAX), "max_body"),
    ];
    small.unchanged(|small| {
        for (ratio, body_bytes, option) in wrong {
            let limits = LimitOptions {
                ratio,
                body_bytes,
                ..LimitOptions::default()
            };
            let verify = VerifyOptions {
                archives: true,
                limits,
            };
            let verified = verify_corpus(small.corpus.path(), &verify, resources(), &());
            assert_eq!(option_of(verified), option);
            let dropping = DropOptions {
                clusters: clusters.clone(),
                output: small.path("dropped"),
                limits,
                dry_run: false,
            };
            let dropped = drop_pages(&small.inputs(), &dropping, &());
            assert_eq!(option_of(dropped), option);
        }
    });
}

#[test]
fn near_copies() {
    let small = Small::new();
    let signing = signing(&small, SigningOptions::default());
    let verified = |similarity| Near::Shingle {
        link: Link::Verified { similarity },
    };
    let closure = |bands, rows, agreeing| Near::Shingle {
        link: Link::Closure {
            bands: Bands {
                bands,
                rows,
                agreeing,
            },
        },
    };
    let imatch = |shared| Near::Imatch {
        shared,
        signing: &signing,
    };
    let wrong = [
        (verified(0.0), "similarity"),
        (verified(0.099), "similarity"),
        (verified(1.001), "similarity"),
        (verified(f64::NAN), "similarity"),
        (verified(f64::INFINITY), "similarity"),
        (Near::Fuzzy { score: 0 }, "score"),
        (Near::Fuzzy { score: 101 }, "score"),
        (imatch(-0.001), "shared"),
        (imatch(1.001), "shared"),
        (imatch(f64::NAN), "shared"),
        (closure(0, 14, 1), "bands"),
        (closure(85, 1, 1), "bands"),
        (closure(6, 0, 1), "rows"),
        (closure(6, 15, 2), "rows"),
        (closure(6, usize::MAX, 2), "rows"),
        (closure(6, 14, 0), "agreeing"),
        (closure(6, 14, 3), "agreeing"),
        (closure(1, 14, 2), "agreeing"),
    ];
    small.unchanged(|small| {
        for (method, option) in wrong {
            let output = ResultFile::new(small.path("clusters.parquet")).unwrap();
            let options = NearOptions::default();
            let found = small.corpus.near(&method, &options, Some(&output), &());
            assert_eq!(option_of(found), option, "{method:?}");
        }
        let right = [
            verified(0.1),
            verified(1.0),
            Near::Fuzzy { score: 1 },
            Near::Fuzzy { score: 100 },
            imatch(0.0),
            imatch(1.0),
            closure(84, 1, 1),
            closure(1, 84, 1),
            closure(2, 42, 2),
        ];
        for method in right {
            let found = small
                .corpus
                .near(&method, &NearOptions::default(), None, &());
            assert_eq!(found.unwrap().copies.pages, 14, "{method:?}");
        }
    });
}

#[test]
fn signatures() {
    let small = Small::new();
    let with = |options: SigningOptions| signing(&small, options);
    let lexicons = with(SigningOptions {
        randomised: 65,
        ..SigningOptions::default()
    });
    let share = |dropped_share| {
        with(SigningOptions {
            randomised: 1,
            dropped_share,
            ..SigningOptions::default()
        })
    };
    let inputs = small.inputs();
    let convert = ConvertOptions::default();
    let near = |signing: &Signing| {
        let method = Near::Imatch {
            shared: 0.2,
            signing,
        };
        small
            .corpus
            .near(&method, &NearOptions::default(), None, &())
    };
    let sign = |signing: &Signing| {
        sign_documents(&inputs, signing, &convert, resources(), &(), |_| {
            Ok::<(), Error>(())
        })
    };
    let attack = |signing: &Signing| {
        let attack_inputs = AttackInputs {
            payloads: inputs.clone(),
            good: inputs.clone(),
            dictionary: None,
        };
        let options = AttackOptions::default();
        simulate_attacks(
            &attack_inputs,
            signing,
            &options,
            &convert,
            resources(),
            &(),
        )
    };
    small.unchanged(|_| {
        assert_error!(
            near(&lexicons),
            Error::Signer(SignerError::Lexicons { found: 65 })
        );
        assert_error!(
            sign(&lexicons),
            Error::Signer(SignerError::Lexicons { found: 65 })
        );
        assert_error!(attack(&lexicons), Error::Attack(AttackError::Signer(_)));
        for wrong in [share(-0.1), share(1.1), share(f64::NAN)] {
            assert_error!(near(&wrong), Error::Signer(SignerError::Share { .. }));
            assert_error!(sign(&wrong), Error::Signer(SignerError::Share { .. }));
        }
    });
}

#[test]
fn detection() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    let none = DetectOptions::default;
    let page = |threshold| DetectOptions {
        page_threshold: ShareThreshold::Fixed(threshold),
        ..none()
    };
    let neighborhood = |threshold| DetectOptions {
        neighborhood_threshold: ShareThreshold::Fixed(threshold),
        ..none()
    };
    let depth = DetectOptions {
        depth: Some(0),
        ..none()
    };
    let wrong = [
        (depth, "depth"),
        (page(-0.1), "page_threshold"),
        (page(1.1), "page_threshold"),
        (page(f64::NAN), "page_threshold"),
        (neighborhood(2.0), "neighborhood_threshold"),
        (neighborhood(f64::NAN), "neighborhood_threshold"),
    ];
    let directory = small.path("results");
    for (detect, option) in wrong {
        small.unchanged(|small| {
            let output = Some((directory.as_path(), reprise_engine::Format::Jsonl));
            let found = small.corpus.detect(&labels, &detect, output, &());
            assert_eq!(option_of(found), option);
            // A report and a scan check the options of all stages before they begin.
            let report = ReportOptions {
                detect: detect.clone(),
                ..ReportOptions::default()
            };
            let found = small.corpus.report(&report, Some(&directory), &());
            assert_eq!(option_of(found), option);
            let scanning = ScanOptions {
                report,
                ..ScanOptions::default()
            };
            let found = scan(&small.inputs(), &directory, &scanning, resources(), &());
            assert_eq!(option_of(found), option);
        });
    }
}

#[test]
fn phrases() {
    let small = Small::new();
    small.unchanged(|small| {
        for min_documents in [0, 1] {
            let options = PhraseOptions {
                min_documents,
                ..PhraseOptions::default()
            };
            let corpus = &small.corpus;
            assert_eq!(option_of(corpus.phrases(options, &())), "min_documents");
            let sources = corpus.sources(ORIGINAL, options, false, &());
            assert_eq!(option_of(sources), "min_documents");
            let sample = SampleOptions::default();
            let sampled = corpus.sample_sources(&sample, options, false, &());
            assert_eq!(option_of(sampled), "min_documents");
            assert_eq!(option_of(corpus.sites(options, &())), "min_documents");
        }
    });
}

#[test]
fn experiments() {
    let small = Small::new();
    let evade = EvadeOptions {
        documents: 0,
        ..EvadeOptions::default()
    };
    let compare = CompareOptions::default();
    small.unchanged(|small| {
        assert_error!(
            small.corpus.evade(&evade, &()),
            Error::Lab(LabError::TooSmall {
                option: "documents",
                least: 1
            })
        );
        for pages in [0, 1] {
            assert_error!(
                small
                    .corpus
                    .compare_hashes(&CompareOptions { pages, ..compare }, &()),
                Error::Lab(LabError::TooSmall {
                    option: "pages",
                    least: 2
                })
            );
        }
        let words = CompareOptions {
            words_min: 0,
            ..compare
        };
        assert_error!(
            small.corpus.compare_hashes(&words, &()),
            Error::Lab(LabError::TooSmall {
                option: "words_min",
                least: 1
            })
        );
        for threshold in [-129, 129, i32::MIN, i32::MAX] {
            let options = CompareOptions {
                threshold,
                ..compare
            };
            let found = small.corpus.compare_hashes(&options, &());
            assert_eq!(found.as_ref().unwrap_err().option(), Some("threshold"));
            assert_error!(
                found,
                Error::Lab(LabError::Threshold { found }) if found == threshold
            );
        }
        let long = CompareOptions {
            chars_min: usize::MAX,
            ..compare
        };
        assert_error!(
            small.corpus.compare_hashes(&long, &()),
            Error::Lab(LabError::TooFewPages {
                chars_min: usize::MAX
            })
        );
        let found = small.corpus.evade(&evade, &()).unwrap_err();
        assert_eq!(
            (found.option(), found.fault()),
            (Some("documents"), Fault::Caller)
        );
    });
}

type Change = fn(&mut AttackOptions);

/// Returns changes that make an option wrong, with the name of the option.
fn wrong_attacks() -> [(&'static str, Change); 10] {
    [
        ("words", |options| options.words = 10_000_001),
        ("believed_size", |options| {
            options.believed_size = 10_000_001;
        }),
        ("guesses", |options| options.guesses = 10_001),
        ("payloads", |options| options.payloads = 10_001),
        ("runs", |options| options.runs = 0),
        ("runs", |options| options.runs = 10_000_001),
        ("campaigns", |options| options.campaigns = 100_001),
        ("copies", |options| options.copies = 0),
        ("copies", |options| options.copies = 100_001),
        ("noise", |options| options.noise = vec![1, 100_001]),
    ]
}

#[test]
fn attacks() {
    let small = Small::new();
    let signing = signing(&small, SigningOptions::default());
    let inputs = AttackInputs {
        payloads: small.inputs(),
        good: small.inputs(),
        dictionary: None,
    };
    let simulate = |inputs: &AttackInputs, options: &AttackOptions| {
        let convert = ConvertOptions::default();
        simulate_attacks(inputs, &signing, options, &convert, resources(), &())
    };
    small.unchanged(|_| {
        for (name, change) in wrong_attacks() {
            let mut options = AttackOptions::default();
            change(&mut options);
            let found = simulate(&inputs, &options);
            assert_eq!(found.as_ref().unwrap_err().option(), Some(name));
            assert_error!(
                found,
                Error::Attack(AttackError::OutOfRange { option, .. }) if option == name
            );
        }
        let without_words = AttackInputs {
            good: Vec::new(),
            ..inputs.clone()
        };
        assert_error!(
            simulate(&without_words, &AttackOptions::default()),
            Error::Attack(AttackError::NoWords)
        );
        let without_payload = AttackInputs {
            payloads: Vec::new(),
            ..inputs.clone()
        };
        assert_error!(
            simulate(&without_payload, &AttackOptions::default()),
            Error::Attack(AttackError::NoPayload { documents: 0 })
        );
    });
}

#[test]
fn training() {
    let small = Small::new();
    let inputs = TrainInputs {
        unclassified: small.inputs(),
        ..TrainInputs::default()
    };
    let none = TrainOptions::default();
    let try_on = |inputs: &TrainInputs, options: TrainOptions| {
        let convert = ConvertOptions::default();
        train(inputs, &options, true, &convert, resources(), &())
    };
    let try_with = |options| try_on(&inputs, options);
    let share = |share_max| TrainOptions { share_max, ..none };
    let context = |share| TrainOptions {
        contexts: ContextConfig {
            rule: ContextRule::Share(share),
            ..none.contexts
        },
        ..none
    };
    let chars = TrainOptions {
        rules: TermRules {
            chars_min: 5,
            chars_max: 4,
            ..none.rules
        },
        ..none
    };
    let leaning = TrainOptions {
        leaning: Some(Class::Bad),
        ..none
    };
    let by_information = TrainOptions {
        by: Some(Choice::Information),
        ..none
    };
    let rare = TrainOptions {
        documents_min: u32::MAX,
        ..none
    };
    small.unchanged(|small| {
        assert_error!(
            try_with(chars),
            Error::Train(TrainError::Chars { min: 5, max: 4 })
        );
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_error!(
                try_with(share(wrong)),
                Error::Train(TrainError::Share { .. })
            );
            let found = try_with(context(wrong));
            assert_error!(found, Error::Train(TrainError::ContextShare { .. }));
        }
        assert_error!(try_with(leaning), Error::Train(TrainError::UnusedLeaning));
        assert_error!(
            try_with(by_information),
            Error::Train(TrainError::OneClass {
                missing: "classified",
                ..
            })
        );
        let both = TrainInputs {
            ham: small.inputs(),
            spam: small.inputs(),
            ..TrainInputs::default()
        };
        let ranks = TrainOptions {
            ranks_skipped: 1,
            ..none
        };
        assert_error!(try_on(&both, ranks), Error::Train(TrainError::UnusedRanks));
        assert_error!(try_with(rare), Error::Train(TrainError::NoTerms { .. }));
        let nothing = TrainOptions {
            size_max: 0,
            ..none
        };
        assert_error!(try_with(nothing), Error::Train(TrainError::NoTerms { .. }));
        assert_error!(
            try_on(&TrainInputs::default(), none),
            Error::Train(TrainError::NoDocuments)
        );
    });
}

#[test]
fn crawls() {
    let small = Small::new();
    let none = || CrawlConfig {
        seeds: vec!["http://a.invalid/".to_owned()],
        ..CrawlConfig::default()
    };
    let crawl = |config| {
        let options = IndexOptions::default();
        crawl_into(
            &small.path("crawled"),
            config,
            &options,
            resources(),
            &(),
            &(),
        )
    };
    small.unchanged(|_| {
        let seedless = CrawlConfig::default();
        let score = CrawlConfig {
            score: 101,
            ..none()
        };
        let hosts = CrawlConfig {
            hosts_at_once: 0,
            ..none()
        };
        let wrong = [
            (seedless, "seeds"),
            (score, "score"),
            (hosts, "hosts_at_once"),
        ];
        for (config, name) in wrong {
            let found = crawl(config);
            assert_eq!(found.as_ref().unwrap_err().option(), Some(name));
            assert_error!(
                found,
                Error::Crawl(CrawlError::Option { option, .. }) if option == name
            );
        }
        let mail = CrawlConfig {
            seeds: vec!["mailto:a@b.example".to_owned()],
            ..none()
        };
        assert_error!(crawl(mail), Error::Crawl(CrawlError::Seed { .. }));
    });
}

/// The largest and smallest values that are allowed do not overflow or exhaust the memory.
#[test]
fn extreme_options_are_not_errors() {
    let small = Small::new();
    let labels = small.discover("labels.parquet");
    for memory_bytes in [MEMORY_BYTES_MIN, usize::MAX] {
        let resources = Resources {
            memory_bytes,
            threads: Some(3),
        };
        let corpus = Corpus::open(small.corpus.path()).unwrap();
        let corpus = corpus.with_resources(resources).unwrap();
        for top in [0, usize::MAX] {
            use_all_stages(&corpus, top, &labels);
        }
        let new = small.path(&format!("new-{memory_bytes}"));
        let options = IndexOptions {
            segment_bytes: Some(0),
            ..IndexOptions::default()
        };
        let requested = RequestedSettings::default();
        let (mut corpus, added) =
            Corpus::index_into(&new, requested, &small.inputs(), &options, resources, &()).unwrap();
        assert_eq!(added.pages, 14);
        reads_nothing_within_tiny_limits(&mut corpus, &small);
        let verify = VerifyOptions {
            archives: true,
            ..VerifyOptions::default()
        };
        assert!(verify_corpus(&new, &verify, resources, &()).unwrap().ok);
    }
}

fn use_all_stages(corpus: &Corpus, top: usize, labels: &reprise_engine::Labels) {
    for (threshold, min_length) in [
        (Threshold::Number(0), 0),
        (Threshold::Number(u64::MAX), 0),
        (Threshold::Auto, u64::MAX),
    ] {
        let options = DiscoverOptions {
            threshold,
            stop: StopRules::new(min_length, Vec::new()),
            top,
            ..DiscoverOptions::default()
        };
        let found = corpus.discover(&options, None, &()).unwrap();
        assert_eq!(found.labeled > 0, threshold == Threshold::Number(0));
    }
    let detect = DetectOptions {
        top,
        depth: Some(usize::MAX),
        min_chunks: u64::MAX,
        min_pages: u64::MAX,
        ..DetectOptions::default()
    };
    assert_eq!(
        corpus
            .detect(labels, &detect, None, &())
            .unwrap()
            .pages
            .counted,
        0
    );
    let detect = DetectOptions {
        top,
        ..DetectOptions::default()
    };
    let found = corpus.detect(labels, &detect, None, &()).unwrap();
    assert_eq!(found.pages.top.is_empty(), top == 0);
    for min_documents in [2, u32::MAX] {
        let options = PhraseOptions { min_documents, top };
        corpus.phrases(options, &()).unwrap();
        corpus.sites(options, &()).unwrap();
        for pages in [0, usize::MAX] {
            let sample = SampleOptions {
                popular_min: 0,
                pages,
                is_uniform: true,
                site: Some("no.example".to_owned()),
            };
            let found = corpus.sample_sources(&sample, options, true, &()).unwrap();
            assert!(found.pages.is_empty());
        }
    }
    let evade = EvadeOptions {
        documents: usize::MAX,
        methods: Vec::new(),
        edits: Vec::new(),
        ..EvadeOptions::default()
    };
    assert_eq!(corpus.evade(&evade, &()).unwrap().rows.len(), 0);
    let compare = CompareOptions {
        pages: usize::MAX,
        words_min: usize::MAX,
        project_pages: Some(u64::MAX),
        ..CompareOptions::default()
    };
    assert_eq!(corpus.compare_hashes(&compare, &()).unwrap().pages, 13);
}

fn reads_nothing_within_tiny_limits(corpus: &mut Corpus, small: &Small) {
    let page = small.path("page.html");
    std::fs::write(&page, "<p>A page that is larger than nothing.").unwrap();
    let options = IndexOptions {
        limits: LimitOptions {
            body_bytes: Some(0),
            header_bytes: Some(0),
            ratio: Some(1),
            nesting: Some(0),
        },
        ..IndexOptions::default()
    };
    let added = corpus.index(&[crate::support::name(Path::new(&page))], &options, &());
    assert_eq!(added.unwrap().pages, 0);
    std::fs::remove_file(&page).unwrap();
}
