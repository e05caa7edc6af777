//! Every error is one clear sentence with the right exit code, and leaves the corpus unchanged.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{Place, assert_fails, stderr};

const ROW: &str = "{\"url\":\"http://a.example/\",\"html\":\"<p>One\"}\n";

fn with_corpus() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", ROW);
    place.json("index pages.jsonl --corpus c --json");
    place
}

#[test]
fn missing_and_foreign_inputs() {
    let place = Place::new();
    assert_fails(
        &place.run("index nowhere.warc --corpus c"),
        2,
        "cannot read nowhere.warc: No such file",
    );
    assert!(!place.path("c").exists(), "nothing is left behind");
    assert_fails(
        &place.run("index s3://bucket/x.warc.gz --corpus c"),
        2,
        "download it first",
    );
    assert_fails(&place.run("index @nolist --corpus c"), 2, "nolist");
    place.write("empty/file", "");
    for command in [
        "info {}",
        "verify {}",
        "export {} --table pages",
        "remove {}",
    ] {
        let run = |directory: &str| place.run(&command.replace("{}", directory));
        assert_fails(&run("nowhere"), 2, "nowhere: no such directory");
        assert_fails(&run("empty"), 2, "no manifest.json");
        assert_fails(
            &run("empty/file"),
            2,
            if command.starts_with("export") {
                "--table is for a corpus"
            } else {
                "is a file, not a directory"
            },
        );
    }
    place.write("pages.jsonl", ROW);
    for command in [
        "index pages.jsonl --corpus empty/file",
        "scan pages.jsonl --report empty/file",
        "crawl http://a.example/ --corpus empty/file",
    ] {
        let output = place.run(command);
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        assert!(
            message.contains("this is a file; name a directory"),
            "{message}"
        );
    }
}

#[test]
fn wrong_flags() {
    let place = with_corpus();
    let before = place.files("c");
    place.write("more.jsonl", ROW.replace("One", "Two"));
    assert_fails(
        &place.run("index more.jsonl --corpus c --hash sha1"),
        2,
        "was made with --hash sha256, not sha1",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --chunk text"),
        2,
        "was made with --chunk markup, not text",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --memory 1M"),
        2,
        "--memory must be at least 64 MiB",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --max-body 1G"),
        2,
        "--max-body must be at most 33554432 with this memory limit (a 32nd of it), not 1073741824; raise --memory",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --max-header 1G"),
        2,
        "--max-header must be at most 8388608 with this memory limit",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --threads 0"),
        2,
        "--threads must be from 1 to 1024, not 0",
    );
    assert_fails(
        &place.run("index more.jsonl --corpus c --segment-size 1G"),
        2,
        "with this memory limit (about a fifth of it)",
    );
    for (flags, words) in [
        (
            "--max-body 2G --memory 1T",
            "--max-body must be at most 1073741824, not",
        ),
        ("--max-body 900000T", "--max-body must be at most 33554432"),
        (
            "--max-header 900000T",
            "--max-header must be at most 8388608",
        ),
        (
            "--segment-size 20G --memory 1T",
            "--segment-size must be at most 17179869184, not",
        ),
    ] {
        let command = format!("index more.jsonl --corpus c {flags}");
        assert_fails(&place.run(&command), 2, words);
    }
    let output = place.run("export c --table shingles --format csv");
    assert_fails(&output, 2, "has no shingles");
    assert!(output.stdout.is_empty(), "no header before the error");
    let output = place.run("remove c --segment 7");
    assert_fails(&output, 2, "the corpus has no segment 7; there is 1");
    let output = place.run("demo pages.jsonl");
    assert_fails(&output, 2, "this is a file; name a directory");
    assert_fails(&place.run("index c --corpus d"), 2, "is a Reprise corpus");
    for flag in ["--max-ratio 0", "--base-url a.example"] {
        let output = place.run(&format!("index more.jsonl --corpus c {flag}"));
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
    assert_eq!(
        place
            .run("index more.jsonl --corpus c --hash md5")
            .status
            .code(),
        Some(2)
    );
    assert_eq!(place.run("nonsense").status.code(), Some(2));
    assert_eq!(place.files("c"), before);
}

#[test]
fn foreign_files_stay() {
    let place = Place::new();
    place.write("pages.jsonl", ROW);
    place.write("used/segments/precious/film.ts", "film");
    let before = place.files("used");
    assert_fails(
        &place.run("index pages.jsonl --corpus used"),
        2,
        "it is not a corpus or a damaged one",
    );
    assert_eq!(place.files("used"), before);

    place.write("mine/spool-notes.txt", "notes");
    place.write("mine/lock", "of the door");
    place.json("index pages.jsonl --corpus mine --json");
    place.write("mine/segments/.DS_Store", "");
    place.write("mine/segments/00000007.partial/x", "left behind");
    place.write("mine/spool-1-abc", "left behind");
    place.write("more.jsonl", ROW.replace("One", "Two"));
    place.json("index more.jsonl --corpus mine --json");
    let files = place.files("mine");
    let is_there = |name: &str| files.keys().any(|path| path.ends_with(name));
    assert!(is_there("spool-notes.txt") && is_there(".DS_Store"));
    assert!(!is_there("spool-1-abc") && !is_there("x"));
    assert_eq!(
        fs::read_to_string(place.path("mine/lock")).unwrap(),
        "of the door"
    );
    let output = place.run("verify mine");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stdout)
            .contains(".DS_Store: not part of the corpus; delete it or move it elsewhere")
    );
}

/// A process keeps the copy of standard input that another process reads, although killed processes leave such
/// copies behind.
#[test]
fn a_writer_leaves_the_copies_of_others_alone() {
    let place = Place::new();
    place.write("pages.jsonl", ROW);
    let mut waiting = place
        .command("index - --corpus c --json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = waiting.stdin.take().unwrap();
    input
        .write_all(ROW.replace("One", "Two").as_bytes())
        .unwrap();
    let is_spool = |path: &PathBuf| path.to_string_lossy().contains("spool-");
    while !place.path("c").is_dir() || !place.files("c").keys().any(is_spool) {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(
        place.json("index pages.jsonl --corpus c --json")["pages"],
        1
    );
    drop(input);
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(place.json("info c --json")["pages"], 2);
}

/// The suggested command works.
#[test]
fn a_changed_source_is_told_with_the_command_that_removes_it() {
    let place = with_corpus();
    place.write("pages.jsonl", ROW.replace("One", "Two"));
    let told = stderr(&place.run("index pages.jsonl --corpus c"));
    assert!(told.contains("`reprise remove c --segment 1`"), "{told}");
    assert!(place.run("remove c --segment 1").status.success());
    assert_eq!(place.json("info c --json")["pages"], 1);
}

/// A problem of the corpus is reported before standard input is read, which may take hours.
#[test]
fn a_corpus_is_looked_at_before_standard_input() {
    let place = with_corpus();
    let before = place.files("c");
    let mut waiting = place
        .command("index - --corpus c --hash sha1")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = waiting.stdin.take().unwrap();
    let mut tries = 0;
    while waiting.try_wait().unwrap().is_none() {
        tries += 1;
        assert!(tries < 4000, "it waits for its input");
        thread::sleep(Duration::from_millis(5));
    }
    drop(input);
    let output = waiting.wait_with_output().unwrap();
    assert_fails(&output, 2, "was made with --hash sha256");
    assert_eq!(place.files("c"), before);
    assert_fails(&place.run("index nowhere --corpus c"), 2, "nowhere");
    assert_eq!(place.files("c"), before);
}

/// One thread meets a full disk while other threads are ahead of it.
#[test]
fn no_thread_waits_for_one_that_failed() {
    let place = Place::new();
    let chunks: Vec<String> = (0..60_000).map(|chunk| format!("<p>{chunk}")).collect();
    let chunks = chunks.concat();
    place.write("in/00.jsonl", ROW.replace("One", &chunks));
    for file in 1..40 {
        place.write(
            &format!("in/{file:02}.jsonl"),
            ROW.replace("One", &file.to_string()),
        );
    }
    let program = env!("CARGO_BIN_EXE_reprise");
    for threads in [2, 4, 8] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 64; exec timeout 120 '{program}' index in --corpus c{threads} --threads {threads} --segment-size 1M -q"
        );
        let mut command = Command::new("sh");
        let output = command
            .args(["-c", &script])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        assert_fails(&output, 1, "File too large");
    }
}

/// Messages that cannot be printed do not change the result.
#[test]
fn standard_error_may_be_full_or_closed() {
    let place = Place::new();
    place.write("pages.jsonl", ROW);
    let program = env!("CARGO_BIN_EXE_reprise");
    for (number, (command, code)) in [
        ("info nowhere 2>/dev/full", 2),
        ("index pages.jsonl --corpus full 2>/dev/full", 0),
        ("index pages.jsonl --corpus closed 2>&-", 0),
        ("demo demo 2>&1 | head -c 1", 0),
        ("scan pages.jsonl 2>&1 | true", 0),
    ]
    .into_iter()
    .enumerate()
    {
        let script = format!("timeout 120 '{program}' {command}");
        let mut shell = Command::new("sh");
        let output = shell
            .args(["-c", &script])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{number}: {command}");
    }
    assert_eq!(place.json("info full --json")["pages"], 1);
    assert_eq!(place.json("info closed --json")["pages"], 1);
    assert!(place.path("demo/report.html").is_file());
}

#[test]
fn corpora_of_another_version_and_damaged_ones() {
    let place = with_corpus();
    let manifest = fs::read_to_string(place.path("c/manifest.json")).unwrap();
    place.write(
        "c/manifest.json",
        manifest.replace("\"format\": 1", "\"format\": 99"),
    );
    for command in ["index pages.jsonl --corpus c", "info c"] {
        let output = place.run(command);
        assert_fails(&output, 2, "is damaged: its checksum does not match");
        assert_fails(&output, 2, "index the archives into another directory");
    }
    place.write("c/manifest.json", manifest.replace("sha256", "sha255"));
    assert_fails(&place.run("index pages.jsonl --corpus c"), 2, "is damaged");
    let output = place.run("verify c");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("manifest.json: its checksum"));
}

#[test]
fn only_one_process_writes() {
    let place = with_corpus();
    let lock = fs::File::options()
        .write(true)
        .open(place.path("c/lock"))
        .unwrap();
    lock.lock().unwrap();
    place.write("more.jsonl", ROW.replace("One", "Two"));
    assert_fails(
        &place.run("index more.jsonl --corpus c"),
        2,
        "another process is writing",
    );
    assert!(place.run("info c").status.success(), "readers need no lock");
}

/// Uses a small tmpfs in a mount namespace as a disk that is nearly full.
#[test]
fn a_full_disk_leaves_the_corpus_as_it_was() {
    let place = Place::with_web();
    fs::create_dir(place.path("disk")).unwrap();
    let program = env!("CARGO_BIN_EXE_reprise");
    let script = format!(
        "mount -t tmpfs -o size=240k none disk || exit 77
         '{program}' index web/crawl-00000.warc.gz --corpus disk/c -q || exit 78
         find disk/c -type f | sort | xargs sha256sum > before
         '{program}' index web --corpus disk/c -q 2> message; echo $? > code
         find disk/c -type f | sort | xargs sha256sum > after
         for size in 64K 100K 200K 400K; do
             '{program}' index web --corpus disk/d --segment-size $size --threads 4 -q 2>> messages
             echo $? >> codes
             rm -r disk/d
         done
         '{program}' verify disk/c || exit 79"
    );
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script])
        .current_dir(place.path("."))
        .output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) if !matches!(output.status.code(), Some(78 | 79)) => {
            println!("skipped: no mount namespace here: {}", stderr(&output));
            return;
        }
        Ok(output) => panic!("{}", stderr(&output)),
        Err(error) => {
            println!("skipped: no unshare here: {error}");
            return;
        }
    }
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(read("code").trim(), "1");
    assert_eq!(read("message").lines().count(), 1, "{}", read("message"));
    assert!(
        read("message").contains("No space left on device"),
        "{}",
        read("message")
    );
    assert_eq!(read("before"), read("after"));
    // Several threads meet the full disk at the same time.
    assert_eq!(read("codes"), "1\n".repeat(4), "{}", read("messages"));
    assert_eq!(
        read("messages").matches("No space left on device").count(),
        4
    );
    assert_eq!(read("messages").lines().count(), 4, "{}", read("messages"));
}
