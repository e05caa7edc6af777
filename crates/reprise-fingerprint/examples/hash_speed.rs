//! Prints how many MB one core fingerprints per second, one by one and all at once, for several
//! message sizes.
//!
//! Each figure is the best of many short runs, which is the time on the processor even when other
//! programs want it too.

#![expect(clippy::print_stdout, reason = "the table is what the example is for")]

use std::time::Instant;

use reprise_fingerprint::{Fingerprint, HashKind, fingerprint_all};

/// Bytes of messages in one case; they stay in the second-level cache.
const CASE_BYTES: usize = 200_000;
const RUNS: usize = 1000;

fn main() {
    println!("hash    messages        single MB/s  all MB/s  gain");
    let bytes = noise(CASE_BYTES);
    for kind in [HashKind::Sha256, HashKind::Sha1] {
        for size in [64, 200, 1_000, 10_000, 100_000] {
            let calls = vec![bytes.chunks_exact(size).collect()];
            measure(kind, &format!("{size} B"), &calls);
        }
        let pages: Vec<Vec<&[u8]>> = bytes.chunks_exact(10_000).map(pieces_and_body).collect();
        measure(kind, "page by page", &pages);
        measure(kind, "20 pages", &[pages.concat()]);
    }
}

/// Prints a line of the table; each call's messages are fingerprinted together.
fn measure(kind: HashKind, name: &str, calls: &[Vec<&[u8]>]) {
    let total: usize = calls.iter().flatten().map(|message| message.len()).sum();
    let mut single: Vec<Fingerprint> = Vec::new();
    let single_seconds = best_seconds(|| {
        single.clear();
        single.extend(calls.iter().flatten().map(|bytes| kind.fingerprint(bytes)));
    });
    let mut all: Vec<Fingerprint> = Vec::new();
    let all_seconds = best_seconds(|| {
        all.clear();
        for messages in calls {
            fingerprint_all(kind, messages, &mut all);
        }
    });
    assert_eq!(single, all, "both ways give the same fingerprints");
    println!(
        "{:<7} {name:<15} {:>11.0} {:>9.0} {:>5.2}",
        kind.as_str(),
        total as f64 / single_seconds / 1e6,
        total as f64 / all_seconds / 1e6,
        single_seconds / all_seconds,
    );
}

/// The pieces of a page, 100 to 300 bytes each, followed by the whole.
fn pieces_and_body(body: &[u8]) -> Vec<&[u8]> {
    let mut messages = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let length = (100 + usize::from(rest[0]) * 200 / 255).min(rest.len());
        let (piece, after) = rest.split_at(length);
        messages.push(piece);
        rest = after;
    }
    messages.push(body);
    messages
}

/// Bytes without a pattern, the same each time.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    })
    .take(length)
    .collect()
}

/// Seconds that the quickest of many runs took.
fn best_seconds(mut run: impl FnMut()) -> f64 {
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
