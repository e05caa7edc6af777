//! The examples run on the planted web and print what they find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use reprise_engine::{Corpus, ExplainWith};
use serde_json::Value;

use crate::support::{name, planted_web};

/// Returns the executable of an example. Plain `cargo test` builds the examples before the tests; if other
/// targets were chosen, this builds them.
fn executable(example: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let file = format!("{example}{}", std::env::consts::EXE_SUFFIX);
    let built = own.parent().unwrap().with_file_name("examples").join(file);
    if is_fresh(&built) {
        return built;
    }
    let is_release = own.iter().any(|part| part == "release");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "build",
            "--offline",
            "--message-format=json-render-diagnostics",
            "--example",
            example,
        ])
        .args(is_release.then_some("--release"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let path = text.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_it = message["target"]["name"] == example;
        message["executable"]
            .as_str()
            .filter(|_| is_it)
            .map(PathBuf::from)
    });
    path.unwrap()
}

/// Returns true if a program is newer than all its sources, which a file beside it lists.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    let (Some(built), Ok(list)) = (
        changed(program),
        fs::read_to_string(program.with_extension("d")),
    ) else {
        return false;
    };
    let (_, sources) = list.split_once(": ").unwrap_or_default();
    let mut sources = sources.split_whitespace().peekable();
    sources.peek().is_some()
        && sources.all(|path| changed(Path::new(path)).is_some_and(|changed| changed <= built))
}

/// Runs an example and returns its output.
fn run(example: &str, arguments: &[&Path]) -> String {
    let mut command = Command::new(executable(example));
    let output = command.args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn examples_find_the_planted_copies() {
    let directory = tempfile::tempdir().unwrap();
    let path = |file: &str| directory.path().join(file);
    let web = path("web");
    planted_web(&web);

    let printed = run("index", &[&path("corpus"), &web]);
    let corpus = Corpus::open(path("corpus")).unwrap();
    let pages = corpus.info(&()).unwrap().pages;
    assert!(pages > 500);
    assert!(
        printed.contains(&format!("{pages} pages with ")),
        "{printed}"
    );
    assert!(printed.ends_with(&format!("the corpus has {pages} pages\n")));

    let printed = run("detect", &[&path("corpus"), &path("labels.parquet")]);
    assert!(printed.contains("chunks are on several sites"), "{printed}");
    let copy = printed
        .lines()
        .find_map(|line| line.split_once(" chunks: "));
    let (counts, copy) = copy.expect(&printed);
    let (matched, chunks) = counts.split_once(" of ").unwrap();
    assert_eq!(matched, chunks, "the worst page has no chunk of its own");

    let printed = run("near", &[&path("corpus"), &path("clusters.csv")]);
    assert!(printed.contains("pages are near-copies"), "{printed}");
    assert!(printed.contains("copies\n"), "{printed}");
    let rows = fs::read_to_string(path("clusters.csv")).unwrap();
    assert!(rows.lines().count() > 20);

    let text = corpus
        .explain(copy, ExplainWith::Page(copy))
        .unwrap()
        .page_text;
    fs::write(path("copy.html"), text).unwrap();
    fs::write(
        path("other.html"),
        "<p>Nobody else has written this sentence.",
    )
    .unwrap();
    let url = Path::new("http://new.example/");
    let printed = run("check", &[&path("labels.parquet"), &path("copy.html"), url]);
    assert!(printed.contains(" are from http"), "{printed}");
    assert!(printed.ends_with("\nthe page is a copy\n"), "{printed}");
    let printed = run(
        "check",
        &[&path("labels.parquet"), &path("other.html"), url],
    );
    assert_eq!(
        printed,
        "0 of 1 chunks are labelled\nthe page is original\n"
    );
}

#[test]
fn examples_explain_their_arguments_and_errors() {
    for example in ["index", "detect", "near", "check"] {
        let output = Command::new(executable(example)).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(errors.contains(&format!("usage: {example} ")), "{errors}");
    }
    let missing = name(Path::new("missing"));
    let mut near = Command::new(executable("near"));
    let output = near.args([&missing, "clusters.csv"]).output().unwrap();
    assert!(!output.status.success());
    assert!(!Path::new("clusters.csv").exists());
}

/// An example is the first contact with the library, so it fits on a screen.
#[test]
fn examples_are_short() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines < 40, "{} has {lines} lines", path.display());
    }
}
