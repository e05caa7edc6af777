//! `reprise detect`: the pages and neighbourhoods that hold labelled content.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::results::{Badness, Detection};
use reprise_engine::{Corpus, DetectOptions, Format, Labels, ShareThreshold, defaults};

use crate::console::Console;
use crate::failure::Usage;
use crate::flags::{MemoryFlag, StopFlags};
use crate::human;
use crate::output;

/// Find labelled content in a corpus: the pages that hold it, and the neighbourhoods where it clusters
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// File of labels, from discover or label
    #[arg(long, value_name = "LABELS")]
    labels: PathBuf,
    /// Directory for the tables pages, neighborhoods and sites
    #[arg(long, short, value_name = "DIR", value_parser = output::directory_parser())]
    output: Option<PathBuf>,
    /// Leave out pages on the sites that the labels come from
    #[arg(long)]
    elsewhere: bool,
    #[command(flatten)]
    detect: DetectFlags,
    #[command(flatten)]
    stop: StopFlags,
    /// Format of the tables
    #[arg(long, value_name = "parquet|jsonl|csv", default_value_t = Format::Parquet)]
    format: Format,
    #[command(flatten)]
    memory: MemoryFlag,
}

/// Thresholds for pages and neighbourhoods.
#[derive(clap::Args, Clone)]
pub(crate) struct DetectFlags {
    /// A page with a higher share of labelled chunks is a target; auto is one standard deviation above the mean
    #[arg(long, value_name = "X|auto", default_value = "auto")]
    page_threshold: ShareThreshold,
    /// A neighbourhood with a higher badness is bad; auto is one standard deviation above the mean
    #[arg(
        long,
        value_name = "X|auto",
        default_value = "auto",
        hide_short_help = true
    )]
    neighborhood_threshold: ShareThreshold,
    /// Badness of a neighbourhood: mean is the average share of its pages; pooled is its labelled chunks divided by all
    /// its chunks, so that long pages weigh more
    #[arg(long, value_name = "mean|pooled", default_value_t = defaults::detect::BADNESS, hide_short_help = true)]
    badness: Badness,
    /// Use neighbourhoods of at most N levels: 1 is the host only, 2 adds its top directories [default: all]
    #[arg(long, value_name = "N", hide_short_help = true)]
    depth: Option<usize>,
    /// Ignore pages with fewer chunks
    #[arg(long, value_name = "N", default_value_t = defaults::detect::MIN_CHUNKS, hide_short_help = true)]
    min_chunks: u64,
    /// Ignore neighbourhoods with fewer pages
    #[arg(long, value_name = "N", default_value_t = defaults::detect::MIN_PAGES, hide_short_help = true)]
    min_pages: u64,
    /// Number of worst pages and neighbourhoods to show
    #[arg(long, value_name = "N", default_value_t = defaults::detect::TOP)]
    top: usize,
}

impl DetectFlags {
    pub(crate) fn options(&self) -> DetectOptions {
        DetectOptions {
            page_threshold: self.page_threshold,
            neighborhood_threshold: self.neighborhood_threshold,
            badness: self.badness,
            depth: self.depth,
            min_chunks: self.min_chunks,
            min_pages: self.min_pages,
            top: self.top,
            ..DetectOptions::default()
        }
    }
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let corpus = Corpus::open(&self.corpus)?.with_resources(self.memory.resources())?;
        let labels = Labels::open(&self.labels).map_err(reprise_engine::Error::from)?;
        let stop = self
            .stop
            .rules(labels.header().min_length, corpus.settings().chunks)?;
        let options = DetectOptions {
            stop: Some(stop),
            elsewhere: self.elsewhere,
            ..self.detect.options()
        };
        let output = self.output.as_deref();
        if let Some(output) = output.filter(|output| {
            !output.exists()
                && output.extension().is_some_and(|extension| {
                    Format::ALL
                        .iter()
                        .any(|format| extension == format.as_str())
                })
        }) {
            return Err(Usage(format!(
                "-o names a directory for three tables, but {} looks like a file; name a directory, and use --format for the format",
                output.display()
            ))
            .into());
        }
        let tables = output.map(|output| (output, self.format));
        let bar = console.bar();
        let found = corpus.detect(&labels, &options, tables, &bar)?;
        bar.finish();
        console.print(&found, None, || text(&found))?;
        if let Some(output) = output {
            console.say(format!("tables written to {}", output.display()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn spread(mean: f64, stddev: f64, threshold: f64) -> String {
    format!(
        "mean {}, standard deviation {}, threshold {}",
        human::percent(mean),
        human::percent(stddev),
        human::percent(threshold)
    )
}

/// Returns the result as text.
fn text(found: &Detection) -> String {
    let pages = &found.pages;
    let mut text = format!(
        "{} and {} matched by {} of {}\n",
        human::counted(found.matched.chunks, "chunk"),
        human::counted(found.matched.files, "file"),
        human::count(found.matched.labels_seen),
        human::counted(found.labels, "label"),
    );
    let _ = writeln!(
        text,
        "{} of {} hold a labelled chunk; {} are targets ({})",
        human::count(pages.matched),
        human::counted(pages.total, "page"),
        human::count(pages.targets),
        spread(pages.mean, pages.stddev, pages.threshold),
    );
    if pages.matched > 0 && pages.targets == 0 {
        text += "no page is a target: their shares are too similar; --page-threshold sets a fixed threshold\n";
    }
    if pages.own > 0 {
        let _ = writeln!(
            text,
            "{} on the labels' own sites left out",
            human::counted(pages.own, "page")
        );
    }
    for page in &pages.top {
        let site = page.source_site.as_ref();
        let from = site.map_or(String::new(), |site| format!("  from {site}"));
        let line = format!("{}{from}", page.url);
        let _ = writeln!(
            text,
            "{:>8} {:>6}/{:<6} {}",
            human::percent(page.contains.unwrap_or(0.0)),
            human::count(page.matched),
            human::count(page.chunks),
            human::one_line(&line),
        );
    }
    text + &surroundings(found)
}

/// Returns the neighbourhoods and pairs of sites as text.
fn surroundings(found: &Detection) -> String {
    let neighborhoods = &found.neighborhoods;
    let mut text = format!(
        "{} of {} are bad ({})\n",
        human::count(neighborhoods.bad),
        human::counted(neighborhoods.total, "neighbourhood"),
        spread(
            neighborhoods.mean,
            neighborhoods.stddev,
            neighborhoods.threshold
        ),
    );
    for found in &neighborhoods.top {
        let _ = writeln!(
            text,
            "{:>8} {:>12}   {}",
            human::percent(found.badness),
            human::counted(found.pages, "page"),
            human::one_line(&found.prefix),
        );
    }
    if !found.sites.is_empty() {
        let _ = writeln!(text, "chunks that sites share:");
    }
    for pair in found.sites.iter().take(20) {
        let line = format!("{} shares chunks with {}", pair.copier, pair.source);
        let _ = writeln!(
            text,
            "{:>15} on {:>11}   {}",
            human::counted(pair.chunks, "chunk"),
            human::counted(pair.pages, "page"),
            human::one_line(&line),
        );
    }
    for note in &found.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}
