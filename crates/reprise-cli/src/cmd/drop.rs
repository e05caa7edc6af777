//! `reprise drop`: archives without the pages that near calls copies of others.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::index::{MEMORY_BYTES_DEFAULT, body_bytes_default};
use reprise_engine::ingest::{InputConfig, Inputs, is_stream, path_of};
use reprise_engine::{DropConfig, DropError, DropStats, drop_pages};
use serde::Serialize;

use super::index::LimitFlags;
use crate::exit::Usage;
use crate::progress::Bar;
use crate::{human, input_name, output_file};

/// Copy archives without the near-copies that near found.
///
/// What is kept stays as it is, byte for byte; the inputs are not touched. dropped.jsonl, beside the
/// copies, tells which kept page each dropped one equals, and how much. Plain files are not copied:
/// kept.txt lists those that stay.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, WET, ARC, JSONL, Parquet or mbox files, directories or @lists, as they were indexed
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// File of clusters, from near
    #[arg(long, value_name = "CLUSTERS")]
    clusters: PathBuf,
    /// Directory for the copies; made if it is not there
    #[arg(long, short, value_name = "DIR", value_parser = output_file::directory_parser())]
    output: PathBuf,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    limits: LimitFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    pages: u64,
    kept: u64,
    dropped: u64,
    paired: u64,
    bytes_in: u64,
    bytes_out: u64,
    missing: u64,
    archives: u64,
    files: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.inputs.iter().any(|name| is_stream(&path_of(name))) {
        let sentence = "standard input, pipes and devices cannot be matched with what was indexed: give the file";
        return Err(Usage(sentence.to_owned()).into());
    }
    let limits = args.limits.limits(body_bytes_default(MEMORY_BYTES_DEFAULT));
    let input_config = InputConfig {
        base_url: None,
        spool_directory: std::env::temp_dir(),
        passed_by: Vec::new(),
        limits,
    };
    let inputs = Inputs::open(&args.inputs, &input_config)?;
    let config = DropConfig {
        clusters: args.clusters.clone(),
        output: args.output.clone(),
        limits,
        is_dry_run: args.dry_run,
    };
    let bar = Bar::new(false);
    let stats = drop_pages(&inputs, &config, &bar);
    bar.finish();
    let stats = stats.map_err(explain)?;
    if stats.missing > 0 {
        say!("{}", missing(&stats));
    }
    if args.json {
        println!("{}", serde_json::to_string(&json(&stats))?);
    } else {
        print!("{}", text(&stats, args));
    }
    Ok(ExitCode::SUCCESS)
}

/// The error with the exit code that is due to it.
fn explain(error: DropError) -> anyhow::Error {
    if !error.is_usage() {
        return error.into();
    }
    match error {
        DropError::Store(error) => error.into(),
        error => {
            let cause = std::error::Error::source(&error);
            let cause = cause.map_or(String::new(), |cause| format!(": {cause}"));
            Usage(format!("{error}{cause}")).into()
        }
    }
}

fn missing(stats: &DropStats) -> String {
    format!(
        "reprise: {} to drop not found: give all inputs that were indexed, and the limits index was run with",
        human::counted(stats.missing, "page")
    )
}

fn json(stats: &DropStats) -> Json {
    Json {
        pages: stats.pages,
        kept: stats.kept(),
        dropped: stats.dropped,
        paired: stats.paired,
        bytes_in: stats.bytes_in,
        bytes_out: stats.bytes_out,
        missing: stats.missing,
        archives: stats.archives,
        files: stats.files,
    }
}

fn text(stats: &DropStats, args: &Args) -> String {
    let would = if args.dry_run { "would be " } else { "" };
    let mut text = format!(
        "{} read: {} {would}kept, {} {would}dropped",
        human::counted(stats.pages, "page"),
        human::count(stats.kept()),
        human::count(stats.dropped),
    );
    if stats.paired > 0 {
        let records = human::counted(stats.paired, "record");
        let _ = write!(text, ", with {records} about them");
    }
    text.push('\n');
    if stats.archives > 0 {
        let _ = writeln!(
            text,
            "{} in {} read, {} {would}written to {}",
            human::bytes(stats.bytes_in),
            human::counted(stats.archives, "archive"),
            human::bytes(stats.bytes_out),
            human::one_line(&args.output.display().to_string()),
        );
    }
    if stats.files > 0 {
        let verb = if args.dry_run { "would list" } else { "lists" };
        let files = human::counted(stats.files, "plain file");
        let _ = writeln!(text, "{files} not copied: kept.txt {verb} those to keep");
    }
    text
}
