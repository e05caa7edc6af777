//! Any bytes, taken for an archive of any kind, are read without panic and within the limits;
//! whether the blocks of a file are read from the front or by guess does not show in the result;
//! and every page can be read back from its place.
//!
//! The first byte chooses the file's name, the second the size of its blocks.
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
    // What is no record may be told of once in every block that it touches.
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
        let same = pages.next().expect("a page where there was one");
        assert_eq!(
            (&same.url, &same.body, &same.text),
            (&page.url, &page.body, &page.text)
        );
        assert!(pages.next().is_none(), "one page at one place");
    }
}

/// Is the compressed member, or stream, that holds a page corrupt? How much a decoder hands out
/// before it meets an error depends on the sizes it is asked in, and these are not the same when
/// one page is read as when all are: there the page may end sooner or later, or be missing.
fn is_in_broken_member(source: &Source, page: &SeenPage, seen: &[Seen]) -> bool {
    seen.iter().any(|item| match item {
        Seen::Problem(ProblemKind::Malformed | ProblemKind::Bomb, offset, ..) => {
            !source.is_split() || *offset == page.place.offset
        }
        _ => false,
    })
}
