//! Any bytes, taken for an archive of any kind, are read without panic and within the limits;
//! whether the blocks of a file are read from the front or by guess does not show in the result;
//! and every page can be read back from its place.
//!
//! The first byte chooses the file's name, the second the size of its blocks.
#![no_main]

use std::num::NonZeroU64;

use libfuzzer_sys::fuzz_target;
use reprise_fuzz::{LIMITS, Order, Seen, SeenPage, let_panics_unwind, read};
use reprise_ingest::{Source, read_back};

const NAMES: [&str; 8] = [
    "x.warc", "x.warc.gz", "x.warc.zst", "x.warc.lz4", "x.arc", "x.jsonl", "x.parquet", "x.html",
];

fuzz_target!(init: let_panics_unwind(), |data: &[u8]| {
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
    assert_eq!(in_blocks, seen, "blocks change what is read");

    for page in seen.iter().filter_map(Seen::page) {
        assert!(page.body.len() <= LIMITS.body_bytes, "a body over the limit");
        check_read_back(&source, page);
    }
});

fn check_read_back(source: &Source, page: &SeenPage) {
    let mut again = Vec::new();
    let result = read_back(source, page.place, &LIMITS, &mut |item| again.push(Seen::of(item)));
    result.expect("a page that was read can be read again");
    let mut pages = again.iter().filter_map(Seen::page);
    let same = pages.next().expect("a page where there was one");
    assert_eq!((&same.url, &same.body, &same.text), (&page.url, &page.body, &page.text));
    assert!(pages.next().is_none(), "one page at one place");
}
