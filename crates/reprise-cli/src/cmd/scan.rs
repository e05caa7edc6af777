//! `reprise scan`: index, discover, detect and report in one go, for people with a pile of archives.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use reprise_engine::index::IndexConfig;
use reprise_engine::store::{Corpus, Wanted};

use super::index::{Resources, ToIndex};
use super::report::{self, How, Results};
use crate::{human, input_name, output_file};

/// Index archives, find what is copied in them and where, and write a report: the main job.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, WET, ARC, WACZ, JSONL, Parquet or mail files (mbox, maildir, .eml), directories, @lists, or - for standard input
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Directory for the report, the labels and the tables
    #[arg(long, value_name = "DIR", default_value = "reprise-report", value_parser = output_file::directory_parser())]
    report: PathBuf,
    /// Directory of the corpus; made if it is not there, added to if it is [default: DIR/corpus]
    #[arg(long, value_name = "DIR", value_parser = output_file::directory_parser())]
    corpus: Option<PathBuf>,
    /// URL to which the relative path of a plain file is appended [default: file:///...]
    #[arg(long, value_name = "URL", value_parser = input_name::base_url_parser())]
    base_url: Option<String>,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    how: How,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = args.resources.config()?;
    let started = Instant::now();
    fs::create_dir_all(&args.report)
        .with_context(|| format!("cannot write {}", args.report.display()))?;
    let path = args
        .corpus
        .clone()
        .unwrap_or_else(|| args.report.join("corpus"));
    let what = ToIndex {
        names: &args.inputs,
        base_url: args.base_url.as_deref(),
        wanted: Wanted {
            // An old corpus that has none goes without.
            shingles: Corpus::open(&path).map_or(true, |corpus| corpus.has_shingles()),
            ..Wanted::default()
        },
        results: Some(&args.report),
    };
    let (writer, stats) = what.into_corpus(&path, &config, false)?;
    let seconds = started.elapsed().as_secs_f64();
    say_on!("{}", super::index::text(&stats, seconds, &path));
    let results = finish(writer.corpus(), &args.how, &args.report, &config)?;
    print!("{}", summary(&results, &args.report));
    Ok(ExitCode::SUCCESS)
}

/// Everything after the index: labels, tables and report into a directory.
pub(crate) fn finish(
    corpus: &Corpus,
    how: &How,
    directory: &Path,
    config: &IndexConfig,
) -> anyhow::Result<Results> {
    let labels = directory.join("labels.parquet");
    let results = report::make(corpus, how, &labels, Some(directory), config.memory_bytes)?;
    report::write(&directory.join("report.html"), &results.report)?;
    Ok(results)
}

/// The lines that matter, and where the report is.
pub(crate) fn summary(results: &Results, directory: &Path) -> String {
    let (discovery, detection) = (&results.discovery, &results.detection);
    let pages = &detection.pages;
    let mut text = format!(
        "{} of {} distinct chunks are on more than {}\n",
        human::count(discovery.labeled),
        human::count(discovery.distinct),
        human::counted(discovery.threshold, discovery.count.noun()),
    );
    let _ = writeln!(
        text,
        "{} of {} hold one of {}; {} hold far more than the rest (over {:.2})",
        human::count(pages.matched),
        human::counted(pages.total, "page"),
        human::counted(results.labels, "label"),
        human::count(pages.spread.over),
        pages.spread.threshold,
    );
    let neighborhoods = &detection.neighborhoods;
    let _ = writeln!(
        text,
        "{} of {} are bad (over {:.2})",
        human::count(neighborhoods.spread.over),
        human::counted(neighborhoods.spread.count, "neighbourhood"),
        neighborhoods.spread.threshold,
    );
    for pair in detection.site_pairs.iter().take(5) {
        let line = format!(
            "  {} shares {} with {}",
            pair.copier,
            human::counted(pair.chunks, "chunk"),
            pair.source
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    if let Some(near) = &results.report.near {
        let _ = writeln!(
            text,
            "{} are near-copies in {}; {} need not be kept",
            human::counted(near.in_clusters, "page"),
            human::counted(near.clusters, "cluster"),
            human::count(near.removable),
        );
    }
    if let Some(campaigns) = &results.report.campaigns {
        let _ = writeln!(
            text,
            "{} belong to {}; the largest has {}",
            human::counted(campaigns.in_clusters, "document"),
            human::counted(campaigns.clusters, "campaign"),
            human::count(campaigns.largest),
        );
    }
    if let Some(phrases) = &results.report.phrases {
        let monsters: Vec<&str> = (phrases.monsters.iter())
            .map(|monster| monster.site.as_str())
            .collect();
        let named = match monsters.as_slice() {
            [] => "no site is stitched together from others' pages".to_owned(),
            [first, ..] => format!(
                "{} stitched together from others' pages, the first is {first}",
                human::counted(monsters.len() as u64, "site")
            ),
        };
        let line = format!(
            "{} of five words are popular; {named}",
            human::counted(phrases.popular, "phrase")
        );
        let _ = writeln!(text, "{}", human::one_line(&line));
    }
    for note in &results.report.notes {
        let _ = writeln!(text, "{note}");
    }
    let _ = writeln!(text, "report: {}", directory.join("report.html").display());
    text
}
