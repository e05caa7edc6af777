//! `reprise lab compare`: the cryptographic hash beside the locality-sensitive one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::experiments::compare::Matrix;
use reprise_engine::experiments::nilsimsa::THRESHOLD;
use reprise_engine::lab::{CompareSettings, Compared, compare};
use reprise_engine::report::html;
use reprise_engine::store::Corpus;
use serde::Serialize;

use super::{JsonUnused, OutputFlags, told, unused_line};
use crate::cmd::filters::read_limits;
use crate::cmd::resources::ThreadsFlag;
use crate::exit::Usage;
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
    #[arg(long, value_name = "N", default_value_t = 300)]
    sample: usize,
    /// Which pages these are follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// From this Nilsimsa score on, chunks are taken for the same: -128 to 128
    #[arg(long, value_name = "N", default_value_t = THRESHOLD, allow_negative_numbers = true)]
    threshold: i32,
    /// Chunks with fewer characters are not compared
    #[arg(long, value_name = "N", default_value_t = 25)]
    min_length: usize,
    /// Pages with so many words in a row in common have text in common
    #[arg(long, value_name = "N", default_value_t = 10)]
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

#[derive(Serialize)]
struct Json<'a> {
    pages: usize,
    chunks: u64,
    pairs: u64,
    seed: u64,
    threshold: i32,
    min_length: usize,
    words: usize,
    elsewhere: bool,
    cryptographic: JsonMatrix,
    nilsimsa: JsonMatrix,
    projected: Option<JsonProjected>,
    thresholds: Vec<JsonThreshold>,
    examples: Vec<JsonExample<'a>>,
    without_chunks: usize,
    cut: usize,
    unused: JsonUnused<'a>,
}

#[derive(Serialize)]
struct JsonMatrix {
    true_positives: u64,
    false_negatives: u64,
    false_positives: u64,
    true_negatives: u64,
    false_positive_rate: Option<f64>,
}

#[derive(Serialize)]
struct JsonProjected {
    pages: u64,
    cryptographic: Option<f64>,
    nilsimsa: Option<f64>,
}

#[derive(Serialize)]
struct JsonThreshold {
    threshold: i32,
    #[serde(flatten)]
    matrix: JsonMatrix,
}

#[derive(Serialize)]
struct JsonExample<'a> {
    score: i32,
    url: &'a str,
    chunk: &'a str,
    with: &'a str,
    with_chunk: &'a str,
}

impl From<Matrix> for JsonMatrix {
    fn from(matrix: Matrix) -> JsonMatrix {
        JsonMatrix {
            true_positives: matrix.true_positives,
            false_negatives: matrix.false_negatives,
            false_positives: matrix.false_positives,
            true_negatives: matrix.true_negatives,
            false_positive_rate: matrix.false_positive_rate(),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.sample < 2 || args.words == 0 {
        let message = "--sample must be at least 2, --words at least 1";
        return Err(Usage(message.to_owned()).into());
    }
    let corpus = Corpus::open(&args.corpus)?;
    let pool = args.threads.pool()?;
    let settings = CompareSettings {
        limits: read_limits(),
        threads: args.threads.count()?,
        pages: args.sample,
        seed: args.seed,
        threshold: args.threshold,
        chars_min: args.min_length,
        words_min: args.words,
        is_elsewhere: args.elsewhere,
    };
    let found = pool.install(|| compare(&corpus, &settings)).map_err(told)?;
    args.output.put(
        || html::render_hash_comparison(&plotted(&args.corpus, &found, args)),
        &json(&found, args),
        || text(&found, args),
    )
}

fn json<'a>(found: &'a Compared, args: &Args) -> Json<'a> {
    Json {
        pages: found.pages,
        chunks: found.chunks,
        pairs: found.pairs,
        seed: args.seed,
        threshold: args.threshold,
        min_length: args.min_length,
        words: args.words,
        elsewhere: args.elsewhere,
        cryptographic: found.cryptographic.into(),
        nilsimsa: found.nilsimsa.into(),
        projected: args.project.map(|pages| JsonProjected {
            pages,
            cryptographic: projected(&found.cryptographic, pages),
            nilsimsa: projected(&found.nilsimsa, pages),
        }),
        thresholds: (found.thresholds.iter())
            .map(|row| JsonThreshold {
                threshold: row.threshold,
                matrix: row.matrix.into(),
            })
            .collect(),
        examples: (found.examples.iter())
            .map(|example| {
                let [(url, chunk), (with, with_chunk)] = &example.sides;
                JsonExample {
                    score: example.score,
                    url,
                    chunk,
                    with,
                    with_chunk,
                }
            })
            .collect(),
        without_chunks: found.without_chunks,
        cut: found.cut,
        unused: JsonUnused::of(&found.unused),
    }
}

/// False positives among so many pages, at the rate that was seen.
fn projected(matrix: &Matrix, pages: u64) -> Option<f64> {
    matrix.false_positive_rate().map(|rate| rate * pages as f64)
}

fn text(found: &Compared, args: &Args) -> String {
    let mut text = format!(
        "{} with {} compared with each other: {}{}; seed {}\n",
        human::counted(found.pages as u64, "page"),
        human::counted(found.chunks, "chunk"),
        human::counted(found.pairs, "pair"),
        if args.elsewhere {
            " on different sites"
        } else {
            ""
        },
        args.seed,
    );
    let _ = writeln!(text, "a pair is a copy if the two have {}\n", truth(args));
    let columns = [&found.cryptographic, &found.nilsimsa];
    let mut row = |truth: &str, name: &str, cells: [String; 2]| {
        let [crypto, lsh] = cells;
        let _ = writeln!(text, "{truth:<8} {name:<36} {crypto:>14} {lsh:>14}");
    };
    let cells = |of: fn(&Matrix) -> u64| columns.map(|matrix| human::count(of(matrix)));
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
    for note in notes(found, args) {
        let _ = writeln!(text, "\n{}", human::one_line(&note));
    }
    for example in found.examples.iter().take(1) {
        let _ = writeln!(text, "\nscore {}, and no copy:", example.score);
        for (url, chunk) in &example.sides {
            let start: String = chunk.chars().take(100).collect();
            let _ = writeln!(text, "  {}", human::one_line(&format!("{url}: {start}")));
        }
    }
    text
}

fn rate(matrix: &Matrix) -> String {
    let rate = matrix.false_positive_rate();
    rate.map_or("-".to_owned(), |rate| format!("{:.4} %", rate * 100.0))
}

fn truth(args: &Args) -> String {
    let Args {
        words, min_length, ..
    } = args;
    format!("a chunk of {min_length} characters or its text in common, or {words} words in a row")
}

/// What the matrix does not say.
fn notes(found: &Compared, args: &Args) -> Vec<String> {
    let mut notes = Vec::new();
    let others = found.nilsimsa.false_positives + found.nilsimsa.true_negatives;
    if let (Some(pages), Some(expected)) = (
        args.project,
        args.project
            .and_then(|pages| projected(&found.nilsimsa, pages)),
    ) {
        let mut note = format!(
            "the chunks of one page, looked for among {}: {} false positives to be expected of Nilsimsa at \
             {}, none of the cryptographic hash",
            human::counted(pages, "page"),
            human::count(expected.round() as u64),
            args.threshold,
        );
        if found.nilsimsa.false_positives == 0 {
            let pairs = human::counted(others, "pair");
            let _ = write!(
                note,
                " (none was seen among {pairs}: a larger sample may show some)"
            );
        }
        notes.push(note);
    }
    if others == 0 {
        notes.push("all pairs have text in common: there is no rate of false positives".to_owned());
    }
    if found.cut > 0 {
        notes.push(format!(
            "of {} only the first chunks were compared",
            human::counted(found.cut as u64, "page")
        ));
    }
    if found.without_chunks > 0 {
        notes.push(format!(
            "left out: {} without a chunk of {} characters",
            human::counted(found.without_chunks as u64, "page"),
            args.min_length
        ));
    }
    notes.extend(unused_line(&found.unused));
    notes
}

/// The data of the plot.
fn plotted(corpus: &Path, found: &Compared, args: &Args) -> html::HashComparison {
    let confusion = |matrix: &Matrix| html::Confusion {
        true_positives: matrix.true_positives,
        false_negatives: matrix.false_negatives,
        false_positives: matrix.false_positives,
        true_negatives: matrix.true_negatives,
    };
    html::HashComparison {
        corpus: corpus.display().to_string(),
        pages: found.pages as u64,
        pairs: found.pairs,
        threshold: args.threshold,
        truth: truth(args),
        hashes: vec![
            ("Cryptographic".to_owned(), confusion(&found.cryptographic)),
            (
                format!("Nilsimsa, {} or more", args.threshold),
                confusion(&found.nilsimsa),
            ),
        ],
        thresholds: (found.thresholds.iter())
            .map(|row| (row.threshold, row.matrix.false_positives))
            .collect(),
        examples: (found.examples.iter())
            .map(|example| html::WrongPair {
                score: example.score,
                sides: example.sides.clone(),
            })
            .collect(),
        notes: notes(found, args),
    }
}
