//! Code that the fuzz targets share: reads a source from memory to its end, and handles caught panics.

use std::num::NonZeroU64;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::{Arc, Mutex, Once, PoisonError};

use reprise_ingest::{
    Batch, BatchReader, Batches, Item, Page, Place, ProblemKind, RecordKind, RecordLimits, Source,
};

/// Limits that are so low that an input of a few thousand bytes can exceed each of them.
pub const LIMITS: RecordLimits = RecordLimits {
    body_bytes: 1 << 10,
    header_bytes: 256,
    ratio: 100,
    nesting: 3,
};

/// An owned copy of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A record.
    Record(RecordKind),
    /// A problem: its kind, offset, URL and detail.
    Problem(ProblemKind, u64, Option<String>, String),
    /// A page.
    Page(SeenPage),
}

/// An owned copy of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPage {
    /// The URL.
    pub url: String,
    /// The position in the source.
    pub place: Place,
    /// The decoded body.
    pub body: Vec<u8>,
    /// The text, if the page has one.
    pub text: Option<String>,
}

impl Seen {
    /// Copies an item.
    pub fn of(item: Item<'_>) -> Seen {
        match item {
            Item::Record(kind) => Seen::Record(kind),
            Item::Problem(problem) => {
                Seen::Problem(problem.kind, problem.offset, problem.url, problem.detail)
            }
            Item::Page(page) => Seen::Page(SeenPage::of(&page)),
        }
    }

    /// Returns the page if the item is one.
    pub fn page(&self) -> Option<&SeenPage> {
        match self {
            Seen::Page(page) => Some(page),
            _ => None,
        }
    }
}

impl SeenPage {
    fn of(page: &Page<'_>) -> SeenPage {
        SeenPage {
            url: page.url.to_owned(),
            place: page.place,
            body: page.body.to_owned(),
            text: page.text.map(|(_, text)| text.to_owned()),
        }
    }
}

/// The order in which the blocks of a source are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each block is read from the end of the block before it.
    FromTheFront,
    /// Each block is read from a guessed position, and again if the guess was wrong. `reprise-engine` does
    /// the same.
    ByGuess,
}

/// Reads all items of a source, in blocks of `block_bytes` or of the default size.
pub fn read(source: &Source, block_bytes: Option<NonZeroU64>, order: Order) -> Vec<Seen> {
    let sources: Arc<[Source]> = Arc::new([source.clone()]);
    let mut batches = Batches::new(Arc::clone(&sources), LIMITS);
    if let Some(bytes) = block_bytes {
        batches = batches.with_batch_bytes(bytes);
    }
    let mut reader = BatchReader::new(sources, LIMITS);
    let mut read_one = |batch: &Batch, from: Option<u64>| {
        let mut items = Vec::new();
        let progress = reader.read(batch, from, &mut |_, item| items.push(Seen::of(item)));
        (items, progress)
    };
    let mut seen = Vec::new();
    let mut position = 0;
    while let Some(batch) = batches.next_batch() {
        let Some(block) = batch.block() else {
            seen.extend(read_one(&batch, None).0);
            continue;
        };
        // A record of an earlier block extends beyond this block. The last block is always read.
        if position >= block.end && block.end < source.bytes {
            continue;
        }
        let guess = match order {
            Order::FromTheFront => None,
            Order::ByGuess => Some(read_one(&batch, None)).filter(|(_, progress)| {
                progress.extent.and_then(|extent| extent.start) == Some(position)
            }),
        };
        let (items, progress) = guess.unwrap_or_else(|| read_one(&batch, Some(position)));
        position = progress.position;
        seen.extend(items);
    }
    seen
}

/// Runs a target that may catch panics itself: Reprise catches panics of the Parquet library on damaged
/// files. The panic hook of libFuzzer would end the process at every panic. This function ends it only if
/// the target does not catch the panic.
pub fn with_caught_panics(target: impl FnOnce()) {
    static LAST: Mutex<String> = Mutex::new(String::new());
    static HOOK: Once = Once::new();
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    HOOK.call_once(|| panic::set_hook(Box::new(move |info| *last() = info.to_string())));
    if panic::catch_unwind(AssertUnwindSafe(target)).is_err() {
        eprintln!("{}", last());
        process::abort();
    }
}
