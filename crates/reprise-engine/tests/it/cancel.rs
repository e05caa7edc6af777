//! A cancelled operation leaves the corpus intact and no files behind, and can be repeated.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use reprise_engine::{
    ChunkForm, Corpus, Error, Fault, Progress, RequestedSettings, Resources, ScanOptions,
    StoreError, VerifyOptions, scan, verify_corpus,
};
use tempfile::tempdir;

use crate::small::{Small, assert_error};
use crate::stages::{Call, STAGES, Web};
use crate::support::{How, add, files, planted_web, with_threads};

/// Cancels when it is asked for the `limit`-th time, counted from 0.
struct CancelAt {
    asked: AtomicUsize,
    limit: usize,
}

impl CancelAt {
    fn new(limit: usize) -> CancelAt {
        CancelAt {
            asked: AtomicUsize::new(0),
            limit,
        }
    }

    fn never() -> CancelAt {
        CancelAt::new(usize::MAX)
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Progress for CancelAt {
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.limit
    }
}

/// Cancels after a number of steps.
struct CancelAfterSteps {
    steps: AtomicUsize,
    limit: usize,
}

impl Progress for CancelAfterSteps {
    fn advance(&self, _: u64) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.steps.load(Ordering::Relaxed) >= self.limit
    }
}

fn assert_cancelled<T>(result: Result<T, Error>, what: &str) {
    let error = result.map(|_| ()).expect_err(what);
    assert_eq!(error.fault(), Fault::Cancelled, "{what}: {error:?}");
    assert_error!(Err::<(), _>(error), Error::Store(StoreError::Cancelled));
}

/// Asserts that a directory has no file that an operation was still writing.
fn assert_no_partial_files(directory: &Path) {
    let is_partial = |path: &PathBuf| {
        let path = path.to_string_lossy();
        path.contains(".reprise-") || path.contains(".partial")
    };
    let partial: Vec<PathBuf> = files(directory).into_keys().filter(is_partial).collect();
    assert!(partial.is_empty(), "{partial:?}");
}

fn assert_intact(corpus: &Path) {
    let options = VerifyOptions::default();
    let found = verify_corpus(corpus, &options, Resources::default(), &()).unwrap();
    assert!(found.ok, "{:?}", found.damage);
    assert_no_partial_files(corpus);
}

const HOW: How = How {
    threads: 2,
    segment_bytes: 100 << 10,
    chunk: ChunkForm::Markup,
};

fn index(names: &[String], corpus: &Path, progress: &dyn Progress) -> Result<u64, Error> {
    let requested = RequestedSettings::default();
    let (options, resources) = (HOW.options(), with_threads(HOW.threads));
    let done = Corpus::index_into(corpus, requested, names, &options, resources, progress);
    done.map(|(_, summary)| summary.segments)
}

#[test]
fn an_index_run_can_be_cancelled_and_continued() {
    let directory = tempdir().unwrap();
    let names = planted_web(&directory.path().join("web"));
    let whole = directory.path().join("whole");
    let counted = CancelAt::never();
    let segments = index(&names, &whole, &counted).unwrap();
    let expected = files(&whole);
    assert!(segments > 5);
    let asked = counted.asked();
    for limit in [0, 1, asked / 4, asked / 2, asked - 1] {
        let corpus = directory.path().join(format!("asked-{limit}"));
        let cancelled = index(&names, &corpus, &CancelAt::new(limit));
        assert_cancelled(cancelled, &format!("asked {limit} times"));
        assert_intact(&corpus);
        assert!(files(&corpus).len() < expected.len());
        add(&names, &corpus, HOW);
        assert!(files(&corpus) == expected, "asked {limit} times");
    }
    // Cancelled again and again, each time a little later.
    let corpus = directory.path().join("steps");
    let mut cancelled = 0;
    for limit in 1.. {
        let progress = CancelAfterSteps {
            steps: AtomicUsize::new(0),
            limit: limit * 2,
        };
        match index(&names, &corpus, &progress) {
            Ok(_) => break,
            result => assert_cancelled(result, "some steps"),
        }
        cancelled += 1;
        assert_intact(&corpus);
    }
    assert!(cancelled > 2, "{cancelled} times");
    assert!(
        files(&corpus) == expected,
        "after {cancelled} cancelled runs"
    );
}

/// Runs in a process of its own, whose temporary directory nothing else uses.
#[test]
fn stages_can_be_cancelled_and_repeated() {
    const CHILD: &str = "REPRISE_TEST_IS_CHILD";
    if std::env::var_os(CHILD).is_some() {
        cancel_stages();
        return;
    }
    let temporary = tempdir().unwrap();
    let own_name = "cancel::stages_can_be_cancelled_and_repeated";
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", own_name, "--nocapture"])
        .env(CHILD, "1")
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(text.contains("1 passed"), "the test was not found: {text}");
    let left: Vec<_> = fs::read_dir(temporary.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

fn cancel_stages() {
    let web = Web::new();
    let before = files(&web.path());
    for (name, run) in STAGES {
        let started = Instant::now();
        let out = web.directory.path().join("out");
        let expected_out = web.directory.path().join("expected");
        fs::create_dir_all(&out).unwrap();
        fs::create_dir_all(&expected_out).unwrap();
        let call = |progress: &dyn Progress, out: &Path| {
            let resources = with_threads(2);
            run(
                &web,
                Call {
                    resources,
                    out,
                    progress,
                },
            )
        };
        let counted = CancelAt::never();
        let expected = call(&counted, &expected_out).unwrap();
        let asked = counted.asked();
        assert!(asked > 0, "{name} cannot be cancelled");
        for limit in [0, 1, asked / 2, asked - 1] {
            assert_cancelled(call(&CancelAt::new(limit), &out), name);
            assert_no_partial_files(&out);
            // A report keeps the files of the stages that were complete.
            assert!(files(&out).is_empty() || name == "report", "{name}");
        }
        assert!(call(&(), &out).unwrap() == expected, "{name}");
        assert!(files(&out) == files(&expected_out), "{name}");
        fs::remove_dir_all(&out).unwrap();
        fs::remove_dir_all(&expected_out).unwrap();
        println!("{name}: asked {asked} times, {:.1?}", started.elapsed());
    }
    assert!(
        files(&web.path()) == before,
        "a stage has changed the corpus"
    );
    assert_intact(&web.path());
}

#[test]
fn a_scan_can_be_cancelled_and_repeated() {
    let small = Small::new();
    let run = |results: &Path, progress: &dyn Progress| {
        let options = ScanOptions::default();
        scan(
            &small.inputs(),
            results,
            &options,
            Resources::default(),
            progress,
        )
    };
    let expected = small.path("expected");
    let counted = CancelAt::never();
    run(&expected, &counted).unwrap();
    let corpus = |results: &Path| files(&results.join("corpus"));
    for limit in 0..counted.asked() {
        let results = small.path("results");
        assert_cancelled(run(&results, &CancelAt::new(limit)), "scan");
        assert_no_partial_files(&results);
        assert_intact(&results.join("corpus"));
        assert!(!results.join("report.html").exists());
        run(&results, &()).unwrap();
        assert!(corpus(&results) == corpus(&expected), "asked {limit} times");
        assert_eq!(
            files(&results).into_keys().collect::<Vec<_>>(),
            files(&expected).into_keys().collect::<Vec<_>>()
        );
        fs::remove_dir_all(&results).unwrap();
    }
}
