//! Archives that lie about lengths, are cut, or have a byte that is not what it was: what can be read is,
//! and whatever was made a page is read back as the same page.

use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::sync::Arc;

use proptest::prelude::*;
use reprise_ingest::{BatchReader, Batches, Item, Limits, ProblemKind, Source, read_back};

use crate::reading::ReadPage;

const LIMITS: Limits = Limits {
    body_bytes: 20_000,
    header_bytes: 1000,
    ratio: 300,
    nesting: 2,
};

/// Words that do not compress much.
fn noise(seed: u32, bytes: usize) -> String {
    let mut state = seed;
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + (state >> 24) as u8 % 26)
    };
    (0..bytes).map(|_| letter()).collect()
}

fn warc_record(url: &str, length: u64, body: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{body}\r\n\r\n",
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// The pages of a source, read in batches of about so many bytes, and the kinds of its problems.
fn read(source: &Source, batch_bytes: u64) -> (Vec<ReadPage>, Vec<ProblemKind>) {
    let sources: Arc<[Source]> = Arc::new([source.clone()]);
    let mut batches = Batches::new(Arc::clone(&sources), LIMITS)
        .with_batch_bytes(NonZeroU64::new(batch_bytes).unwrap());
    let mut reader = BatchReader::new(sources, LIMITS);
    let (mut pages, mut problems, mut position) = (Vec::new(), Vec::new(), 0);
    while let Some(batch) = batches.next_batch() {
        if batch.block().is_some_and(|block| position >= block.end) {
            continue;
        }
        let progress = reader.read(&batch, Some(position), &mut |_, item| match item {
            Item::Record(_) => {}
            Item::Problem(problem) => problems.push(problem.kind),
            Item::Page(page) => pages.push(ReadPage {
                url: page.url.to_owned(),
                place: page.place,
                body: page.body.to_vec(),
                text: page.text.map(|(_, text)| text.to_owned()),
            }),
        });
        position = progress.position;
    }
    (pages, problems)
}

/// Reads in large and small batches, which must give the same, and every page again by its place.
fn check(name: &str, bytes: &[u8]) -> (Vec<ReadPage>, Vec<ProblemKind>) {
    let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).unwrap();
    let (pages, problems) = read(&source, 1 << 30);
    let small = read(&source, 3000);
    assert_eq!(small.1, problems, "{name}");
    assert!(small.0 == pages, "other pages in small batches of {name}");
    // Whoever reads back may allow more than the index did.
    let more = Limits {
        body_bytes: LIMITS.body_bytes * 4,
        ..LIMITS
    };
    for limits in [LIMITS, more] {
        for page in &pages {
            let mut again = Vec::new();
            read_back(&source, page.place, &limits, &mut |item| {
                if let Item::Page(found) = item {
                    again.push(ReadPage {
                        url: found.url.to_owned(),
                        place: found.place,
                        body: found.body.to_vec(),
                        text: found.text.map(|(_, text)| text.to_owned()),
                    });
                }
            })
            .unwrap();
            let is_same = again == std::slice::from_ref(page);
            assert!(is_same, "{} {:?} in {name}", page.url, page.place);
        }
    }
    (pages, problems)
}

/// Wherever a record that states too many bytes would end by its own word.
#[test]
fn a_record_that_swallows_others_is_read_back_without_them() {
    let first = noise(1, 60);
    let others = [
        warc_record("http://b/", 3, "two"),
        warc_record("http://c/", 5, "three"),
    ];
    let separator = "\r\n\r\n".len();
    let rest: usize = others.iter().map(String::len).sum();
    for swallowed in 1..separator + rest {
        let length = (first.len() + swallowed) as u64;
        let archive = [warc_record("http://a/", length, &first), others.concat()].concat();
        let (pages, _) = check("x.warc", archive.as_bytes());
        assert_eq!(pages[0].url, "http://a/");
    }
}

fn urls(pages: &[ReadPage]) -> Vec<&str> {
    pages.iter().map(|page| page.url.as_str()).collect()
}

#[test]
fn a_length_beyond_the_end_loses_nothing_else() {
    for stated in [15_000, 100_000, 20_000_000, u64::MAX] {
        let lying = warc_record("http://b/", stated, "b");
        let records = [
            warc_record("http://a/", 8000, &noise(1, 8000)),
            lying,
            warc_record("http://c/", 3000, &noise(2, 3000)),
            warc_record("http://d/", 1, "d"),
        ];
        let all = records.concat();
        let expected = ["http://a/", "http://b/", "http://c/", "http://d/"];
        for (name, bytes) in [
            ("x.warc", all.clone().into_bytes()),
            ("x.warc.gz", gzip(all.as_bytes())),
            ("x.warc.zst", zstd(all.as_bytes())),
        ] {
            let (pages, problems) = check(name, &bytes);
            assert_eq!(urls(&pages), expected, "{name} {stated}");
            assert_eq!(pages[1].body, b"b");
            assert_eq!(problems, [ProblemKind::BadLength], "{name} {stated}");
        }
        let members: Vec<u8> = records
            .iter()
            .flat_map(|one| gzip(one.as_bytes()))
            .collect();
        let (pages, problems) = check("x.warc.gz", &members);
        assert_eq!(urls(&pages), expected);
        assert_eq!(problems, [ProblemKind::Truncated]);
    }
}

/// Many lies in a stream whose length is not known do not have it read again for each.
#[test]
fn lies_in_a_long_stream_are_all_found() {
    let mut all = warc_record("http://first/", 1, "x");
    for number in 0..3000 {
        all += &warc_record(&format!("http://a/{number}"), 1 << 40, &noise(number, 200));
    }
    let (pages, problems) = check_once("x.warc.gz", &gzip(all.as_bytes()));
    assert_eq!(pages.len(), 3001);
    assert_eq!(problems.len(), 3000);
}

fn check_once(name: &str, bytes: &[u8]) -> (Vec<ReadPage>, Vec<ProblemKind>) {
    let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).unwrap();
    read(&source, 1 << 30)
}

#[test]
fn what_is_really_over_the_limit_is_stepped_over() {
    let inner = warc_record("http://inner/", 1, "x");
    let long = format!("{}\r\n\r\n{inner}", noise(1, 400_000));
    let all = [
        warc_record("http://a/", long.len() as u64, &long),
        warc_record("http://b/", 1, "b"),
        // This one lies, and there is too much before the next.
        warc_record("http://c/", 1 << 40, &noise(2, 400_000)),
        warc_record("http://d/", 1, "d"),
    ]
    .concat();
    for (name, bytes) in [
        ("x.warc", all.clone().into_bytes()),
        ("x.warc.gz", gzip(all.as_bytes())),
    ] {
        let (pages, problems) = check(name, &bytes);
        assert_eq!(urls(&pages), ["http://b/", "http://d/"], "{name}");
        assert_eq!(problems, [ProblemKind::TooLarge; 2], "{name}");
    }
}

#[test]
fn an_arc_resynchronises_too() {
    let record = |url: &str, length: u64, body: &str| {
        format!("{url} 1.2.3.4 20240101000000 text/html {length}\nHTTP/1.0 200 OK\r\n\r\n{body}\n")
    };
    for stated in [500, 1 << 40] {
        let all = [
            record("http://a/", stated, "<p>a"),
            record("http://b/", 23, "<p>b"),
        ]
        .concat();
        for (name, bytes) in [
            ("x.arc", all.clone().into_bytes()),
            ("x.arc.gz", gzip(all.as_bytes())),
        ] {
            let (pages, problems) = check(name, &bytes);
            assert_eq!(urls(&pages), ["http://a/", "http://b/"], "{name}");
            assert_eq!(pages[0].body, b"<p>a");
            assert_eq!(problems, [ProblemKind::BadLength], "{name}");
        }
    }
}

/// Archives of every kind whose compressed streams can be damaged.
fn packed() -> Vec<(&'static str, Vec<u8>)> {
    let sizes = [300, 5000, 18_000, 40];
    let records: Vec<String> = (0..12)
        .map(|number| {
            let body = noise(number, sizes[number as usize % 4]);
            warc_record(&format!("http://a/{number}"), body.len() as u64, &body)
        })
        .collect();
    let (mut mails, mut rows) = (String::new(), String::new());
    for number in 0..12 {
        let body = noise(number, sizes[number as usize % 4]);
        let line = "From a@b Mon Jan  1 00:00:00 2024";
        let _ = write!(mails, "{line}\nMessage-ID: <{number}@b>\n\n{body}\n\n");
        let _ = writeln!(rows, r#"{{"url":"http://a/{number}","text":"{body}"}}"#);
    }
    let pack =
        |one: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|it| one(it.as_bytes())).collect();
    vec![
        ("x.warc.gz", gzip(records.concat().as_bytes())),
        ("y.warc.gz", pack(gzip)),
        // Members that are too large to be held.
        (
            "z.warc.gz",
            [
                gzip(records[0].as_bytes()),
                gzip(records.concat().as_bytes()),
            ]
            .concat(),
        ),
        ("x.warc.zst", zstd(records.concat().as_bytes())),
        ("y.warc.zst", pack(zstd)),
        ("x.mbox.gz", gzip(mails.as_bytes())),
        ("x.mbox.zst", zstd(mails.as_bytes())),
        ("x.jsonl.gz", gzip(rows.as_bytes())),
    ]
}

#[test]
fn a_mail_that_is_cut_off_is_counted_as_damaged() {
    let (name, bytes) = packed().swap_remove(5);
    assert_eq!(name, "x.mbox.gz");
    let (pages, problems) = check(name, &bytes[..bytes.len() / 2]);
    assert!(pages.len() > 3);
    assert_eq!(problems, [ProblemKind::Truncated, ProblemKind::Malformed]);
    let (pages, problems) = check(name, &bytes);
    assert_eq!((pages.len(), problems.len()), (12, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn pages_of_damaged_archives_are_read_back(
        which in 0..8_usize,
        at in 0.0..1.0,
        byte in any::<u8>(),
        is_cut in any::<bool>(),
    ) {
        let (name, mut bytes) = packed().swap_remove(which);
        let at = (bytes.len() as f64 * at) as usize;
        if is_cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        check(name, &bytes);
    }
}
