//! Prints how fast digests are computed and compared, and how the time to match them grows.
//!
//! `cargo run --release -p reprise-fuzzy --example fuzzy_speed -- [--million] [FILE]`: with a file, its
//! bytes are hashed instead of random ones. With `--million`, a million digests are matched as well.

#![expect(clippy::print_stdout, reason = "the example prints a table")]

use std::hint::black_box;
use std::time::Instant;

use reprise_fuzzy::{Digest, Groups, Hasher, Index, score};

const RUNS: usize = 5;

/// The score from which two digests count as near-copies.
const NEAR: u8 = 90;

fn main() {
    let mut file = None;
    let mut counts = vec![1000, 10_000, 100_000];
    for argument in std::env::args().skip(1) {
        if argument == "--million" {
            counts.push(1_000_000);
        } else {
            file = Some(std::fs::read(argument).expect("the file is readable"));
        }
    }
    let mut noise = Noise(1);
    let bytes = file.unwrap_or_else(|| (0..64 << 20).map(|_| noise.below(256) as u8).collect());
    digests(&bytes);
    scores(&mut noise);
    println!(
        "digests   distinct   index µs each   query µs   pairs seconds   pairs of {NEAR} or more"
    );
    for count in counts {
        matching(&generated(count, &mut noise));
    }
}

/// Prints megabytes per second for one long input and for parts as long as pages.
fn digests(bytes: &[u8]) {
    for len in [bytes.len(), 100_000, 10_000, 2000] {
        let of = best_seconds(|| {
            for part in bytes.chunks(len) {
                black_box(Digest::of(part));
            }
        });
        let streamed = best_seconds(|| {
            for part in bytes.chunks(len) {
                let mut hasher = Hasher::new();
                hasher.update(part);
                black_box(hasher.finish());
            }
        });
        let speed = |seconds: f64| bytes.len() as f64 / seconds / 1e6;
        println!(
            "{len:>9} bytes: {:.0} MB/s, as a stream {:.0} MB/s",
            speed(of),
            speed(streamed)
        );
    }
}

/// Prints the number of scores per second for digests with the same block size.
fn scores(noise: &mut Noise) {
    let digests = generated(1000, noise);
    let same: Vec<&Digest> = digests
        .iter()
        .filter(|digest| digest.block_size() == 96)
        .collect();
    let mut alike = 0;
    let seconds = best_seconds(|| {
        alike = 0;
        for a in &same {
            alike += same.iter().filter(|b| score(a, b) > 0).count();
        }
    });
    let all = same.len() * same.len();
    println!(
        "scores: {:.1} million a second ({alike} of {all} above zero)",
        all as f64 / seconds / 1e6
    );
}

/// Prints one line of the table.
fn matching(digests: &[Digest]) {
    let start = Instant::now();
    let mut index = Index::new();
    for digest in digests {
        index.insert(digest);
    }
    let building = start.elapsed().as_secs_f64();
    let queries = digests.len().min(10_000);
    let step = digests.len() / queries;
    let start = Instant::now();
    for digest in digests.iter().step_by(step) {
        black_box(index.matches(digest, NEAR));
    }
    let querying = start.elapsed().as_secs_f64();
    drop(index);
    let start = Instant::now();
    let groups = Groups::of(digests);
    let mut found = 0_usize;
    groups.pairs_each(NEAR, |pair| {
        found += groups.members(pair.a).len() * groups.members(pair.b).len();
    });
    let pairing = start.elapsed().as_secs_f64();
    for group in 0..groups.len() as u32 {
        let members = groups.members(group).len();
        found += members * (members - 1) / 2;
    }
    println!(
        "{:>7} {:>10} {:>15.1} {:>10.1} {:>15.2} {:>13}",
        digests.len(),
        groups.len(),
        building / digests.len() as f64 * 1e6,
        querying / queries as f64 * 1e6,
        pairing,
        found,
    );
}

/// Generates digests like those of pages: of all sizes, a third of them near-copies of another, some
/// equal, and many with the same beginning, like pages of one site.
fn generated(count: usize, noise: &mut Noise) -> Vec<Digest> {
    let mut parts: Vec<[Vec<u8>; 2]> = Vec::new();
    let mut levels = Vec::new();
    for number in 0..count {
        let level = 3 + noise.below(6);
        let near = number > 0 && noise.below(3) == 0;
        if near {
            let of = noise.below(number);
            let mut copy = parts[of].clone();
            for part in &mut copy {
                for _ in 0..noise.below(4) {
                    let place = noise.below(part.len());
                    part[place] = noise.below(64) as u8;
                }
            }
            parts.push(copy);
            levels.push(levels[of]);
        } else {
            let site = noise.below(1 + count / 100) as u64;
            let begin = Noise(site << 8).codes(8);
            let lens = [32 + noise.below(33), 16 + noise.below(17)];
            parts.push(lens.map(|len| {
                let mut codes = begin.clone();
                codes.extend(noise.codes(len - begin.len()));
                codes
            }));
            levels.push(level);
        }
    }
    let text = |codes: &Vec<u8>| -> String {
        let characters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        codes
            .iter()
            .map(|&code| char::from(characters[usize::from(code)]))
            .collect()
    };
    let digest = |([first, second], level): (&[Vec<u8>; 2], &usize)| {
        let digest = format!("{}:{}:{}", 3 << level, text(first), text(second));
        digest.parse().expect("the generated text is a digest")
    };
    parts.iter().zip(&levels).map(digest).collect()
}

/// Returns the time of the fastest of several runs.
fn best_seconds(mut run: impl FnMut()) -> f64 {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// A generator of reproducible random numbers.
struct Noise(u64);

impl Noise {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }

    fn codes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.below(64) as u8).collect()
    }
}
