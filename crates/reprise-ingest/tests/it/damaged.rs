//! Archives that are cut, or have a byte that is not what it was: what can be read is,
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
    let mut batches = Batches::new(Arc::clone(&sources), vec![0], LIMITS)
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
