//! Prints signatures a second by one thread, and the memory of lexicon and contexts.
//!
//! `cargo run --release -p reprise-imatch --example speed`: made-up documents, whose words are as
//! unevenly frequent as those of a language; a lexicon of 15,000 terms with their contexts.

#![expect(clippy::print_stdout, reason = "the table is what the example is for")]

use std::hint::black_box;
use std::time::Instant;

use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, Contexts, FrequencyConfig, Lexicon, Part, Randomised,
    Sides, Signer, SignerConfig, SplitMix64, Statistics, TermRules, Terms, train_by_frequency,
};

const RUNS: usize = 5;
const DOCUMENTS: usize = 27_518;
const WORDS: usize = 300;
/// Distinct words of the made-up language.
const LANGUAGE: usize = 200_000;
const RULES: TermRules = TermRules {
    remove_invisible: true,
    fold_look_alikes: true,
    drop_numbers: true,
    chars_min: 2,
    chars_max: 30,
};

fn main() {
    let mut random = SplitMix64::new(1);
    let texts: Vec<String> = (0..DOCUMENTS).map(|_| text(&mut random)).collect();
    let documents = read(&texts);
    let lexicon = trained(&documents);
    let [all, frequent] = tuned(&documents, &lexicon);
    let randomised = Some(Randomised {
        lexicons: 10,
        dropped_share: 0.3,
        seed: 1,
    });
    for (name, contexts, randomised) in [
        ("plain", None, None),
        ("hardened, count 15", Some(&frequent), None),
        ("hardened, count 1", Some(&all), None),
        ("plain, 10 randomised", None, randomised),
        (
            "hardened, count 15, 10 randomised",
            Some(&frequent),
            randomised,
        ),
    ] {
        let config = SignerConfig {
            overlap_min: 5,
            randomised,
        };
        let part = Part {
            lexicon: &lexicon,
            contexts,
        };
        let signer = Signer::new(part, None, config).expect("the parts fit");
        let seconds = best_seconds(|| {
            for document in &documents {
                black_box(signer.sign(document));
            }
        });
        let speed = DOCUMENTS as f64 / seconds;
        println!("{name}: {speed:.0} signatures a second");
    }
}

/// The terms of all texts.
fn read(texts: &[String]) -> Vec<Terms> {
    let seconds = best_seconds(|| {
        for text in texts {
            black_box(Terms::of(text, &RULES));
        }
    });
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "terms: {:.1} µs a document, {:.0} MB/s",
        seconds / DOCUMENTS as f64 * 1e6,
        bytes as f64 / seconds / 1e6
    );
    texts.iter().map(|text| Terms::of(text, &RULES)).collect()
}

fn trained(documents: &[Terms]) -> Lexicon {
    let start = Instant::now();
    let mut statistics = Statistics::new(RULES);
    for document in documents {
        statistics.add(document, None);
    }
    let band = FrequencyConfig {
        ranks_skipped: 100,
        size_max: 15_000,
        documents_min: 2,
        share_max: 1.0,
    };
    let lexicon = train_by_frequency(&statistics, &band).expect("there are words enough");
    println!(
        "training: {:.2} s for {DOCUMENTS} documents of {WORDS} words; {} distinct terms in {:.1} MB",
        start.elapsed().as_secs_f64(),
        statistics.distinct(),
        statistics.bytes() as f64 / 1e6
    );
    println!(
        "lexicon: {} terms in {:.2} MB",
        lexicon.len(),
        lexicon.bytes() as f64 / 1e6
    );
    lexicon
}

/// All contexts, and those of the count that the paper uses.
fn tuned(documents: &[Terms], lexicon: &Lexicon) -> [Contexts; 2] {
    let start = Instant::now();
    let mut bigrams = Bigrams::new(lexicon, 20_000_000);
    for document in documents {
        bigrams.add(document);
    }
    println!(
        "tuning: {:.2} s, {:.1} MB while counting",
        start.elapsed().as_secs_f64(),
        bigrams.bytes() as f64 / 1e6
    );
    let [all, _, _, frequent] = [1, 2, 5, 15].map(|count| {
        let contexts = bigrams.contexts(&ContextConfig {
            rule: ContextRule::Count(count),
            sides: Sides::Either,
        });
        println!(
            "contexts of count {count:>2} and more: {:>8} ({:.0} a term) in {:.2} MB",
            contexts.len(),
            contexts.len() as f64 / lexicon.len() as f64,
            contexts.bytes() as f64 / 1e6
        );
        contexts
    });
    [all, frequent]
}

/// A text of words by Zipf's law, each of which prefers some followers.
fn text(random: &mut SplitMix64) -> String {
    let mut text = String::new();
    let mut last = 0;
    for _ in 0..WORDS {
        // The logarithm of a rank is evenly spread.
        let even = random.below(1 << 30) as f64 / f64::from(1 << 30);
        let rank = (LANGUAGE as f64).powf(even) as usize;
        let word = if random.below(3) == 0 {
            (last * 31 + random.below(20)) % 5000
        } else {
            rank
        };
        last = word;
        text.push_str(&spelled(word));
        text.push(' ');
    }
    text
}

/// A word that can be pronounced, nearly.
fn spelled(mut number: usize) -> String {
    let mut word = String::new();
    loop {
        word.push(char::from(b"bdfgklmnprstvz"[number % 14]));
        word.push(char::from(b"aeiou"[number / 14 % 5]));
        number /= 70;
        if number == 0 {
            return word;
        }
    }
}

/// One thread computes, so on an idle machine the time on the clock is that of the processor.
fn best_seconds(mut run: impl FnMut()) -> f64 {
    let seconds = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}
