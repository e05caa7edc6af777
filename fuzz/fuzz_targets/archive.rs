//! Reads any bytes as an archive of any kind. Checks that:
//!
//! - the code does not panic, and the limits hold;
//! - the result does not depend on the size of blocks, or on guesses of their start;
//! - every page can be read back from its position.
//!
//! The first byte chooses the name of the file, the second byte the size of blocks.
#![no_main]

use std::num::NonZeroU64;

use libfuzzer_sys::fuzz_target;
use reprise_fuzz::{LIMITS, Order, Seen, SeenPage, read, with_caught_panics};
use reprise_ingest::{ProblemKind, Source, read_back};

const NAMES: [&str; 9] = [
    "x.warc",
    "x.warc.gz",
    "x.warc.zst",
    "x.warc.lz4",
    "x.arc",
    "x.jsonl",
    "x.parquet",
    "x.html",
    "x.mbox.gz",
];

fuzz_target!(|data: &[u8]| with_caught_panics(|| check(data)));

fn check(data: &[u8]) {
    let [name, block, bytes @ ..] = data else {
        return;
    };
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let block_bytes = NonZeroU64::MIN.saturating_add(u64::from(*block) * 4);
    let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).expect("memory can be read");

    let seen = read(&source, None, Order::FromTheFront);
    let in_blocks = read(&source, Some(block_bytes), Order::FromTheFront);
    let by_guess = read(&source, Some(block_bytes), Order::ByGuess);
    assert_eq!(by_guess, in_blocks, "guessing changes what is read");
    // Bytes that are not a record may be reported once in each block that they touch.
    let records = |seen: &[Seen]| -> Vec<Seen> {
        let is_problem = |item: &&Seen| matches!(item, Seen::Problem(..));
        seen.iter()
            .filter(|item| !is_problem(item))
            .cloned()
            .collect()
    };
    assert_eq!(
        records(&in_blocks),
        records(&seen),
        "blocks change what is read"
    );

    for page in seen.iter().filter_map(Seen::page) {
        assert!(
            page.body.len() <= LIMITS.body_bytes,
            "a body over the limit"
        );
        let mut again = Vec::new();
        let result = read_back(&source, page.place, &LIMITS, &mut |item| {
            again.push(Seen::of(item))
        });
        if is_in_broken_member(&source, page, &seen) {
            continue;
        }
        result.expect("a page that was read can be read again");
        let mut pages = again.iter().filter_map(Seen::page);
        let same = pages.next().expect("the page is found again");
        assert_eq!(
            (&same.url, &same.body, &same.text),
            (&page.url, &page.body, &page.text)
        );
        assert!(pages.next().is_none(), "two pages at one position");
    }
}

/// Returns true if the compressed member or stream of a page is corrupt. The number of bytes that a decoder
/// returns before an error depends on the sizes of the reads. These differ between reading one page and
/// reading all, so the page may have another end or may be missing.
fn is_in_broken_member(source: &Source, page: &SeenPage, seen: &[Seen]) -> bool {
    seen.iter().any(|item| match item {
        Seen::Problem(ProblemKind::Malformed | ProblemKind::Bomb, offset, ..) => {
            !source.is_split() || *offset == page.place.offset
        }
        _ => false,
    })
}
