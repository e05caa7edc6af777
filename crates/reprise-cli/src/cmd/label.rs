//! `reprise label`: labels from pages that somebody names.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use reprise_engine::discover::label;
use reprise_engine::fingerprint::HashKind;
use reprise_engine::index;
use reprise_engine::ingest::{is_stream, path_of};
use reprise_engine::store::{
    Labels, LabelsHeader, LabelsWriter, Origin, Settings, Wanted, merge_labels,
};
use reprise_engine::text::ChunkForm;
use serde::Serialize;

use super::filters::StopFlags;
use super::index::{Resources, ToIndex};
use crate::tally::{self, JsonTally};
use crate::{human, input_name, output_file};

/// Labels shorter than this tell little; phishing pages call for 25.
pub(crate) const MIN_LENGTH: u64 = 100;

/// Make labels of pages: everything in them is then looked for by detect and check.
///
/// Files of labels among the inputs are merged into the result.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Pages in any form that index reads, or files of labels
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// File for the labels; - is standard output
    #[arg(long, short, value_name = "LABELS", value_parser = output_file::parser())]
    output: PathBuf,
    /// What to call the source of these labels
    #[arg(long, default_value = "")]
    name: String,
    /// URL to which the relative path of a plain file is appended [default: file:///...]
    #[arg(long, value_name = "URL", value_parser = input_name::base_url_parser())]
    base_url: Option<String>,
    /// As the corpus was made: markup or text
    #[arg(long, value_name = "FORM", default_value_t = ChunkForm::Markup)]
    chunk: ChunkForm,
    /// As the corpus was made: sha256 or sha1
    #[arg(long, value_name = "HASH", default_value_t = HashKind::Sha256)]
    hash: HashKind,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    resources: Resources,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json {
    labels: u64,
    chunks: u64,
    files: u64,
    stop: u64,
    pages: u64,
    merged: usize,
    #[serde(flatten)]
    tally: JsonTally,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = args.resources.config()?;
    output_file::check_json(&args.output, args.json)?;
    output_file::check_binary(&args.output)?;
    let settings = Settings {
        hash: args.hash,
        chunk: args.chunk,
    };
    let stop = args.stop.rules(MIN_LENGTH, settings)?;
    let (files, inputs): (Vec<_>, Vec<_>) = args
        .inputs
        .iter()
        .map(|name| (name, path_of(name)))
        // What can only be read once is not even opened here.
        .partition(|(_, path)| !is_stream(path) && Labels::open(path).is_ok());
    let scratch = tempfile::tempdir().context("cannot make a temporary directory")?;
    let mut parts = files
        .iter()
        .map(|(_, path)| Labels::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let mut stats = index::IndexStats::default();
    let mut labeled = reprise_engine::discover::Labeled::default();
    let mut labels = 0;
    if !inputs.is_empty() {
        let names: Vec<String> = inputs.into_iter().map(|(name, _)| name.clone()).collect();
        let what = ToIndex {
            names: &names,
            base_url: args.base_url.as_deref(),
            wanted: Wanted {
                hash: Some(args.hash),
                chunk: Some(args.chunk),
                shingles: false,
            },
            results: None,
        };
        let path = scratch.path().join("corpus");
        let corpus;
        (corpus, stats) = what.into_corpus(&path, &config, false)?;
        let made = scratch.path().join("labels.parquet");
        let header = LabelsHeader::new(settings, Origin::Informed, stop.min_length);
        // Alone, they go where they are wanted; with others, into the merge.
        let target = if parts.is_empty() {
            &args.output
        } else {
            &made
        };
        let mut writer = LabelsWriter::create(target, &header)?;
        labeled = label(
            corpus.corpus(),
            &args.name,
            &stop,
            config.memory_bytes,
            &mut writer,
        )?;
        labels = writer.finish()?;
        if !parts.is_empty() {
            parts.push(Labels::open(&made)?);
        }
    }
    if !parts.is_empty() {
        labels = merge_labels(&parts, &args.output)?;
    }
    if args.json {
        let json = Json {
            labels,
            chunks: labeled.chunks,
            files: labeled.files,
            stop: labeled.stop,
            pages: stats.pages,
            merged: files.len(),
            tally: JsonTally::of(&stats.tally),
        };
        println!("{}", serde_json::to_string(&json)?);
        return Ok(ExitCode::SUCCESS);
    }
    say_on!("{}", tally::lines(&stats.tally));
    let told = format!(
        "{} written to {}: {} and {} of {}, {} left out as stop chunks\n",
        human::counted(labels, "label"),
        human::one_line(&output_file::name(&args.output)),
        human::counted(labeled.chunks, "chunk"),
        human::counted(labeled.files, "file"),
        human::counted(stats.pages, "page"),
        human::count(labeled.stop),
    );
    output_file::tell(Some(&args.output), &told);
    if labels == 0 {
        say!(
            "reprise: nothing was labelled: no chunk of {} has visible text and {} characters or more",
            human::counted(stats.pages, "page"),
            stop.min_length
        );
    }
    Ok(ExitCode::SUCCESS)
}
