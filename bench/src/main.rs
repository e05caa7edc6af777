//! The benchmark of `reprise index`: how fast, how large, and whether the answer is right.
//!
//! ```text
//! data (made once, counted slowly) --> rounds of steps, each in its own process --> report, record
//! ```
//! `bench/README.md` says what is measured and how to read it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program: the report goes to stdout, the conversation to stderr"
)]

mod check;
mod data;
mod fuzzy;
mod imatch;
mod indexing;
mod inflate;
mod manual;
mod measure;
mod near;
mod peers;
mod record;
mod report;
mod rows;
mod slow;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Measures `reprise index` against inflating alone and against peers, and checks every answer.
///
/// Exit code 0: all counts are right; 1: one is wrong, or the benchmark could not be run. A speed
/// below reach is printed and changes nothing: machines are noisy.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    action: Option<Action>,
}

/// What to measure.
#[derive(Args)]
struct Options {
    /// Only check that all counts are right: small data, one round, no peers.
    #[arg(long, conflicts_with_all = ["record", "corpus"])]
    quick: bool,
    /// Append the figures to `bench/records/<date>-<processor>.csv`.
    #[arg(long)]
    record: bool,
    /// Which corpus to measure on.
    #[arg(long, value_enum, default_value_t = CorpusChoice::Auto)]
    corpus: CorpusChoice,
    /// Rounds; the median of them counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Leave other programs out.
    #[arg(long)]
    no_peers: bool,
    /// Let peers read only so many records. Pages differ along the corpus, and so does their speed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    peer_records: Option<u64>,
    /// Where data, corpora and the peers' Python environment are kept.
    #[arg(long, value_name = "DIR", default_value_os_t = default_scratch())]
    scratch: PathBuf,
}

/// Which corpus to measure on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CorpusChoice {
    /// The manual where it is installed, else the demo.
    Auto,
    /// The HTML manual of the Rust toolchains that are installed.
    Manual,
    /// The generated web of `reprise demo`, larger.
    Demo,
}

/// One measurement; the benchmark starts itself with these.
#[derive(Subcommand)]
enum Action {
    /// Inflates every gzip member, nothing else.
    #[command(hide = true)]
    StepInflate(inflate::Inflate),
    /// Indexes into a new corpus.
    #[command(hide = true)]
    StepIndex(indexing::Index),
    /// Measures fuzzy hashes: making and matching them, beside the program ssdeep.
    Fuzzy(fuzzy::Fuzzy),
    /// Makes or matches fuzzy hashes of some files.
    #[command(hide = true)]
    StepFuzzy(fuzzy::FuzzyStep),
    /// Measures I-Match signatures, and the memory of lexicon and contexts.
    Imatch(imatch::Imatch),
    /// Measures near-copies on generated short pages, beside datasketch, rensa and gaoya.
    Near(near::Near),
    /// Finds near-copies in one file of documents.
    #[command(hide = true)]
    StepNear(near::NearStep),
    /// Measures discover and detect on many generated rows, beside DuckDB.
    Rows(rows::Rows),
    /// Discovers or detects on generated rows.
    #[command(hide = true)]
    StepRows(rows::RowsStep),
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    match cli.action {
        Some(Action::StepInflate(step)) => measure::print(&step.run()?).map(|()| ExitCode::SUCCESS),
        Some(Action::StepIndex(step)) => measure::print(&step.run()?).map(|()| ExitCode::SUCCESS),
        Some(Action::StepFuzzy(step)) => measure::print(&step.run()?).map(|()| ExitCode::SUCCESS),
        Some(Action::Fuzzy(fuzzy)) => fuzzy.run(),
        Some(Action::Imatch(imatch)) => imatch.run(),
        Some(Action::StepNear(step)) => measure::print(&step.run()?).map(|()| ExitCode::SUCCESS),
        Some(Action::Near(near)) => near.run(),
        Some(Action::StepRows(step)) => measure::print(&step.run()?).map(|()| ExitCode::SUCCESS),
        Some(Action::Rows(rows)) => rows.run(),
        None => bench(&cli.options),
    }
}

fn bench(options: &Options) -> Result<ExitCode> {
    let data = data::prepare(&options.scratch, options.corpus, options.quick)?;
    let peers = if options.quick || options.no_peers {
        None
    } else if data.expected.is_plain {
        let records = options.peer_records.unwrap_or(u64::MAX);
        peers::Peers::install(&options.scratch, records.min(data.expected.pages))
    } else {
        eprintln!("peers are left out: they cannot decode every page of this corpus");
        None
    };
    let rounds = if options.quick { 1 } else { options.rounds };
    let run = steps::run(&data, rounds, peers.as_ref())?;
    let machine = record::Machine::look();
    print!(
        "{}",
        report::report(&data.expected, &machine, &run, !options.quick)
    );
    if options.record {
        let path = record::write(&data.expected, &machine, &run)?;
        eprintln!("recorded in {}", path.display());
    }
    Ok(if run.wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// `target` of the workspace.
fn default_scratch() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let workspace = workspace.expect("the benchmark is a folder of the workspace");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from)
}
