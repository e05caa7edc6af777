//! `reprise drop`: copies archives without near-copies.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::{DropOptions, DropSummary, drop_pages};

use crate::console::Console;
use crate::flags::LimitFlags;
use crate::{human, input_name, output};

/// Copy archives without the near-copies that near found
///
/// Records that stay are copied byte for byte, and the inputs are not changed. For each dropped
/// page, dropped.jsonl has the page that is kept instead, and the similarity of the two. Plain files are not copied: kept.txt lists those to keep.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The inputs that were indexed: WARC, WET, ARC, JSONL, Parquet or mbox files, directories or @LIST
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// File of clusters in Parquet, from near -o
    #[arg(long, value_name = "CLUSTERS")]
    clusters: PathBuf,
    /// Directory for the copies; created if it does not exist
    #[arg(long, short, value_name = "DIR", value_parser = output::directory_parser())]
    output: PathBuf,
    /// Show what would be dropped, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    limits: LimitFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let options = DropOptions {
            clusters: self.clusters.clone(),
            output: self.output.clone(),
            limits: self.limits.options(),
            dry_run: self.dry_run,
        };
        let bar = console.bar();
        let summary = drop_pages(&self.inputs, &options, &bar)?;
        bar.finish();
        if summary.missing > 0 {
            console.say(format!(
                "{} to drop not found; name all inputs that were indexed, and use the same --max-... flags as index",
                human::counted(summary.missing, "page")
            ));
        }
        console.print(&summary, None, || self.text(&summary))?;
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self, summary: &DropSummary) -> String {
        let would = if self.dry_run { "would be " } else { "" };
        let mut text = format!(
            "{} read: {} {would}kept, {} {would}dropped",
            human::counted(summary.pages, "page"),
            human::count(summary.kept),
            human::count(summary.dropped),
        );
        if summary.paired > 0 {
            let records = human::counted(summary.paired, "record");
            let _ = write!(text, " with {records} about them");
        }
        text.push('\n');
        if summary.archives > 0 {
            let _ = writeln!(
                text,
                "{} in {} read, {} {would}written to {}",
                human::bytes(summary.bytes_in),
                human::counted(summary.archives, "archive"),
                human::bytes(summary.bytes_out),
                human::one_line(&self.output.display().to_string()),
            );
        }
        if summary.files > 0 {
            let verb = if self.dry_run { "would list" } else { "lists" };
            let files = human::counted(summary.files, "plain file");
            let _ = writeln!(text, "{files} not copied: kept.txt {verb} those to keep");
        }
        text
    }
}
