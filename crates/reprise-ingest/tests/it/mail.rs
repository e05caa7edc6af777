//! Mail: real messages, unusual ones, and mboxes that are cut at any position.

use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use reprise_ingest::{
    BatchReader, Batches, Item, Place, ProblemKind, RecordLimits, Source, read_back,
};

use crate::project;
use crate::reading::{LIMITS, open, read};
use crate::shared_data::unpack;

const LINE: &str = "From a@b Mon Jan  1 00:00:00 2024\n";

fn files_below(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Checks that every file of a data set is one page that can be read back. Returns the number of mails.
fn check_files(set: &str) -> Option<u64> {
    let root = unpack(project(), set)?;
    let mut files = Vec::new();
    files_below(&root, &mut files);
    let sources = open(&root).sources;
    assert_eq!(sources.len(), files.len());
    let reading = read(sources.clone());
    let not_text = |kind| kind == ProblemKind::NotText;
    let faults: Vec<_> = reading
        .problems
        .iter()
        .filter(|problem| !not_text(problem.kind))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    let mut seen = vec![0; sources.len()];
    for (source, page) in &reading.pages {
        seen[*source] += 1;
        let mut again = Vec::new();
        read_back(&sources[*source], page.place, &LIMITS, &mut |item| {
            if let Item::Page(page) = item {
                let text = page.text.map(|(_, text)| text.to_owned());
                again.push((page.url.to_owned(), page.place, page.body.to_vec(), text));
            }
        })
        .unwrap();
        let page = page.clone();
        assert_eq!(again, [(page.url, page.place, page.body, page.text)]);
    }
    for (count, source) in seen.iter().zip(&sources) {
        assert_eq!(*count, 1, "{}", source.name);
    }
    reading.records.get("mail").copied()
}

#[test]
fn real_mails_are_one_page_each() {
    if let Some(mails) = check_files("mail-spamassassin") {
        assert_eq!(mails, 3000);
    }
}

#[test]
fn awkward_mails_are_one_page_each() {
    if let Some(mails) = check_files("mail-mime-corner-cases") {
        assert!(mails >= 228, "{mails}");
    }
}

const SMALL: RecordLimits = RecordLimits {
    body_bytes: 300,
    header_bytes: 100,
    ratio: 100,
    nesting: 2,
};

type Seen = (String, Place, Vec<u8>, Option<String>);

/// Returns the pages and the problems of a source, read in blocks of one size. The start of each block is
/// guessed, and the block is read again if the guess was wrong.
fn in_blocks(source: &Source, block_bytes: u64) -> (Vec<Seen>, Vec<(ProblemKind, u64)>) {
    let sources: Arc<[Source]> = Arc::new([source.clone()]);
    let mut batches = Batches::new(Arc::clone(&sources), SMALL)
        .with_batch_bytes(NonZeroU64::new(block_bytes).unwrap());
    let mut reader = BatchReader::new(sources, SMALL);
    let (mut pages, mut problems, mut position) = (Vec::new(), Vec::new(), 0);
    while let Some(batch) = batches.next_batch() {
        let block = batch.block();
        if block.as_ref().is_some_and(|block| position >= block.end) {
            continue;
        }
        for from in [None, Some(position)] {
            let (mut new_pages, mut new_problems) = (Vec::new(), Vec::new());
            let progress = reader.read(&batch, from, &mut |_, item| match item {
                Item::Record(_) => {}
                Item::Problem(problem) => new_problems.push((problem.kind, problem.offset)),
                Item::Page(page) => {
                    let text = page.text.map(|(_, text)| text.to_owned());
                    new_pages.push((page.url.to_owned(), page.place, page.body.to_vec(), text));
                }
            });
            let start = progress.extent.and_then(|extent| extent.start);
            if block.is_none() || from.is_some() || start == Some(position) {
                pages.extend(new_pages);
                problems.extend(new_problems);
                position = progress.position;
                break;
            }
        }
    }
    (pages, problems)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const PIECES: [&str; 10] = [
    "Subject: s\n\n",
    "Message-ID: <a@b>\r\n\r\n",
    "Content-Length: 12\n\n",
    "hello world\n",
    "\n",
    "From here on\n",
    ">From there\n",
    "From x at 10:20 in 2024\nwords\n",
    "From ",
    "a long line, again and again and again and again and again and again and again and again\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn blocks_of_any_size_give_the_same_mails(
        mails in proptest::collection::vec(proptest::collection::vec(0..PIECES.len(), 0..12), 1..8),
        block_bytes in 1_u64..2000,
    ) {
        let mut mbox = String::new();
        for pieces in &mails {
            mbox.push_str(LINE);
            mbox.push_str("X: y\n");
            mbox.extend(pieces.iter().map(|&piece| PIECES[piece]));
            mbox.push('\n');
        }
        let source = Source::from_bytes("x.mbox", mbox.clone().into_bytes(), &SMALL).unwrap();
        let (pages, problems) = in_blocks(&source, 1 << 30);
        prop_assert_eq!(in_blocks(&source, block_bytes), (pages.clone(), problems.clone()));
        for page in &pages {
            let mut again = Vec::new();
            read_back(&source, page.1, &SMALL, &mut |item| {
                if let Item::Page(found) = item {
                    let text = found.text.map(|(_, text)| text.to_owned());
                    again.push((found.url.to_owned(), found.place, found.body.to_vec(), text));
                }
            })
            .unwrap();
            prop_assert_eq!(again, std::slice::from_ref(page));
        }

        let packed = Source::from_bytes("x.mbox.gz", gzip(mbox.as_bytes()), &SMALL).unwrap();
        let (stream, _) = in_blocks(&packed, block_bytes);
        let bodies = |pages: &[Seen]| -> Vec<Vec<u8>> {
            pages.iter().map(|page| page.2.clone()).collect()
        };
        prop_assert_eq!(bodies(&stream), bodies(&pages));
    }
}

#[test]
fn a_mail_over_the_limit_is_one_problem() {
    let long = format!(
        "{LINE}Subject: long\n\n{}\n",
        "words and words\n".repeat(20_000)
    );
    let short = format!("{LINE}Subject: short\n\nwords\n\n");
    let mbox = [long.as_str(), &long, &short].concat();
    let source = Source::from_bytes("x.mbox", mbox.into_bytes(), &SMALL).unwrap();
    for block_bytes in [1 << 10, 100_000, 1 << 30] {
        let (pages, problems) = in_blocks(&source, block_bytes);
        assert_eq!(pages.len(), 1);
        assert_eq!(pages[0].0, format!("x.mbox#mail-{}", 2 * long.len()));
        let offsets = [0, long.len() as u64].map(|offset| (ProblemKind::TooLarge, offset));
        assert_eq!(problems, offsets);
    }
}

#[test]
fn a_byte_order_mark_before_an_mbox_is_not_a_mail() {
    let mail = |id: &str| format!("{LINE}Message-ID: <{id}>\n\nwords\n\n");
    let mbox = format!("\u{feff}{}{}", mail("a@b"), mail("c@d"));
    for (name, bytes) in [
        ("x.mbox", mbox.clone().into_bytes()),
        ("x.mbox.gz", gzip(mbox.as_bytes())),
    ] {
        let source = Source::from_bytes(name, bytes, &SMALL).unwrap();
        let (pages, problems) = in_blocks(&source, 1 << 30);
        assert_eq!(problems, []);
        let urls: Vec<&str> = pages.iter().map(|page| page.0.as_str()).collect();
        assert_eq!(urls, ["mid:a@b", "mid:c@d"]);
        for page in &pages {
            let mut again = 0;
            read_back(&source, page.1, &SMALL, &mut |item| {
                again += usize::from(matches!(item, Item::Page(found) if found.url == page.0));
            })
            .unwrap();
            assert_eq!(again, 1);
        }
    }
    // A byte order mark alone is not a mail either, and reading it ends.
    for bytes in [b"\xef\xbb\xbf".to_vec(), gzip(b"\xef\xbb\xbf")] {
        let source = Source::from_bytes("x.mbox", bytes, &SMALL).unwrap();
        let (pages, problems) = in_blocks(&source, 1 << 30);
        assert_eq!(
            (pages.len(), problems),
            (0, vec![(ProblemKind::Malformed, 0)])
        );
    }
}
