//! Benchmarks of Reprise. They measure speed and size, and check every answer.
//!
//! Without a subcommand, the program measures `reprise index`:
//!
//! ```text
//! data (made once, counted slowly) --> rounds of steps, each in its own process --> report, record
//! ```
//! `bench/README.md` describes all measurements.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a program: the report goes to standard output, messages to standard error"
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

/// Measures `reprise index` relative to inflating alone and to other programs, and checks every answer.
///
/// Exit code 0: all answers are right; 1: an answer is wrong, or the benchmark could not run. A missed speed
/// is printed but does not change the exit code, because machines are noisy.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    action: Option<Action>,
}

/// The options of the benchmark of `reprise index`.
#[derive(Args)]
struct Options {
    /// Only check the answers: small data, one round, no other programs.
    #[arg(long, conflicts_with_all = ["record", "corpus"])]
    quick: bool,
    /// Append the results to `bench/records/<date>-<processor>.csv`.
    #[arg(long)]
    record: bool,
    /// The corpus to measure on.
    #[arg(long, value_enum, default_value_t = CorpusChoice::Auto)]
    corpus: CorpusChoice,
    /// The number of rounds. Results are medians.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Do not run other programs.
    #[arg(long)]
    no_peers: bool,
    /// Let other programs read only N records. Their speed depends on the records.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    peer_records: Option<u64>,
    /// The directory for data, corpora and the Python environment of other programs.
    #[arg(long, value_name = "DIR", default_value_os_t = default_scratch())]
    scratch: PathBuf,
}

/// The corpus to measure on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CorpusChoice {
    /// The manual if it is installed, otherwise the demo.
    Auto,
    /// The HTML manuals of the installed Rust toolchains.
    Manual,
    /// The generated web of `reprise demo`, at a larger scale.
    Demo,
}

/// Other benchmarks, and the steps that the program starts as its own child processes.
#[derive(Subcommand)]
enum Action {
    /// Only inflates every gzip member.
    #[command(hide = true)]
    StepInflate(inflate::Inflate),
    /// Indexes into a new corpus.
    #[command(hide = true)]
    StepIndex(indexing::Index),
    /// Measures fuzzy hashes and their matching, and compares with the program ssdeep.
    Fuzzy(fuzzy::Fuzzy),
    /// Computes or matches fuzzy hashes of files.
    #[command(hide = true)]
    StepFuzzy(fuzzy::FuzzyStep),
    /// Measures I-Match signatures and the memory of lexicon and contexts.
    Imatch(imatch::Imatch),
    /// Measures near-copies of generated short pages, and compares with datasketch, rensa and gaoya.
    Near(near::Near),
    /// Finds near-copies in one file of documents.
    #[command(hide = true)]
    StepNear(near::NearStep),
    /// Measures discover and detect on many generated rows, and compares with DuckDB.
    Rows(rows::Rows),
    /// Runs discover or detect on generated rows.
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
        eprintln!("other programs are left out: they cannot decode every page of this corpus");
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

/// Returns the build directory of the workspace.
fn default_scratch() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let workspace = workspace.expect("the benchmark is in a directory of the workspace");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from)
}
