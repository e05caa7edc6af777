//! Hostile input stays within limits: memory, decompression bombs, deep paths, large bodies.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Place, stderr};

const ROW: &str = "{\"url\":\"http://a.example/\",\"html\":\"<p>One\"}\n";

/// Returns a record with an HTTP response.
fn record(url: &str, header: &str, body: &[u8]) -> Vec<u8> {
    let mut http =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n").into_bytes();
    http.extend_from_slice(body);
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n",
        http.len()
    )
    .into_bytes();
    record.extend(http);
    record.extend(b"\r\n\r\n");
    record
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Runs the program. Returns its output and its highest memory use in MiB.
fn run_watched(place: &Place, arguments: &str) -> (serde_json::Value, u64) {
    let mut child = place
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The high-water mark never falls, so the last value before the end counts.
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) / 1024);
        sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    (serde_json::from_slice(&output.stdout).unwrap(), peak)
}

#[test]
fn memory_is_bounded_whatever_the_input() {
    let place = Place::new();
    let mut file = BufWriter::new(File::create(place.path("large.warc")).unwrap());
    for page in 0..60_000u32 {
        let mut body = String::new();
        for chunk in 0..12 {
            let _ = write!(body, "<p>chunk {chunk} of page {page}, unlike all others");
        }
        file.write_all(&record(
            &format!("http://a{}.example/{page}", page % 5000),
            "",
            body.as_bytes(),
        ))
        .unwrap();
    }
    // One body of exactly the largest size, which consists of markup.
    let body = "<p>x</p>".repeat((1 << 20) / 8 - 1);
    file.write_all(&record("http://b.example/", "", body.as_bytes()))
        .unwrap();
    // A line without an end, and a body over the limit.
    file.write_all(&record("http://c.example/", "", &vec![b'a'; 3 << 20]))
        .unwrap();
    drop(file);
    let (index, peak) = run_watched(
        &place,
        "index large.warc --corpus c --memory 64M --threads 2 --json",
    );
    println!("{peak} MiB at most");
    assert!(peak <= 64, "{peak} MiB");
    assert_eq!(index["pages"], 60_001);
    assert_eq!(index["chunks"], 60_000 * 12 + (1 << 20) / 8 - 1);
    assert_eq!(index["skipped"]["too_large"], 1);
    assert!(index["segments"].as_u64().unwrap() > 1);
    assert_eq!(place.json("verify c --json")["ok"], true);
}

/// If every page is on another site, the names of sites take most of the memory.
#[test]
fn memory_is_bounded_where_every_page_is_elsewhere() {
    let place = Place::new();
    let mut rows = String::new();
    for row in 0..150_000 {
        let _ = writeln!(
            rows,
            "{{\"url\":\"http://s{row}.com/{row}\",\"text\":\"a{row}\"}}"
        );
    }
    place.write("rows.jsonl", rows);
    for threads in [2, 64] {
        let arguments =
            format!("index rows.jsonl --corpus c{threads} --memory 64M --threads {threads} --json");
        let (index, peak) = run_watched(&place, &arguments);
        println!("{threads} threads: {peak} MiB at most");
        assert!(peak <= 64, "{peak} MiB");
        assert_eq!(index["pages"], 150_000);
    }
}

#[test]
fn bombs_are_counted_not_unpacked() {
    let place = Place::new();
    let zeros = vec![0; 200 << 20];
    let bomb = gzip(&zeros);
    let mut archive = gzip(&record(
        "http://a.example/1",
        "Content-Encoding: gzip\r\n",
        &bomb,
    ));
    // A record that is a decompression bomb, followed by a good record.
    archive.extend(gzip(&record("http://a.example/2", "", &zeros)));
    archive.extend(gzip(&record("http://a.example/3", "", b"<p>good")));
    place.write("bomb.warc.gz", archive);
    let (index, peak) = run_watched(
        &place,
        "index bomb.warc.gz --corpus c --memory 64M --threads 1 --json",
    );
    assert!(peak <= 64, "{peak} MiB");
    assert_eq!(index["pages"], 1, "{index}");
    let skipped = &index["skipped"];
    let refused =
        skipped["bomb"].as_u64().unwrap_or(0) + skipped["too_large"].as_u64().unwrap_or(0);
    assert!(refused >= 2, "{index}");
}

/// Small input that needs much memory: members that decompress to many small chunks, lines that are all problems,
/// and one page of distinct chunks.
#[test]
fn memory_is_bounded_where_much_is_made_of_little() {
    let place = Place::new();
    let page = record("http://a.example/", "", "<p>a".repeat(250_000).as_bytes());
    place.write("members.warc.gz", gzip(&page).repeat(30));
    place.write("lines.jsonl", format!("{ROW}{}", "x\n".repeat(1 << 20)));
    place.write(
        "lines.jsonl.gz",
        gzip(&fs::read(place.path("lines.jsonl")).unwrap()),
    );
    let mut different = String::new();
    for chunk in 0..120_000 {
        let _ = write!(different, "<p>{chunk:x}");
    }
    let different = record("http://b.example/", "", different.as_bytes());
    place.write("different.warc", different.repeat(6));
    for (file, pages, chunks, problems) in [
        ("members.warc.gz", 30, 30 * 250_000, 0),
        ("lines.jsonl", 1, 1, 1 << 20),
        ("lines.jsonl.gz", 1, 1, 1 << 20),
        ("different.warc", 6, 6 * 120_000, 0),
    ] {
        let arguments = format!(
            "index {file} --corpus {file}-c --memory 64M --max-ratio 5000 --threads 4 --json"
        );
        let (index, peak) = run_watched(&place, &arguments);
        println!("{file}: {peak} MiB at most");
        assert!(peak <= 64, "{file}: {peak} MiB");
        assert_eq!(index["pages"], pages, "{file}");
        assert_eq!(index["chunks"], chunks, "{file}");
        let skipped = index["skipped"]["bad_row"].as_u64().unwrap_or(0);
        assert_eq!(skipped, problems, "{file}: {index}");
    }
    // A block has the same parts for any number of threads.
    place.json(
        "index members.warc.gz --corpus one --memory 64M --max-ratio 5000 --threads 1 --json",
    );
    let bytes = |corpus| place.files(corpus).into_values().collect::<Vec<_>>();
    assert!(bytes("one") == bytes("members.warc.gz-c"));
}

#[test]
fn a_member_is_a_bomb_by_its_ratio_too() {
    let place = Place::new();
    let page = |url: &str| gzip(&record(url, "", "<p>a".repeat(500_000).as_bytes()));
    let good = gzip(&record("http://a.example/2", "", b"<p>good"));
    place.write("a.warc.gz", [page("http://a.example/1"), good].concat());
    let index = place.json("index a.warc.gz --corpus c --json");
    assert_eq!(index["pages"], 1, "{index}");
    assert_eq!(index["skipped"]["bomb"], 1, "{index}");
    let index = place.json("index a.warc.gz --corpus d --max-ratio 2000 --json");
    assert_eq!(index["pages"], 2, "{index}");
}

/// Each of these files took minutes when the search began again at every position.
#[test]
fn time_grows_with_the_input_not_with_its_square() {
    let place = Place::new();
    let good = record("http://a.example/", "", b"<p>good");
    let skippable = b"\x50\x2a\x4d\x18\0\0\0\0".repeat(1 << 20);
    place.write("frames.warc.zst", skippable);
    place.write(
        "headers.warc",
        [b"WARC/1.0\n".repeat(1 << 19), good.clone()].concat(),
    );
    // Headers without an end. Each begins inside the previous one.
    let unended = b"xWARC/1.0\nWARC-\n".repeat(1 << 19);
    place.write("unended.warc", [unended, good.clone()].concat());
    let subject = "=?utf-8?q?a?= ".repeat(1 << 17);
    place.write(
        "subject.eml",
        format!("From: a@b.example\nSubject: {subject}\n\ntext\n"),
    );
    // Every record states an endless length, so that each block skips all following records.
    let overlong = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 60000000\r\n\r\n";
    let overlong = [overlong, &"x".repeat(100_000), "\r\n\r\n"].concat();
    place.write("overlong.warc", overlong.repeat(600));
    let started = Instant::now();
    for file in [
        "frames.warc.zst",
        "headers.warc",
        "unended.warc",
        "subject.eml",
        "overlong.warc",
    ] {
        let output = place.run(&format!("index {file} --corpus {file}-c --json"));
        // A file without any record gives exit code 2.
        assert!(matches!(output.status.code(), Some(0 | 2)), "{file}");
        println!("{file}: {:?}", started.elapsed());
    }
    let seconds = started.elapsed().as_secs();
    assert!(seconds < 60, "{seconds} s");
}

#[test]
fn limits_are_flags() {
    let place = Place::new();
    let header = format!("X-Long: {}\r\n", "y".repeat(3000));
    let nested = gzip(&gzip(&gzip(b"<p>deep")));
    let archive = [
        record("http://a.example/header", &header, b"<p>one"),
        record("http://a.example/body", "", &vec![b'a'; 5000]),
        record(
            "http://a.example/nested",
            "Content-Encoding: gzip, gzip, gzip\r\n",
            &nested,
        ),
        record("http://a.example/good", "", b"<p>two"),
    ]
    .concat();
    place.write("a.warc", archive);
    assert_eq!(place.json("index a.warc --corpus all --json")["pages"], 4);
    let index = place
        .json("index a.warc --corpus few --max-header 2K --max-body 4K --max-nesting 2 --json");
    assert_eq!(index["pages"], 1, "{index}");
    assert_eq!(index["skipped"]["header_too_large"], 1);
    assert_eq!(index["skipped"]["too_large"], 1);
    assert_eq!(index["skipped"]["nesting"], 1);
}

/// With a fixed segment size, segments end at the same pages for any memory limit.
#[test]
fn segments_of_one_size_are_the_same_within_any_memory() {
    let place = Place::with_web();
    let files = |corpus: &str| -> Vec<_> { place.files(corpus).into_values().collect() };
    for memory in ["64M", "200M", "4G"] {
        let index = place.json(&format!(
            "index web --corpus {memory} --memory {memory} --segment-size 500K --max-body 1M --json"
        ));
        assert!(index["segments"].as_u64().unwrap() > 2, "{index}");
        assert!(files(memory) == files("64M"), "{memory}");
    }
}

/// Records over a limit are reported with the limit, and counted as records.
#[test]
fn records_over_a_limit_are_counted() {
    let place = Place::new();
    let long = "a".repeat(9000);
    place.write(
        "body.warc",
        record("http://a.example/", "", long.as_bytes()),
    );
    place.write(
        "packed.warc.gz",
        gzip(&fs::read(place.path("body.warc")).unwrap()),
    );
    place.write("line.jsonl", ROW.replace("One", &"a".repeat(400_000)));
    place.write("file.html", &long);
    place.write(
        "mail.mbox",
        format!(
            "From a@b Mon Jan  1 00:00:00 2024\nSubject: {}\n\n{long}",
            "s ".repeat(80_000)
        ),
    );
    for (file, kind) in [
        ("body.warc", "response"),
        ("packed.warc.gz", "response"),
        ("line.jsonl", "row"),
        ("file.html", "file"),
        ("mail.mbox", "mail"),
    ] {
        let index = place.json(&format!(
            "index {file} --corpus {file}-c --max-body 4K --json"
        ));
        assert_eq!(index["pages"], 0, "{file}: {index}");
        assert_eq!(index["records"][kind], 1, "{file}: {index}");
        let detail = index["examples"][0]["detail"].as_str().unwrap();
        assert!(
            detail.ends_with("exceeds the body limit of 4096 bytes"),
            "{file}: {detail}"
        );
        let output = place.run(&format!("index {file} --corpus {file}-d --max-body 4K"));
        let message = stderr(&output);
        assert!(
            message.contains(&format!("no page was found; the records by kind: {kind} 1")),
            "{message}"
        );
        assert!(message.contains("--memory 32 times as large"), "{message}");
    }
}
