//! `reprise lab compare`: cryptographic hashes of chunks against a locality-sensitive hash.

use std::fmt::Write as _;
use std::process::ExitCode;

use reprise_engine::defaults::lab as defaults;
use reprise_engine::lab::CompareOptions;
use reprise_engine::render_hash_comparison;
use reprise_engine::results::{Confusion, HashComparison};

use super::LabFlags;
use crate::console::Console;
use crate::human;

/// Compare cryptographic hashes of chunks with Nilsimsa, a locality-sensitive hash
///
/// Draws pages from the corpus and compares each with every other. A hash says "copy" if it finds equal chunks in
/// both pages. Two pages are really copies if both have the text of one chunk, or enough words in a row.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    lab: LabFlags,
    /// Number of pages that are compared with each other
    #[arg(long, value_name = "N", default_value_t = defaults::PAGES)]
    sample: usize,
    /// Seed by which pages are drawn
    #[arg(long, value_name = "N", default_value_t = defaults::SEED)]
    seed: u64,
    /// Call chunks equal from this Nilsimsa score on, from -128 to 128
    #[arg(long, value_name = "N", default_value_t = defaults::NILSIMSA_THRESHOLD, allow_negative_numbers = true)]
    threshold: i32,
    /// Ignore chunks with fewer characters
    #[arg(long, value_name = "N", default_value_t = defaults::COMPARE_CHARS_MIN, hide_short_help = true)]
    min_length: usize,
    /// Number of words in a row that make two pages a copy
    #[arg(long, value_name = "N", default_value_t = defaults::WORDS_MIN, hide_short_help = true)]
    words: usize,
    /// Compare only pages on different sites
    #[arg(long)]
    elsewhere: bool,
    /// Estimate the false positives of a search for one page in a corpus of this number of pages
    #[arg(long, value_name = "PAGES")]
    project: Option<u64>,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = self.lab.open()?;
        let options = CompareOptions {
            pages: self.sample,
            seed: self.seed,
            threshold: self.threshold,
            chars_min: self.min_length,
            words_min: self.words,
            is_elsewhere: self.elsewhere,
            project_pages: self.project,
        };
        let bar = console.bar();
        let found = corpus.compare_hashes(&options, &bar)?;
        bar.finish();
        self.lab
            .print(console, &found, render_hash_comparison, text)
    }
}

fn text(found: &HashComparison) -> String {
    let mut text = format!(
        "{} of {} with {} compared{}; seed {}\n",
        human::counted(found.pairs, "pair"),
        human::counted(found.pages, "page"),
        human::counted(found.chunks, "chunk"),
        if found.elsewhere {
            ", all on different sites"
        } else {
            ""
        },
        found.seed,
    );
    let _ = writeln!(
        text,
        "two pages are copies if they have {}\n",
        found.truth()
    );
    let columns = [&found.cryptographic, &found.nilsimsa];
    let cells = |of: fn(&Confusion) -> u64| columns.map(|matrix| human::count(of(matrix)));
    let rows = [
        (
            "truth",
            "pairs of pages",
            ["cryptographic", "Nilsimsa"].map(str::to_owned),
        ),
        (
            "copy",
            "found (true positives)",
            cells(|matrix| matrix.true_positives),
        ),
        (
            "",
            "missed (false negatives)",
            cells(|matrix| matrix.false_negatives),
        ),
        (
            "no copy",
            "taken for a copy (false positives)",
            cells(|matrix| matrix.false_positives),
        ),
        (
            "",
            "left alone (true negatives)",
            cells(|matrix| matrix.true_negatives),
        ),
        ("", "false-positive rate", columns.map(rate)),
    ];
    for (truth, name, [cryptographic, nilsimsa]) in rows {
        let _ = writeln!(
            text,
            "{truth:<8} {name:<36} {cryptographic:>14} {nilsimsa:>14}"
        );
    }
    for sentence in found.sentences() {
        let _ = writeln!(text, "\n{}", human::one_line(&sentence));
    }
    if let Some(example) = found.examples.first() {
        let _ = writeln!(text, "\nnot a copy, but the score is {}:", example.score);
        for (url, chunk) in [
            (&example.url, &example.chunk),
            (&example.with, &example.with_chunk),
        ] {
            let start: String = chunk.chars().take(100).collect();
            let _ = writeln!(text, "  {}", human::one_line(&format!("{url}: {start}")));
        }
    }
    text
}

/// Returns the rate with more digits than usual, because it is very low.
fn rate(matrix: &Confusion) -> String {
    let rate = matrix.false_positive_rate();
    rate.map_or("-".to_owned(), |rate| format!("{:.4} %", rate * 100.0))
}
