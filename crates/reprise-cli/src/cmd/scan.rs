//! `reprise scan`: from archives to a report.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::results::Report;
use reprise_engine::{Scan, ScanOptions, scan};

use super::report::ReportFlags;
use crate::console::{Console, print_json};
use crate::flags::IndexFlags;
use crate::{human, input_name, output};

/// Find what is copied in archives, and write a report: the main job
///
/// Indexes the archives into a corpus, discovers what many sites share, detects where it is, finds near-copies,
/// and writes report.html with the evidence. The same directory also has the labels and the tables of all stages.
/// If you run the command again with the same inputs, it continues. Without --add, the inputs must include all
/// earlier ones.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, WET, ARC, WACZ, JSONL, Parquet or mail files (mbox, maildir, .eml), HTML and text files,
    /// directories, @LIST (a file of names), or - for standard input
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Directory for the report, the labels and the tables
    #[arg(
        long,
        short,
        visible_alias = "report",
        value_name = "DIR",
        default_value = "reprise-report",
        value_parser = output::directory_parser()
    )]
    output: PathBuf,
    /// Directory of the corpus [default: DIR/corpus]
    #[arg(long, value_name = "DIR", value_parser = output::directory_parser())]
    corpus: Option<PathBuf>,
    /// Add to a corpus that holds other sources
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    report: ReportFlags,
    #[command(flatten)]
    index: IndexFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let options = ScanOptions {
            corpus: self.corpus.clone(),
            add: self.add,
            index: self.index.options(),
            report: self.report.options(),
        };
        let bar = console.bar();
        let resources = self.index.reading.resources();
        let found = scan(&self.inputs, &self.output, &options, resources, &bar)?;
        bar.finish();
        if console.json {
            print_json(&found)?;
            return Ok(ExitCode::SUCCESS);
        }
        let corpus = Path::new(&found.report.corpus.path);
        console.say_lines(&super::index::text(&found.index, corpus));
        let text = text(&found, self.report.has_labels());
        stdout().write_all(text.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the most important figures and the place of the report.
pub(crate) fn text(found: &Scan, has_labels: bool) -> String {
    let mut text = summary(&found.report, has_labels);
    let report = found.files[0].display().to_string();
    let _ = writeln!(text, "report: {}", human::one_line(&report));
    text
}

/// Returns the findings. If labels were given, what the discovery found does not count.
fn summary(report: &Report, has_labels: bool) -> String {
    let (discovery, detection) = (&report.discovery, &report.detection);
    let pages = &detection.pages;
    let mut text = if has_labels {
        format!(
            "{} to look for\n",
            human::counted(detection.labels, "label")
        )
    } else {
        format!(
            "{} of {} distinct chunks count as copied: they are on more than {}, and are not stop chunks\n",
            human::count(discovery.labeled),
            human::count(discovery.distinct),
            human::counted(discovery.threshold, discovery.count.noun()),
        )
    };
    let _ = writeln!(
        text,
        "{} of {} have such a chunk; {} are targets: more than {} of their chunks are such chunks",
        human::count(pages.matched),
        human::counted(pages.total, "page"),
        human::count(pages.targets),
        human::percent(pages.threshold),
    );
    let neighborhoods = &detection.neighborhoods;
    let _ = writeln!(
        text,
        "{} of {} (hosts and directories) are bad: on average, their pages have more than {} of such chunks",
        human::count(neighborhoods.bad),
        human::counted(neighborhoods.total, "neighbourhood"),
        human::percent(neighborhoods.threshold),
    );
    for pair in detection.sites.iter().take(5) {
        let line = format!(
            "  {} shares {} with {}",
            pair.copier,
            human::counted(pair.chunks, "chunk"),
            pair.source
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    text += &likeness(report);
    for note in &report.notes {
        let _ = writeln!(text, "{}", human::one_line(note));
    }
    text
}

/// Returns the lines about near-copies, campaigns and phrases.
fn likeness(report: &Report) -> String {
    let mut text = String::new();
    if let Some(near) = &report.near {
        let _ = writeln!(
            text,
            "{} are near-copies in {}; {} can be dropped",
            human::counted(near.in_clusters, "page"),
            human::counted(near.clusters, "cluster"),
            human::count(near.removable),
        );
    }
    if let Some(campaigns) = &report.campaigns {
        let _ = writeln!(
            text,
            "{} belong to {}; the largest has {}",
            human::counted(campaigns.in_clusters, "document"),
            human::counted(campaigns.clusters, "campaign"),
            human::count(campaigns.largest),
        );
    }
    if let Some(phrases) = &report.phrases {
        let stitched: Vec<_> = phrases.stitched().collect();
        let found = match stitched.first() {
            None => "no site looks stitched together from pages of other sites".to_owned(),
            Some(first) => format!(
                "{} stitched together from pages of other sites{} {}",
                human::counted_as(stitched.len() as u64, "site looks", "sites look"),
                if stitched.len() == 1 {
                    ":"
                } else {
                    ", for example"
                },
                first.site
            ),
        };
        let line = format!(
            "{} (phrases of five words) are popular; {found}",
            human::counted(phrases.popular.popular, "shingle")
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    text
}
