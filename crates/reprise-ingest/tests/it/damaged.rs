//! Archives with wrong lengths, cut-off archives, and archives with a changed byte. As much as possible is
//! read, and every page can be read back.

use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroU64;
use std::sync::Arc;

use proptest::prelude::*;
use reprise_ingest::{BatchReader, Batches, Item, ProblemKind, RecordLimits, Source, read_back};

use crate::reading::ReadPage;

const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 20_000,
    header_bytes: 1000,
    ratio: 300,
    nesting: 2,
};

/// Returns letters that compress badly.
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

/// Returns the pages of a source, read in batches of about `batch_bytes` bytes, and the kinds of its problems.
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

/// Reads the source in large and small batches, which must give the same, and reads every page back by its
/// place.
fn check(name: &str, bytes: &[u8]) -> (Vec<ReadPage>, Vec<ProblemKind>) {
    let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).unwrap();
    let (pages, problems) = read(&source, 1 << 30);
    let small = read(&source, 3000);
    assert_eq!(small.1, problems, "{name}");
    assert!(small.0 == pages, "other pages in small batches of {name}");
    // The limits may be higher than those of the index.
    let more = RecordLimits {
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

/// Tries every end that a record with a too large length may have.
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
fn a_length_beyond_the_end_loses_no_other_record() {
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

/// A stream of unknown length must not be read again for each of many wrong lengths.
#[test]
fn wrong_lengths_in_a_long_stream_are_all_found() {
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
fn records_that_exceed_the_limit_are_skipped() {
    let inner = warc_record("http://inner/", 1, "x");
    let long = format!("{}\r\n\r\n{inner}", noise(1, 400_000));
    let all = [
        warc_record("http://a/", long.len() as u64, &long),
        warc_record("http://b/", 1, "b"),
        // The length of this record is wrong, and the bytes before the next one exceed the limit.
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

/// The page is complete whatever follows, unless the quoted record extends beyond its end.
#[test]
fn a_page_that_quotes_a_record_is_complete() {
    let shown = warc_record("http://shown/", 5, "hello");
    let page = format!("<p>An archive:\r\n\r\n{shown}<p>Rest of the page");
    let first = warc_record("http://a/", page.len() as u64, &page);
    let last = warc_record("http://b/", 1, "b");
    for (junk, problem) in [
        ("junk\r\n", Some(ProblemKind::Malformed)),
        ("\0\0", Some(ProblemKind::Malformed)),
        ("", None),
    ] {
        let all = [&first, junk, &last].concat();
        for (name, bytes) in [
            ("x.warc", all.clone().into_bytes()),
            ("x.warc.gz", gzip(all.as_bytes())),
        ] {
            let (pages, problems) = check(name, &bytes);
            assert_eq!(urls(&pages), ["http://a/", "http://b/"], "{name} {junk:?}");
            assert_eq!(pages[0].body, page.as_bytes(), "{name} {junk:?}");
            let problem: Vec<ProblemKind> = problem.into_iter().collect();
            assert_eq!(problems, problem, "{name} {junk:?}");
        }
    }
    // By its stated length, the record ends where a header ends, with a blank line after it.
    let lie = (last.find("\r\n\r\n").unwrap() + "b\r\n\r\n".len()) as u64;
    let all = [warc_record("http://a/", lie, "a"), last].concat();
    let (pages, problems) = check("x.warc", all.as_bytes());
    assert_eq!(urls(&pages), ["http://a/", "http://b/"]);
    assert_eq!(problems, [ProblemKind::BadLength]);
}

#[test]
fn zeros_at_the_end_are_padding() {
    let shown = warc_record("http://shown/", 5, "hello");
    let page = format!("<p>An archive:\r\n\r\n{shown}<p>Rest of the page");
    let record = warc_record("http://a/", page.len() as u64, &page);
    let arc = "http://a/ 1.2.3.4 20240101000000 text/html 22\nHTTP/1.0 200 OK\r\n\r\n<p>\n";
    for zeros in [1, 512, 10_240] {
        let padded = |record: &str| [record.as_bytes(), &vec![0; zeros]].concat();
        for (name, bytes) in [
            ("x.warc", padded(&record)),
            ("x.warc.gz", gzip(&padded(&record))),
            (
                "x.warc.gz",
                [gzip(&padded(&record)), vec![0; zeros]].concat(),
            ),
            ("x.arc", padded(arc)),
        ] {
            let (pages, problems) = check(name, &bytes);
            assert_eq!(urls(&pages), ["http://a/"], "{name} {zeros}");
            assert_eq!(problems, [], "{name} {zeros}");
        }
    }
    // Many more zeros are garbage.
    let (pages, problems) = check("x.warc", &[record.as_bytes(), &vec![0; 300_000]].concat());
    assert_eq!(urls(&pages), ["http://a/"]);
    assert_eq!(problems, [ProblemKind::Malformed]);
}

#[test]
fn a_header_without_a_block_loses_no_other_record() {
    let header = warc_record("http://a/", 100, "");
    let all = [
        header.trim_end(),
        "\r\n\r\n",
        &warc_record("http://b/", 1, "b"),
        &warc_record("http://c/", 1, "c"),
    ]
    .concat();
    let (pages, problems) = check("x.warc", all.as_bytes());
    assert_eq!(urls(&pages), ["http://a/", "http://b/", "http://c/"]);
    assert_eq!(problems, [ProblemKind::BadLength]);
}

#[test]
fn a_byte_order_mark_loses_no_record() {
    let record = warc_record("http://a/", 1, "a");
    let record = record.replace("WARC/1.0\r\n", "WARC/1.0\r\nContent-Language: x\r\n");
    let (pages, _) = check("x.warc", format!("\u{feff}{record}{record}").as_bytes());
    assert_eq!(urls(&pages), ["http://a/", "http://a/"]);
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

/// By its stated length, a record that exceeds the limit ends within the file, but no record begins there.
#[test]
fn a_wrong_length_within_the_file_loses_no_other_record() {
    let mut all = warc_record("http://a/", 1, "a");
    all += &warc_record("http://lie/", 30_000, "short");
    for number in 0..200 {
        let body = noise(number, 300);
        all += &warc_record(&format!("http://b/{number}"), 300, &body);
    }
    for (name, bytes) in [
        ("x.warc", all.clone().into_bytes()),
        ("x.warc.gz", gzip(all.as_bytes())),
        ("x.warc.zst", zstd(all.as_bytes())),
    ] {
        let (pages, problems) = check(name, &bytes);
        assert_eq!(pages.len(), 202, "{name}");
        assert_eq!(pages[1].body, b"short", "{name}");
        assert_eq!(problems, [ProblemKind::BadLength], "{name}");
    }
}

/// A stream must not be read again from its beginning for each of many wrong lengths.
#[test]
fn many_wrong_lengths_take_linear_time() {
    let record = |number, stated| {
        warc_record(
            &format!("http://a/{number:04}"),
            stated,
            &noise(number, 300),
        )
    };
    // Each length leads into the middle of another record.
    let stated = 80 * record(0, 30_000).len() as u64 + 150;
    let first = warc_record("http://first/", 1, "x");
    let lies = (0..2000).map(|number| record(number, stated));
    let all: String = std::iter::once(first).chain(lies).collect();
    let (pages, problems) = check_once("x.warc", all.as_bytes());
    assert_eq!((pages.len(), problems.len()), (2001, 2000));
    let (_, problems) = check_once("x.warc.gz", &gzip(all.as_bytes()));
    assert!(problems.contains(&ProblemKind::TooLarge), "{problems:?}");
}

#[test]
fn a_record_that_exceeds_the_ratio_limit_is_one_problem() {
    let first = warc_record("http://a/", 1, "a");
    let zeros = warc_record("http://b/", 30_000_000, &"\0".repeat(30_000_000));
    let (pages, problems) = check_once(
        "x.warc.zst",
        &zstd([&first[..], &zeros].concat().as_bytes()),
    );
    assert_eq!(urls(&pages), ["http://a/"]);
    assert_eq!(problems, [ProblemKind::Bomb]);
    let members = [
        zstd(first.as_bytes()),
        zstd(zeros.as_bytes()),
        zstd(first.as_bytes()),
    ]
    .concat();
    let (pages, problems) = check_once("x.warc.zst", &members);
    assert_eq!(urls(&pages), ["http://a/", "http://a/"]);
    assert_eq!(problems, [ProblemKind::Bomb]);
}

#[test]
fn a_run_of_garbage_is_one_problem() {
    let all = [
        warc_record("http://a/", 1, "a"),
        noise(1, 40_000),
        warc_record("http://b/", 1, "b"),
    ]
    .concat();
    let (pages, problems) = check("x.warc", all.as_bytes());
    assert_eq!(urls(&pages), ["http://a/", "http://b/"]);
    assert_eq!(problems, [ProblemKind::Malformed]);
}

/// No block may be read to the end of garbage that began before it: with many blocks this would take very long.
#[test]
fn lines_that_seem_to_begin_records_are_read_once() {
    let garbage = "WARC/1.0\n".repeat(300_000);
    let all = [
        warc_record("http://a/", 1, "a"),
        garbage,
        warc_record("http://b/", 1, "b"),
    ]
    .concat();
    let (pages, problems) = check("x.warc", all.as_bytes());
    assert_eq!(urls(&pages), ["http://a/", "http://b/"]);
    assert_eq!(problems, [ProblemKind::Malformed]);
    // Reads the blocks like threads that do not know where the block before ends.
    let source = Source::from_bytes("x.warc", all.into_bytes(), &LIMITS).unwrap();
    let sources: Arc<[Source]> = Arc::new([source]);
    let mut batches = Batches::new(Arc::clone(&sources), LIMITS)
        .with_batch_bytes(NonZeroU64::new(10_000).unwrap());
    let mut reader = BatchReader::new(sources, LIMITS);
    let mut started = 0;
    while let Some(batch) = batches.next_batch() {
        let progress = reader.read(&batch, None, &mut |_, _| {});
        started += u64::from(progress.extent.is_some_and(|it| it.start.is_some()));
    }
    assert_eq!(started, 2);
}

#[test]
fn records_without_a_length_end_where_a_line_begins_another() {
    let record = "WARC/1.0\r\nA: b\r\n\r\n";
    let all = [record, &format!("x\n{record}").repeat(20_000)].concat();
    let (_, problems) = check_once("x.warc", all.as_bytes());
    let without_length = problems
        .iter()
        .filter(|&&kind| kind == ProblemKind::BadLength);
    assert_eq!(without_length.count(), 20_001);
}

#[test]
fn members_that_cut_records_are_a_stream() {
    let records: Vec<String> = (0..8)
        .map(|number| warc_record(&format!("http://a/{number}"), 300, &noise(number, 300)))
        .collect();
    let all = records.concat();
    let info = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nx\n\r\n\r\n";
    for cut in [10, 60, 100, 200, 310] {
        let halves = |record: &String| {
            let (before, behind) = record.as_bytes().split_at(cut);
            [gzip(before), gzip(behind)].concat()
        };
        let blocks =
            |text: &str| -> Vec<u8> { text.as_bytes().chunks(cut).flat_map(gzip).collect() };
        for archive in [
            records.iter().flat_map(halves).collect(),
            blocks(&all),
            [gzip(info.as_bytes()), blocks(&all)].concat(),
        ] {
            let (pages, problems) = check("x.warc.gz", &archive);
            assert_eq!(pages.len(), 8, "{cut}");
            assert_eq!(problems, [], "{cut}");
        }
    }
}

/// If the first record is damaged, the others must not become one stream, which the next damage would end.
#[test]
fn members_of_one_record_each_are_not_a_stream() {
    let mut members: Vec<Vec<u8>> = (0..9)
        .map(|number| {
            let stated = if number == 0 { 500 } else { 300 };
            gzip(warc_record(&format!("http://a/{number}"), stated, &noise(number, 300)).as_bytes())
        })
        .collect();
    let middle = members[4].len() / 2;
    members[4][middle] ^= 0xff;
    let (pages, _) = check("x.warc.gz", &members.concat());
    assert_eq!(pages.len(), 9);
    let (pages, _) = check("x.warc.gz", &members[1..].join(&b"\r\n\r\n"[..]));
    assert_eq!(pages.len(), 8);
}

#[test]
fn an_arc_record_that_swallows_others_is_cut() {
    let record = |url: &str, length: usize, body: &str| {
        format!("{url} 1.2.3.4 20240101000000 text/html; charset=utf-8 {length}\n{body}\n")
    };
    let body = noise(1, 84);
    let third = record("http://c/", 84, &body);
    // With one byte more, the record would end where the fourth begins, and the wrong length could not be
    // noticed.
    for swallowed in 2..third.len() {
        let all = [
            record("http://a/", 84, &body),
            record("http://b/", 84 + swallowed, &body),
            third.clone(),
            record("http://d/", 84, &body),
        ]
        .concat();
        for (name, bytes) in [
            ("x.arc", all.clone().into_bytes()),
            ("x.arc.gz", gzip(all.as_bytes())),
        ] {
            let (pages, problems) = check(name, &bytes);
            let expected = ["http://a/", "http://b/", "http://c/", "http://d/"];
            assert_eq!(urls(&pages), expected, "{name} {swallowed}");
            assert_eq!(pages[1].body, body.as_bytes(), "{name} {swallowed}");
            assert_eq!(problems, [ProblemKind::BadLength], "{name} {swallowed}");
        }
    }
}

/// A frame that is unpacked at once needs no window. A longer one must not be reported as damaged.
#[test]
fn a_stream_that_needs_too_much_memory_is_reported() {
    let archive = |count| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(27).unwrap();
        for number in 0..count {
            let record = warc_record(&format!("http://a/{number}"), 300, &noise(number, 300));
            encoder.write_all(record.as_bytes()).unwrap();
        }
        encoder.finish().unwrap()
    };
    let (pages, problems) = check("x.warc.zst", &archive(20));
    assert_eq!((pages.len(), problems), (20, vec![]));
    let (pages, problems) = check("x.warc.zst", &archive(2000));
    assert_eq!((pages.len(), problems), (0, vec![ProblemKind::TooLarge]));
    // The members before and after it are read.
    let one = |url| zstd(warc_record(url, 1, "x").as_bytes());
    for count in [200, 2000] {
        let members = [one("http://a/"), archive(count), one("http://b/")].concat();
        let (pages, problems) = check("x.warc.zst", &members);
        assert_eq!(urls(&pages), ["http://a/", "http://b/"], "{count}");
        assert_eq!(problems, [ProblemKind::TooLarge], "{count}");
    }
}

/// Returns frames that are too long for memory even in compressed form, with and without their size in the
/// header.
fn long_frames() -> [Vec<u8>; 2] {
    let records: Vec<String> = (0..200)
        .map(|number| warc_record(&format!("http://a/{number}"), 1500, &noise(number, 1500)))
        .collect();
    let all = records.concat();
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.write_all(all.as_bytes()).unwrap();
    let unstated = encoder.finish().unwrap();
    let stated = zstd::bulk::compress(all.as_bytes(), 1).unwrap();
    assert!(stated.len().min(unstated.len()) > 150_000);
    [stated, unstated]
}

#[test]
fn zstd_frames_over_the_limit_are_read_in_steps() {
    let one = |url| zstd(warc_record(url, 1, "x").as_bytes());
    for long in long_frames() {
        let archive = [&one("http://b/")[..], &long, &long, &one("http://c/")].concat();
        let (pages, problems) = check("x.warc.zst", &archive);
        assert_eq!((pages.len(), problems), (402, vec![]));
    }
    let video = noise(1, 300_000);
    let long = zstd(warc_record("http://a/", 300_000, &video).as_bytes());
    let archive = [one("http://b/"), long, one("http://c/")].concat();
    let (pages, problems) = check("x.warc.zst", &archive);
    assert_eq!(urls(&pages), ["http://b/", "http://c/"]);
    assert_eq!(problems, [ProblemKind::TooLarge]);
}

/// The decoder takes the next members for the rest of the one that is cut off.
#[test]
fn members_after_a_long_one_that_is_cut_off_are_found() {
    let all: String = (0..200)
        .map(|number| warc_record(&format!("http://a/{number}"), 1500, &noise(number, 1500)))
        .collect();
    let [stated, unstated] = long_frames();
    for (name, long, pack) in [
        ("x.warc.zst", stated, zstd as fn(&[u8]) -> Vec<u8>),
        ("x.warc.zst", unstated, zstd),
        ("x.warc.gz", gzip(all.as_bytes()), gzip),
    ] {
        let one = |url| pack(warc_record(url, 1, "x").as_bytes());
        for cut in [1, 4, 20, 30_000] {
            let cut_off = &long[..long.len() - cut];
            let behind = [one("http://c/"), one("http://d/"), long.clone()].concat();
            let archive = [&one("http://b/"), cut_off, &behind].concat();
            let (pages, problems) = check(name, &archive);
            let found = urls(&pages);
            assert!(found.len() > 350, "{name} {cut} {}", found.len());
            assert!(found.contains(&"http://c/") && found.contains(&"http://d/"));
            assert!(problems.contains(&ProblemKind::Malformed), "{name} {cut}");
        }
    }
}

/// Returns archives of every kind whose compressed streams can be damaged.
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
        // Members that are too large for memory.
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
