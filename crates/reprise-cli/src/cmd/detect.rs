//! `reprise detect`: which pages and neighbourhoods hold what is labelled.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::detect::{Badness, DetectConfig, Detection, Limit, Spread, detect};
use reprise_engine::ingest::format_date;
use reprise_engine::store::{Corpus, Labels, Origin};
use serde::Serialize;

use super::filters::StopFlags;
use super::resources::MemoryFlag;
use crate::exit::Usage;
use crate::{human, output_file};

/// Find what is labelled in a corpus: pages that hold it, and neighbourhoods where it clusters.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// File of labels, from discover or label
    #[arg(long, value_name = "LABELS")]
    labels: PathBuf,
    /// Directory for pages.parquet, neighborhoods.parquet and sites.parquet
    #[arg(long, short, value_name = "OUT", value_parser = output_file::directory_parser())]
    output: Option<PathBuf>,
    #[command(flatten)]
    rules: Rules,
    /// Leave out pages on the sites that the labels come from
    #[arg(long)]
    elsewhere: bool,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What makes a page a target and a neighbourhood bad.
#[derive(clap::Args, Clone)]
pub(crate) struct Rules {
    /// A page with a higher share is a target; auto is one standard deviation above the mean
    #[arg(long, value_name = "X|auto", default_value = "auto")]
    page_threshold: Limit,
    /// A neighbourhood with a higher badness is bad; auto is one standard deviation above the mean
    #[arg(long, value_name = "X|auto", default_value = "auto")]
    neighborhood_threshold: Limit,
    /// Badness of a neighbourhood: the mean of its pages' shares, or all its labelled chunks by all its chunks
    #[arg(long, value_name = "mean|pooled", default_value_t = Badness::Mean)]
    pub(crate) badness: Badness,
    /// Levels of directories that are neighbourhoods; 1 is whole hosts [default: all]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Pages with fewer chunks count in no mean
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_chunks: u64,
    /// Neighbourhoods with fewer pages are left out
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_pages: u64,
    /// How many of the worst to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
}

impl Rules {
    /// The configuration, or what is wrong with the flags.
    pub(crate) fn config(
        &self,
        stop: reprise_engine::discover::StopRules,
        elsewhere: bool,
        memory_bytes: usize,
    ) -> Result<DetectConfig, Usage> {
        if self.depth == Some(0) {
            return Err(Usage("--depth must be at least 1".to_owned()));
        }
        Ok(DetectConfig {
            page_limit: self.page_threshold,
            neighborhood_limit: self.neighborhood_threshold,
            badness: self.badness,
            stop,
            depth: self.depth,
            min_chunks: self.min_chunks,
            min_pages: self.min_pages,
            elsewhere,
            top: self.top,
            memory_bytes,
        })
    }
}

#[derive(Serialize)]
struct Json<'a> {
    labels: u64,
    matched: JsonMatched,
    pages: JsonPages<'a>,
    neighborhoods: JsonNeighborhoods<'a>,
    sites: Vec<JsonPair<'a>>,
    site_pairs: usize,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JsonMatched {
    chunks: u64,
    files: u64,
    labels_seen: u64,
}

#[derive(Serialize)]
struct JsonPages<'a> {
    total: u64,
    counted: u64,
    own: u64,
    matched: u64,
    mean: f64,
    stddev: f64,
    threshold: f64,
    targets: u64,
    histogram: &'a [u64],
    top: Vec<JsonPage<'a>>,
}

#[derive(Serialize)]
struct JsonPage<'a> {
    url: &'a str,
    contains: Option<f64>,
    matched: u64,
    chunks: u64,
    source_url: Option<&'a str>,
    source_site: Option<&'a str>,
    fetched: Option<String>,
    source_fetched: Option<String>,
    older: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonNeighborhoods<'a> {
    total: u64,
    mean: f64,
    stddev: f64,
    threshold: f64,
    bad: u64,
    histogram: &'a [u64],
    top: Vec<JsonNeighborhood<'a>>,
}

#[derive(Serialize)]
struct JsonNeighborhood<'a> {
    prefix: &'a str,
    pages: u64,
    badness: f64,
    matched: u64,
    chunks: u64,
}

#[derive(Serialize)]
struct JsonPair<'a> {
    copier: &'a str,
    source: &'a str,
    chunks: u64,
    pages: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let labels = Labels::open(&args.labels)?;
    if args.elsewhere && labels.header().origin == Origin::Discovered {
        let message = "--elsewhere needs labels that come from named pages (reprise label): labels found by discover have no site of their own";
        return Err(Usage(message.to_owned()).into());
    }
    let stop = args
        .stop
        .rules(labels.header().min_length, corpus.settings())?;
    let config = args
        .rules
        .config(stop, args.elsewhere, args.memory.bytes()?)?;
    let found = detect(&corpus, &labels, &config, args.output.as_deref())?;
    let notes = why_nothing(&found, labels.rows());
    if args.json {
        println!(
            "{}",
            serde_json::to_string(&json(&found, labels.rows(), notes))?
        );
        return Ok(ExitCode::SUCCESS);
    }
    print!("{}", text(&found, labels.rows()));
    for note in notes {
        println!("{note}");
    }
    if let Some(output) = &args.output {
        say!("tables written to {}", output.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Why nothing was found, in plain sentences.
fn why_nothing(found: &Detection, labels: u64) -> Vec<String> {
    if found.matched.chunks + found.matched.files > 0 {
        return Vec::new();
    }
    let pages = &found.pages;
    let why = if labels == 0 {
        "the file of labels is empty".to_owned()
    } else if pages.total + pages.own == 0 {
        "the corpus holds no page".to_owned()
    } else if pages.total == 0 {
        format!(
            "all {} are on the labels' own sites",
            human::counted(pages.own, "page")
        )
    } else if pages.spread.count == 0 {
        format!(
            "none of {} has a chunk left once stop chunks are gone",
            human::counted(pages.total, "page")
        )
    } else {
        format!(
            "none of {} is in {}",
            human::counted(labels, "label"),
            human::counted(pages.total, "page")
        )
    };
    vec![format!("nothing was found: {why}")]
}

fn json(found: &Detection, labels: u64, notes: Vec<String>) -> Json<'_> {
    let pages = &found.pages;
    let neighborhoods = &found.neighborhoods;
    Json {
        labels,
        matched: JsonMatched {
            chunks: found.matched.chunks,
            files: found.matched.files,
            labels_seen: found.matched.labels_seen,
        },
        pages: JsonPages {
            total: pages.total,
            counted: pages.spread.count,
            own: pages.own,
            matched: pages.matched,
            mean: pages.spread.mean,
            stddev: pages.spread.stddev,
            threshold: pages.spread.threshold,
            targets: pages.spread.over,
            histogram: &pages.spread.histogram,
            top: pages
                .top
                .iter()
                .map(|page| JsonPage {
                    url: &page.url,
                    contains: page.contains,
                    matched: page.matched,
                    chunks: page.chunks,
                    source_url: page.source_url.as_deref(),
                    source_site: page.source_site.as_deref(),
                    fetched: page.fetched.map(format_date),
                    source_fetched: page.source_fetched.map(format_date),
                    older: page.older(),
                })
                .collect(),
        },
        neighborhoods: JsonNeighborhoods {
            total: neighborhoods.spread.count,
            mean: neighborhoods.spread.mean,
            stddev: neighborhoods.spread.stddev,
            threshold: neighborhoods.spread.threshold,
            bad: neighborhoods.spread.over,
            histogram: &neighborhoods.spread.histogram,
            top: neighborhoods
                .top
                .iter()
                .map(|found| JsonNeighborhood {
                    prefix: &found.prefix,
                    pages: found.pages,
                    badness: found.badness,
                    matched: found.matched,
                    chunks: found.chunks,
                })
                .collect(),
        },
        sites: found
            .site_pairs
            .iter()
            .take(100)
            .map(|pair| JsonPair {
                copier: &pair.copier,
                source: &pair.source,
                chunks: pair.chunks,
                pages: pair.pages,
            })
            .collect(),
        site_pairs: found.site_pairs.len(),
        notes,
    }
}

fn spread(spread: &Spread) -> String {
    format!(
        "mean {:.4}, standard deviation {:.4}, threshold {:.4}",
        spread.mean, spread.stddev, spread.threshold
    )
}

/// What was found, in a few lines.
pub(crate) fn text(found: &Detection, labels: u64) -> String {
    let pages = &found.pages;
    let mut text = format!(
        "{} and {} matched by {} of {}\n",
        human::counted(found.matched.chunks, "chunk"),
        human::counted(found.matched.files, "file"),
        human::count(found.matched.labels_seen),
        human::counted(labels, "label"),
    );
    let _ = writeln!(
        text,
        "{} of {} hold a labelled chunk; {} are targets ({})",
        human::count(pages.matched),
        human::counted(pages.total, "page"),
        human::count(pages.spread.over),
        spread(&pages.spread),
    );
    if pages.matched > 0 && pages.spread.over == 0 {
        text += "none stands out by so much that it is a target; --page-threshold sets a fixed threshold\n";
    }
    if pages.own > 0 {
        let _ = writeln!(
            text,
            "{} on the labels' own sites left out",
            human::counted(pages.own, "page")
        );
    }
    for page in &pages.top {
        let from = page
            .source_site
            .as_ref()
            .map_or(String::new(), |site| format!("  from {site}"));
        let line = format!("{}{from}", page.url);
        let _ = writeln!(
            text,
            "{:>8.3} {:>6}/{:<6} {}",
            page.contains.unwrap_or(0.0),
            human::count(page.matched),
            human::count(page.chunks),
            human::one_line(&line),
        );
    }
    let neighborhoods = &found.neighborhoods;
    let _ = writeln!(
        text,
        "{} of {} are bad ({})",
        human::count(neighborhoods.spread.over),
        human::counted(neighborhoods.spread.count, "neighbourhood"),
        spread(&neighborhoods.spread),
    );
    for found in &neighborhoods.top {
        let _ = writeln!(
            text,
            "{:>8.3} {:>6} pages   {}",
            found.badness,
            human::count(found.pages),
            human::one_line(&found.prefix),
        );
    }
    if !found.site_pairs.is_empty() {
        let _ = writeln!(text, "who has whose chunks:");
    }
    for pair in found.site_pairs.iter().take(20) {
        let line = format!("{} has chunks of {}", pair.copier, pair.source);
        let _ = writeln!(
            text,
            "{:>8} chunks on {:>5} pages   {}",
            human::count(pair.chunks),
            human::count(pair.pages),
            human::one_line(&line),
        );
    }
    text
}
