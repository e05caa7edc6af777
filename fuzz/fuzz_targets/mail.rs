//! Reads any bytes as a mail or as an mbox. Checks that:
//!
//! - the code does not panic, and the limits hold;
//! - the result does not depend on the size of blocks;
//! - a file with one mail becomes one page or a problem;
//! - every mail can be read back from its position.
//!
//! The first byte chooses between mail and mbox, the second byte the size of blocks.
#![no_main]

use std::num::NonZeroU64;

use libfuzzer_sys::fuzz_target;
use reprise_fuzz::{LIMITS, Order, Seen, read, with_caught_panics};
use reprise_ingest::{RecordKind, Source, read_back};

fuzz_target!(|data: &[u8]| with_caught_panics(|| check(data)));

fn check(data: &[u8]) {
    let [name, block, bytes @ ..] = data else {
        return;
    };
    let is_mbox = name % 2 == 0;
    let name = if is_mbox { "x.mbox" } else { "x.eml" };
    let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).expect("memory can be read");
    let seen = read(&source, None, Order::FromTheFront);
    let pages = seen.iter().filter(|item| item.page().is_some()).count();
    if is_mbox {
        let block_bytes = NonZeroU64::MIN.saturating_add(u64::from(*block) * 4);
        for order in [Order::FromTheFront, Order::ByGuess] {
            let in_blocks = read(&source, Some(block_bytes), order);
            assert_eq!(
                mails(&in_blocks),
                mails(&seen),
                "blocks change what is read"
            );
        }
    } else if bytes.len() <= LIMITS.body_bytes {
        assert_eq!(seen.first(), Some(&Seen::Record(RecordKind::Mail)));
        assert_eq!(pages, 1, "one mail became {pages} pages: {seen:?}");
    }
    for page in seen.iter().filter_map(Seen::page) {
        assert!(
            page.body.len() <= LIMITS.body_bytes,
            "a body over the limit"
        );
        let mut again = Vec::new();
        read_back(&source, page.place, &LIMITS, &mut |item| {
            again.push(Seen::of(item))
        })
        .expect("a page that was read can be read again");
        let again: Vec<_> = again.iter().filter_map(Seen::page).collect();
        assert_eq!(again, [page]);
    }
}

/// Returns the items without problems. Bytes that are not a mail may be reported once in each block that they
/// touch.
fn mails(seen: &[Seen]) -> Vec<&Seen> {
    let is_problem = |item: &&Seen| matches!(item, Seen::Problem(..));
    seen.iter().filter(|item| !is_problem(item)).collect()
}
