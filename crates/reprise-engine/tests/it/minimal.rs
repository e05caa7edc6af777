//! A program that only checks pages depends on few packages, and works without any feature.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use reprise_engine::{LabelOptions, Resources, ResultFile, label_pages};

use crate::support::name;

/// Packages of the optional parts: TLS and network, converters, experiments, and HTML templates.
const OPTIONAL: [&str; 14] = [
    "aws-lc-rs",
    "hyper",
    "reqwest",
    "ring",
    "rustls",
    "tokio",
    "tokio-rustls",
    "webpki-roots",
    "hayro-syntax",
    "quick-xml",
    "reprise-convert",
    "reprise-crawl",
    "reprise-lab",
    "maud",
];

fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Returns the packages that the engine depends on with these features.
fn packages(features: &[&str]) -> BTreeSet<String> {
    let output = cargo()
        .args([
            "tree",
            "--offline",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .args(features)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let first_word = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    lines.lines().map(first_word).collect()
}

#[test]
fn features_bring_their_packages_and_no_others_do() {
    let all = packages(&[]);
    // The list is not out of date.
    for package in [
        "rustls",
        "ring",
        "tokio",
        "hayro-syntax",
        "quick-xml",
        "maud",
    ] {
        assert!(all.contains(package), "{package}");
    }
    let least = packages(&["--no-default-features"]);
    assert!(least.contains("reprise-engine") && least.contains("parquet"));
    for package in OPTIONAL {
        assert!(!least.contains(package), "{package}");
    }
    // Each feature brings what it is for.
    for (feature, package) in [
        ("convert", "reprise-convert"),
        ("crawl", "rustls"),
        ("lab", "reprise-lab"),
        ("report", "maud"),
    ] {
        let with = packages(&["--no-default-features", "--features", feature]);
        assert!(with.contains(package), "{feature}");
        assert_eq!(with.contains("rustls"), feature == "crawl", "{feature}");
        assert_eq!(with.contains("maud"), feature == "report", "{feature}");
    }
}

const MAIN: &str = r#"
use reprise_engine::{Checker, Content, Error, PageView};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let checker = Checker::open(arguments[1].as_ref(), None)?;
    let page = PageView {
        url: "http://copy.example/",
        body: arguments[2].as_bytes(),
        text: Some((Content::Html, &arguments[2])),
    };
    let checked = checker.session().page(&page)?;
    println!("{} of {}: {}", checked.matched, checked.chunks, checked.sources[0].url);
    Ok(())
}
"#;

/// Writes a package of its own, with the versions of this workspace.
fn write_program(directory: &Path) {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"minimal\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         reprise-engine = {{ path = '{}', default-features = false }}\n\n\
         [profile.dev]\ndebug = false\nincremental = false\n",
        engine.display()
    );
    fs::create_dir_all(directory.join("src")).unwrap();
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src/main.rs"), MAIN).unwrap();
    fs::copy(
        engine.join("../../Cargo.lock"),
        directory.join("Cargo.lock"),
    )
    .unwrap();
}

#[test]
fn a_program_without_features_checks_a_page() {
    if std::env::var_os("REPRISE_TEST_MINIMAL").is_none() {
        println!("skipped: this compiles all dependencies again; `make features` runs it");
        return;
    }
    // This directory stays, so that the next run compiles little.
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("minimal");
    write_program(&directory);
    let scratch = tempfile::tempdir().unwrap();
    let page = scratch.path().join("page.jsonl");
    let html = "<p>Welcome to the bank<p>Sign in with your card number";
    let row = serde_json::json!({"url": "http://bank.example/", "html": html});
    fs::write(&page, row.to_string()).unwrap();
    let labels = ResultFile::new(scratch.path().join("labels.parquet")).unwrap();
    let options = LabelOptions {
        min_length: 0,
        ..LabelOptions::default()
    };
    label_pages(&[name(&page)], &options, &labels, Resources::default(), &()).unwrap();
    let output = cargo()
        .current_dir(&directory)
        .args(["run", "--quiet", "--offline", "--"])
        .arg(&labels.path)
        .arg("<p>Hello<p>Sign in with your card number")
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "1 of 2: http://bank.example/\n");
}
