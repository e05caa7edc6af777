//! `reprise lab compare`: the cryptographic hash beside the locality-sensitive one.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::lab::{CompareOptions, HashComparison, compare, defaults};
use reprise_engine::report::html::{self, Confusion};
use reprise_engine::store::Corpus;

use super::{OutputFlags, read_options, told};
use crate::cmd::resources::ThreadsFlag;
use crate::human;

/// Compare cryptographic hashes of chunks with Nilsimsa, a locality-sensitive hash, as a confusion matrix.
///
/// Pages are drawn from the corpus and each is compared with every other: a pair is taken for a copy if
/// a chunk of one is a chunk of the other, by either hash. It is one if the two have the text of a chunk or
/// enough words in a row in common.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Pages that are compared with each other
    #[arg(long, value_name = "N", default_value_t = defaults::PAGES)]
    sample: usize,
    /// Which pages these are follows from it
    #[arg(long, value_name = "N", default_value_t = defaults::SEED)]
    seed: u64,
    /// From this Nilsimsa score on, chunks are taken for the same: -128 to 128
    #[arg(long, value_name = "N", default_value_t = defaults::NILSIMSA_THRESHOLD, allow_negative_numbers = true)]
    threshold: i32,
    /// Chunks with fewer characters are not compared
    #[arg(long, value_name = "N", default_value_t = defaults::COMPARE_CHARS_MIN)]
    min_length: usize,
    /// Pages with so many words in a row in common have text in common
    #[arg(long, value_name = "N", default_value_t = defaults::WORDS_MIN)]
    words: usize,
    /// Compare only pages on different sites
    #[arg(long)]
    elsewhere: bool,
    /// Say how many false positives to expect when the chunks of one page are looked for in a corpus of so many pages
    #[arg(long, value_name = "PAGES")]
    project: Option<u64>,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    output: OutputFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let pool = args.threads.pool()?;
    let options = CompareOptions {
        pages: args.sample,
        seed: args.seed,
        threshold: args.threshold,
        chars_min: args.min_length,
        words_min: args.words,
        is_elsewhere: args.elsewhere,
        project_pages: args.project,
    };
    let read = read_options(&args.threads)?;
    let found = pool
        .install(|| compare(&corpus, &options, &read))
        .map_err(told)?;
    args.output.put(
        || html::render_hash_comparison(&found),
        &found,
        || text(&found),
    )
}

fn text(found: &HashComparison) -> String {
    let mut text = format!(
        "{} with {} compared with each other: {}{}; seed {}\n",
        human::counted(found.pages, "page"),
        human::counted(found.chunks, "chunk"),
        human::counted(found.pairs, "pair"),
        if found.elsewhere {
            " on different sites"
        } else {
            ""
        },
        found.seed,
    );
    let _ = writeln!(text, "a pair is a copy if the two have {}\n", found.truth());
    let columns = [&found.cryptographic, &found.nilsimsa];
    let mut row = |truth: &str, name: &str, cells: [String; 2]| {
        let [crypto, lsh] = cells;
        let _ = writeln!(text, "{truth:<8} {name:<36} {crypto:>14} {lsh:>14}");
    };
    let cells = |of: fn(&Confusion) -> u64| columns.map(|matrix| human::count(of(matrix)));
    row(
        "truth",
        "pairs of pages",
        ["cryptographic".to_owned(), "Nilsimsa".to_owned()],
    );
    row(
        "copy",
        "taken for a copy (true positives)",
        cells(|matrix| matrix.true_positives),
    );
    row(
        "",
        "missed (false negatives)",
        cells(|matrix| matrix.false_negatives),
    );
    row(
        "no copy",
        "taken for a copy (false positives)",
        cells(|matrix| matrix.false_positives),
    );
    row(
        "",
        "left alone (true negatives)",
        cells(|matrix| matrix.true_negatives),
    );
    row("", "false-positive rate", columns.map(rate));
    for sentence in found.sentences() {
        let _ = writeln!(text, "\n{}", human::one_line(&sentence));
    }
    for example in found.examples.iter().take(1) {
        let _ = writeln!(text, "\nscore {}, and no copy:", example.score);
        let sides = [
            (&example.url, &example.chunk),
            (&example.with, &example.with_chunk),
        ];
        for (url, chunk) in sides {
            let start: String = chunk.chars().take(100).collect();
            let _ = writeln!(text, "  {}", human::one_line(&format!("{url}: {start}")));
        }
    }
    text
}

fn rate(matrix: &Confusion) -> String {
    let rate = matrix.false_positive_rate();
    rate.map_or("-".to_owned(), |rate| format!("{:.4} %", rate * 100.0))
}
