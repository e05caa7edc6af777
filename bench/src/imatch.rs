//! Measures I-Match: signatures per CPU second, and the memory of lexicon and contexts.
//!
//! ```text
//! generated documents --> terms --> lexicon of 15,000 --> contexts --> signatures, compared with slow ones
//! ```
//! The frequencies of words follow Zipf's law, and each word prefers some followers. Everything runs on one thread.

use std::collections::{BTreeSet, HashSet};
use std::hint::black_box;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use reprise_engine::signatures::{
    Bigrams, ContextConfig, ContextRule, Contexts, FrequencyConfig, Lexicon, Part, Randomised,
    Side, Sides, Signatures, Signer, SignerConfig, SplitMix64, Statistics, TermRules, Terms,
    train_by_frequency,
};
use sha2::{Digest, Sha256};

use crate::measure::{Meter, verdict};

/// The number of words of a document.
const WORDS: usize = 300;
/// The number of distinct words of the generated language.
const LANGUAGE: usize = 200_000;
/// The number of terms of the lexicon, as in the paper.
const LEXICON: usize = 15_000;
/// The step between documents whose signatures are checked.
const CHECKED: usize = 20;

/// Measures signatures.
#[derive(Args)]
pub(crate) struct Imatch {
    /// The number of documents of 300 words.
    #[arg(long, default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(100..))]
    documents: u64,
    /// The number of rounds. The fastest round counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
}

impl Imatch {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut random = SplitMix64::new(1);
        let texts: Vec<String> = (0..self.documents).map(|_| text(&mut random)).collect();
        let documents = self.read(&texts);
        let lexicon = trained(&documents)?;
        let [all, frequent] = tuned(&documents, &lexicon);
        let randomised = Some(Randomised {
            lexicons: 10,
            dropped_share: 0.3,
            seed: 1,
        });
        let mut is_right = true;
        for (name, contexts, randomised) in [
            ("plain", None, None),
            ("hardened by count 15", Some(&frequent), None),
            ("hardened by count 1", Some(&all), None),
            ("plain, 10 randomised", None, randomised),
            (
                "hardened by count 15, 10 randomised",
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
            let signer = Signer::new(part, None, config)?;
            let seconds = self.best_seconds(|| {
                for document in &documents {
                    black_box(signer.sign(document));
                }
            });
            let speed = self.documents as f64 / seconds;
            println!("signatures   {speed:>9.0} per CPU second, {name}");
            let checked = documents.iter().step_by(CHECKED);
            is_right &= checked.into_iter().all(|document| {
                follows_definition(&signer.sign(document), document, &lexicon, contexts)
            });
        }
        Ok(verdict(is_right))
    }

    /// Splits all texts into terms, and measures it.
    fn read(&self, texts: &[String]) -> Vec<Terms> {
        let rules = TermRules::DEFAULT;
        let seconds = self.best_seconds(|| {
            for text in texts {
                black_box(Terms::of(text, &rules));
            }
        });
        let bytes: usize = texts.iter().map(String::len).sum();
        println!(
            "terms        {:>9.0} documents of {WORDS} words per CPU second, {:.0} MB",
            self.documents as f64 / seconds,
            bytes as f64 / seconds / 1e6
        );
        texts.iter().map(|text| Terms::of(text, &rules)).collect()
    }

    /// Returns the CPU seconds of the fastest round.
    fn best_seconds(&self, mut run: impl FnMut()) -> f64 {
        let seconds = (0..self.rounds).map(|_| {
            let meter = Meter::start();
            run();
            meter.stop().cpu_seconds
        });
        seconds.fold(f64::INFINITY, f64::min)
    }
}

fn trained(documents: &[Terms]) -> Result<Lexicon> {
    let meter = Meter::start();
    let mut statistics = Statistics::new(TermRules::DEFAULT);
    for document in documents {
        statistics.add(document, None);
    }
    let band = FrequencyConfig {
        ranks_skipped: 100,
        size_max: LEXICON,
        documents_min: 2,
        share_max: 1.0,
    };
    let lexicon = train_by_frequency(&statistics, &band).map_err(|error| anyhow!(error))?;
    println!(
        "training     {:>9.0} documents per CPU second; {} distinct terms in {:.1} MB",
        documents.len() as f64 / meter.stop().cpu_seconds,
        statistics.distinct(),
        statistics.bytes() as f64 / 1e6
    );
    println!(
        "lexicon      {:>9.2} MB for {} terms",
        lexicon.bytes() as f64 / 1e6,
        lexicon.len(),
    );
    Ok(lexicon)
}

/// Returns all contexts, and those that occur 15 times, as in the paper.
fn tuned(documents: &[Terms], lexicon: &Lexicon) -> [Contexts; 2] {
    let meter = Meter::start();
    let mut bigrams = Bigrams::new(lexicon, 20_000_000);
    for document in documents {
        bigrams.add(document);
    }
    println!(
        "tuning       {:>9.0} documents per CPU second; {:.1} MB while counting",
        documents.len() as f64 / meter.stop().cpu_seconds,
        bigrams.bytes() as f64 / 1e6
    );
    let [all, _, _, frequent] = [1, 2, 5, 15].map(|count| {
        let contexts = bigrams.contexts(&ContextConfig {
            rule: ContextRule::Count(count),
            sides: Sides::Either,
        });
        println!(
            "contexts     {:>9.2} MB for {} that occur {count} times or more, {:.0} per term",
            contexts.bytes() as f64 / 1e6,
            contexts.len(),
            contexts.len() as f64 / lexicon.len() as f64,
        );
        contexts
    });
    [all, frequent]
}

/// Returns true if the signatures follow the definition.
fn follows_definition(
    found: &Signatures<'_>,
    document: &Terms,
    lexicon: &Lexicon,
    contexts: Option<&Contexts>,
) -> bool {
    let known: HashSet<&str> = lexicon.entries().map(|entry| entry.term).collect();
    let words: Vec<&str> = document.iter().collect();
    let counts = |at: usize| {
        contexts.is_none_or(|contexts| {
            let before = at.checked_sub(1).map(|before| words[before]);
            let after = words.get(at + 1).copied();
            contexts.is_valid(words[at], Side::Before, before)
                || contexts.is_valid(words[at], Side::After, after)
        })
    };
    let terms: BTreeSet<&str> = (0..words.len())
        .filter(|&at| known.contains(words[at]) && counts(at))
        .map(|at| words[at])
        .collect();
    let mut hash = Sha256::new();
    for term in &terms {
        hash.update(term.as_bytes());
        hash.update(b"\n");
    }
    let signature = (terms.len() >= 5).then(|| hash.finalize());
    found.terms == terms.into_iter().collect::<Vec<_>>()
        && found.primary.map(|found| found.as_bytes().to_vec())
            == signature.map(|signature| signature[..20].to_vec())
}

/// Generates a text.
fn text(random: &mut SplitMix64) -> String {
    let mut text = String::new();
    let mut last = 0;
    for _ in 0..WORDS {
        // By Zipf's law, the logarithm of the rank of a word is uniform.
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

/// Spells a number as a word of syllables.
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
