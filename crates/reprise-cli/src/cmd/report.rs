//! `reprise report`: everything about a corpus as one HTML file.

use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::CountBy;
use reprise_engine::{Corpus, DetectOptions, ReportOptions, Threshold, defaults, write_report};

use super::detect::DetectFlags;
use crate::console::{Console, print_json};
use crate::flags::{MemoryFlag, SignFlags, StopFlags};
use crate::output;

/// Write everything that is copied in a corpus as one HTML file, which works offline
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// File to write; - is standard output
    #[arg(long, short, value_name = "FILE.html", required_unless_present = "json", value_parser = output::html_parser())]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: ReportFlags,
    #[command(flatten)]
    memory: MemoryFlag,
}

/// The search that a report is made from.
#[derive(clap::Args, Clone)]
pub(crate) struct ReportFlags {
    /// Look for these labels, instead of discovering what is copied
    #[arg(long, value_name = "LABELS", conflicts_with_all = ["threshold", "count"])]
    labels: Option<PathBuf>,
    /// A chunk is copied if its count is higher than N; auto depends on the size of the corpus
    #[arg(
        long,
        value_name = "N|auto",
        default_value = "auto",
        hide_short_help = true
    )]
    threshold: Threshold,
    /// What to count; sites tells copies (on several sites) from templates (repeated on one site)
    #[arg(long, value_name = "occurrences|pages|sites", default_value_t = CountBy::Sites, hide_short_help = true)]
    count: CountBy,
    #[command(flatten)]
    detect: DetectFlags,
    #[command(flatten)]
    stop: StopFlags,
    #[command(
        flatten,
        next_help_heading = "Campaigns (mails with one message and different noise; searched in mail, or in any corpus if one of these flags is given)"
    )]
    sign: SignFlags,
}

impl ReportFlags {
    /// Returns true if the labels are given, and nothing is discovered.
    pub(crate) fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    pub(crate) fn options(&self) -> ReportOptions {
        let detect = self.detect.options();
        ReportOptions {
            labels: self.labels.clone(),
            count: self.count,
            threshold: self.threshold,
            min_length: self.stop.min_length,
            stop_list: self.stop.list.clone(),
            detect: DetectOptions {
                top: detect.top.max(defaults::REPORT_TOP_PAGES),
                ..detect
            },
            campaigns: self.sign.campaigns(),
        }
    }
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        output::check_json(self.output.as_deref(), console.json)?;
        let corpus = Corpus::open(&self.corpus)?.with_resources(self.memory.resources())?;
        let bar = console.bar();
        let report = corpus.report(&self.report.options(), None, &bar)?;
        bar.finish();
        if let Some(path) = &self.output {
            write_report(&report, path)?;
            console.say(format!("report written to {}", output::name(path)));
        }
        if console.json {
            print_json(&report)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
