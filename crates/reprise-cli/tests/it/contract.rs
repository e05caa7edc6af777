//! The keys and columns that other programs rely on.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::program::Place;

fn has_numbers(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value[key].is_number(), "{key} in {value}");
    }
}

#[test]
fn index_and_info_have_their_keys() {
    let place = Place::with_web();
    let index = place.json("index web/crawl-00000.warc.gz --corpus c --json");
    has_numbers(
        &index,
        &[
            "pages",
            "chunks",
            "bytes_in",
            "bytes_body",
            "segments",
            "seconds",
        ],
    );
    has_numbers(&index["skipped"], &["trap", "not_text", "malformed"]);
    let info = place.json("info c --json");
    has_numbers(
        &info,
        &[
            "pages",
            "chunks",
            "distinct_chunks",
            "sites",
            "segments",
            "bytes_on_disk",
        ],
    );
    assert_eq!(
        (&info["hash"], &info["chunk"]),
        (&"sha256".into(), &"markup".into())
    );
    assert_eq!(info["pages"], index["pages"]);
    assert_eq!(info["chunks"], index["chunks"]);
    assert_eq!(place.json("verify c --json")["ok"], true);
}

#[test]
fn exports_have_their_columns() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        r#"{"url":"http://a.example/1,2","html":"<p>One \"two\"<p>Three","date":"2024-05-06T07:08:09Z","ip":"192.0.2.1"}"#,
    );
    place.json("index pages.jsonl --corpus c --json");
    let rows = |arguments: &str| -> Vec<Value> {
        let output = place.run(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let pages = rows("export c --table pages");
    assert_eq!(pages.len(), 1);
    assert_eq!(pages[0]["url"], "http://a.example/1,2");
    assert_eq!(pages[0]["site"], "a.example");
    assert_eq!(pages[0]["fetched"], "2024-05-06T07:08:09Z");
    assert_eq!(pages[0]["chunks"], 2);
    assert_eq!(pages[0]["status"], Value::Null);
    let chunks = rows("export c --table chunks --format jsonl");
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks[1]["ordinal"], 1);
    assert_eq!(chunks[1]["start"], 12);
    assert_eq!(chunks[1]["length"], 8);
    assert_eq!(chunks[1]["chars"], 8);
    // printf '<p>Three' | sha256sum | cut -c1-40
    assert_eq!(
        chunks[1]["fingerprint"],
        "da971d056d28c9b5194bf5a8369b7f5a5498464c"
    );
    let csv = place.run("export c --table pages --format csv");
    let csv = String::from_utf8(csv.stdout).unwrap();
    assert!(csv.starts_with("url,site,host,fetched,status,"), "{csv}");
    assert!(
        csv.contains("\n\"http://a.example/1,2\",a.example,"),
        "{csv}"
    );
}

#[test]
fn inputs_of_every_kind_name_the_same_pages() {
    let place = Place::new();
    std::fs::create_dir(place.path("site")).unwrap();
    place.write("site/a b.html", "<p>One");
    place.write("site/c.txt", "Two\n\nThree\n");
    place.write("list", "# a list\nsite\n");
    let pages = |arguments: &str| place.json(&format!("index {arguments} --json"))["pages"].clone();
    assert_eq!(pages("site --base-url http://x.example/ --corpus c1"), 2);
    assert_eq!(pages("@list --corpus c2"), 2);
    let export = place.run("export c1 --table pages");
    let export = String::from_utf8(export.stdout).unwrap();
    assert!(
        export.contains("\"http://x.example/a%20b.html\""),
        "{export}"
    );

    let mut child = place
        .command("index - --corpus c3 --json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let row = "{\"id\":7,\"text\":\"One\"}\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(row.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let index: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(index["pages"], 1);
    assert_eq!(
        place
            .files("c3")
            .keys()
            .filter(|path| path.to_string_lossy().contains("spool"))
            .count(),
        0
    );
}

#[test]
fn a_run_that_finds_nothing_says_why() {
    let place = Place::new();
    place.write("empty.warc", "");
    place.write(
        "request.warc",
        "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    );
    let output = place.run("index empty.warc request.warc --corpus c");
    let message = crate::program::stderr(&output);
    assert!(output.status.success());
    assert!(
        message.contains("no page was found; the records by kind: request 1"),
        "{message}"
    );
    assert!(message.contains("an empty file"), "{message}");
}

#[test]
fn the_demo_finds_what_it_planted() {
    let place = Place::new();
    let output = place.run("demo");
    assert!(
        output.status.success(),
        "{}",
        crate::program::stderr(&output)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|words: &Vec<&str>| {
            words.len() > 2 && words[0].parse::<u64>().is_ok() && words[1].parse::<u64>().is_ok()
        })
        .collect();
    assert_eq!(rows.len(), 11, "{text}");
    for row in rows {
        assert_eq!(row[0], row[1], "{text}");
    }
    let named = text.lines().find_map(|line| line.strip_prefix("report: "));
    let report = std::fs::read_to_string(place.path(named.unwrap())).unwrap();
    assert!(report.ends_with("</html>\n") || report.ends_with("</html>"));
    // A second run starts again. A directory with other files is refused.
    assert!(place.run("demo").status.success());
    place.write("mine", "");
    let output = place.run("demo .");
    crate::program::assert_fails(&output, 2, "holds other files");
}
