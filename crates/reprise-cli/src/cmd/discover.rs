//! `reprise discover`: what occurs more often than it should.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::discover::{CountBy, DiscoverConfig, Discovery, Threshold, discover};
use reprise_engine::report::{html, top_objects, why_undiscovered};
use reprise_engine::store::{Corpus, LabelsHeader, LabelsWriter, Level, Origin};
use serde::Serialize;

use super::filters::{StopFlags, read_limits};
use super::resources::MemoryFlag;
use crate::{human, output_file};

/// Find what occurs too often in a corpus, and write it as labels.
///
/// Counts over all segments at once. A chunk is labelled if its count is higher than the threshold
/// and it is no stop chunk (no visible text, too short, or listed).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// File for the labels; - is standard output
    #[arg(long, short, value_name = "LABELS", value_parser = output_file::parser())]
    output: Option<PathBuf>,
    /// What is counted: pieces of pages, or whole files
    #[arg(long, value_name = "chunk|file", default_value_t = Level::Chunk)]
    level: Level,
    /// Label what has a higher count; auto grows with the corpus as the papers' thresholds did
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    threshold: Threshold,
    /// How it is counted; sites tells copying from templates
    #[arg(long, value_name = "occurrences|pages|sites", default_value_t = CountBy::Occurrences)]
    count: CountBy,
    #[command(flatten)]
    stop: StopFlags,
    /// How many of the most frequent to show, with their text
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    memory: MemoryFlag,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    level: &'a str,
    count: &'a str,
    threshold: u64,
    threshold_auto: bool,
    objects: u64,
    distinct: u64,
    labeled: u64,
    stop: u64,
    stop_reasons: JsonStop,
    nearest: u64,
    frequency: &'a [(u64, u64)],
    top: Vec<JsonTop<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JsonStop {
    no_text: u64,
    short: u64,
    listed: u64,
}

#[derive(Serialize)]
struct JsonTop<'a> {
    #[serde(flatten)]
    object: &'a html::TopObject,
    url: Option<&'a String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    let stop = args.stop.rules(0, corpus.settings())?;
    let header = LabelsHeader::new(corpus.settings(), Origin::Discovered, stop.min_length);
    let config = DiscoverConfig {
        level: args.level,
        count: args.count,
        threshold: args.threshold,
        stop,
        top: args.top,
        memory_bytes: args.memory.bytes()?,
    };
    if let Some(output) = &args.output {
        output_file::check_json(output, args.json)?;
        output_file::check_binary(output)?;
    }
    let mut labels = args
        .output
        .as_ref()
        .map(|path| LabelsWriter::create(path, &header))
        .transpose()?;
    let found = discover(&corpus, &config, labels.as_mut())?;
    if let Some(labels) = labels {
        labels.finish()?;
    }
    let top = top_objects(&corpus, &found, &read_limits())?;
    let is_auto = args.threshold == Threshold::Auto;
    if args.json {
        println!("{}", serde_json::to_string(&json(&found, is_auto, &top))?);
    } else {
        output_file::tell(args.output.as_deref(), &text(&found, is_auto, &top));
        if let Some(path) = &args.output {
            say!("labels written to {}", output_file::name(path));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn json<'a>(found: &'a Discovery, is_auto: bool, top: &'a [html::TopObject]) -> Json<'a> {
    Json {
        level: found.level.as_str(),
        count: found.count.as_str(),
        threshold: found.threshold,
        threshold_auto: is_auto,
        objects: found.objects,
        distinct: found.distinct,
        labeled: found.labeled,
        stop: found.stop.total(),
        stop_reasons: JsonStop {
            no_text: found.stop.no_text,
            short: found.stop.short,
            listed: found.stop.listed,
        },
        nearest: found.nearest,
        frequency: &found.frequency,
        top: top
            .iter()
            .map(|object| JsonTop {
                object,
                url: object.urls.first(),
            })
            .collect(),
        notes: why_undiscovered(found),
    }
}

/// What was found, in a few lines.
pub(crate) fn text(found: &Discovery, is_auto: bool, top: &[html::TopObject]) -> String {
    let object = found.level.as_str();
    let mut text = format!(
        "{} of {} distinct {object}s ({} in all) have more than {}{}\n",
        human::count(found.labeled),
        human::count(found.distinct),
        human::count(found.objects),
        human::counted(found.threshold, found.count.noun()),
        if is_auto { " (auto)" } else { "" },
    );
    let stop = found.stop;
    let _ = writeln!(
        text,
        "{} distinct stop chunks: {} without visible text, {} too short, {} listed",
        human::count(stop.total()),
        human::count(stop.no_text),
        human::count(stop.short),
        human::count(stop.listed),
    );
    for note in why_undiscovered(found) {
        let _ = writeln!(text, "{note}");
    }
    if !top.is_empty() {
        let _ = writeln!(
            text,
            "\n{:>11} {:>8} {:>7}  {:<13} text",
            "occurrences", "pages", "sites", "category"
        );
    }
    for object in top {
        let words: String = object
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(90)
            .collect();
        let _ = writeln!(
            text,
            "{:>11} {:>8} {:>7}  {:<13} {}",
            human::count(object.occurrences),
            human::count(object.pages),
            human::count(object.sites),
            object.category,
            human::one_line(&words),
        );
        if let Some(url) = object.urls.first() {
            let _ = writeln!(text, "{:>44} {}", "e.g.", human::one_line(url));
        }
    }
    text
}
