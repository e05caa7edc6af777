//! Prints the number of documents per second that one core turns from text into supershingles, and the
//! time of each step.
//!
//! Each figure is the best of many short runs, so other programs on the machine hardly affect it.

#![expect(clippy::print_stdout, reason = "the example prints a table")]

use std::hint::black_box;
use std::time::Instant;

use reprise_shingle::{Shingler, Shingles, agreement, supershingles};

/// The number of words in one run. The texts fit in the second-level cache.
const RUN_WORDS: usize = 30_000;
const RUNS: usize = 60;
const VOCABULARY: usize = 20_000;

/// The numbers of words of 1, 2, 3, ... letters per thousand words of English text.
const LENGTHS: [usize; 14] = [30, 170, 205, 150, 110, 85, 80, 60, 40, 30, 18, 12, 6, 4];

fn main() {
    let mut noise = Noise(1);
    let latin = vocabulary(&mut noise, |noise| char::from(b'a' + noise.below(26) as u8));
    let cyrillic = vocabulary(&mut noise, |noise| {
        char::from_u32(0x430 + noise.below(32) as u32).unwrap_or_default()
    });
    let han = vocabulary(&mut noise, |noise| {
        char::from_u32(0x4e00 + noise.below(20_000) as u32).unwrap_or_default()
    });

    println!("documents                 per second   words µs  phrases  shingles  supershingles");
    measure("150 words", &documents(&mut noise, &latin, 150));
    measure("1000 words", &documents(&mut noise, &latin, 1000));
    measure(
        "150 words, Cyrillic",
        &documents(&mut noise, &cyrillic, 150),
    );
    measure("150 runs, Chinese", &documents(&mut noise, &han, 150));

    let [a, b]: [Shingles; 2] = [[1; 84], std::array::from_fn(|i| i as u64 % 2)];
    let pairs = best_seconds(|| {
        for _ in 0..10_000 {
            black_box(agreement(black_box(&a), black_box(&b)));
        }
    });
    println!("agreement: {:.0} million a second", 10_000.0 / pairs / 1e6);
}

/// Prints one line of the table.
fn measure(name: &str, documents: &[String]) {
    let mut parts: Vec<Shingler> = documents.iter().map(|_| Shingler::new()).collect();
    let mut shingles: Vec<Shingles> = Vec::new();
    // First each step alone, over all documents.
    let words = best_seconds(|| {
        for (part, text) in parts.iter_mut().zip(documents) {
            part.clear();
            part.add(text);
        }
    });
    let with_phrases = best_seconds(|| {
        for (part, text) in parts.iter_mut().zip(documents) {
            part.clear();
            part.add(text);
            black_box(part.phrases());
        }
    });
    let minima = best_seconds(|| {
        shingles.clear();
        shingles.extend(parts.iter_mut().filter_map(Shingler::shingles));
    });
    let supers = best_seconds(|| {
        for shingles in &shingles {
            black_box(supershingles(shingles));
        }
    });
    let mut document = Shingler::new();
    let all = best_seconds(|| {
        for text in documents {
            document.clear();
            document.add(text);
            black_box(document.shingles().as_ref().map(supershingles));
        }
    });
    let count = documents.len() as f64;
    let each = |seconds: f64| seconds / count * 1e6;
    println!(
        "{name:<25} {:>10.0} {:>10.2} {:>8.2} {:>9.2} {:>14.2}",
        count / all,
        each(words),
        each(with_phrases - words),
        each(minima),
        each(supers),
    );
}

/// Generates words of these letters, some in upper case.
fn vocabulary(noise: &mut Noise, mut letter: impl FnMut(&mut Noise) -> char) -> Vec<String> {
    let word = |_| {
        let mut at = noise.below(LENGTHS.iter().sum());
        let mut len = 1;
        for count in LENGTHS {
            if at < count {
                break;
            }
            at -= count;
            len += 1;
        }
        let mut word: String = (0..len).map(|_| letter(noise)).collect();
        if noise.below(8) == 0 {
            word = word.to_uppercase();
        }
        word
    };
    (0..VOCABULARY).map(word).collect()
}

/// Generates documents of random words, with some punctuation.
fn documents(noise: &mut Noise, vocabulary: &[String], words: usize) -> Vec<String> {
    let document = |_| {
        let mut text = String::new();
        for _ in 0..words {
            text.push_str(&vocabulary[noise.below(VOCABULARY)]);
            text.push_str([" ", " ", " ", " ", " ", " ", ", ", ". "][noise.below(8)]);
        }
        text
    };
    (0..RUN_WORDS / words).map(document).collect()
}

/// Returns the time of the fastest of many runs.
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
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((self.0 >> 33) as usize * end) >> 31
    }
}
