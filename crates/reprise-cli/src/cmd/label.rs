//! `reprise label`: labels made of known pages.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::{
    ChunkForm, ChunkSettings, Format, HashKind, LabelOptions, defaults, label_pages,
};

use crate::console::Console;
use crate::flags::{IndexFlags, StopFlags};
use crate::output::{self, FormatFlag};
use crate::{human, input_name, problems};

/// Make labels of known pages, for detect and check
///
/// Label files among the inputs are merged into the result.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Pages in any format that index reads, or label files
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// File for the labels; .parquet files can be used by detect and check, .jsonl and .csv are for reading
    #[arg(long, short, value_name = "LABELS", value_parser = output::parser())]
    output: PathBuf,
    /// Name of the labels' source, such as the owner of the pages
    #[arg(long, default_value = "")]
    name: String,
    /// Form of a chunk, as in the corpus to search: markup or text
    #[arg(long, value_name = "FORM", default_value_t = ChunkForm::Markup)]
    chunk: ChunkForm,
    /// Hash of fingerprints, as in the corpus to search: sha256 or sha1
    #[arg(long, value_name = "HASH", default_value_t = HashKind::Sha256, hide_short_help = true)]
    hash: HashKind,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    index: IndexFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        output::check_json(Some(&self.output), console.json)?;
        let file = self.format.file(&self.output, Format::Parquet)?;
        let settings = ChunkSettings {
            hash: self.hash,
            chunk: self.chunk,
        };
        let min_length = defaults::discover::LABEL_MIN_LENGTH;
        let options = LabelOptions {
            settings,
            name: self.name.clone(),
            min_length,
            stop: Some(self.stop.rules(min_length, settings)?),
            index: self.index.options(),
        };
        let bar = console.bar();
        let resources = self.index.reading.resources();
        let summary = label_pages(&self.inputs, &options, &file, resources, &bar)?;
        bar.finish();
        if !console.json {
            console.say_lines(&problems::lines(&summary.problems));
        }
        console.print(&summary, Some(&self.output), || {
            let mut text = format!(
                "{} written to {}",
                human::counted(summary.labels, "label"),
                human::one_line(&output::name(&self.output)),
            );
            if summary.merged > 0 {
                let files = human::counted(summary.merged, "label file");
                let _ = write!(text, ", merged from {files}");
            }
            if summary.pages > 0 {
                let _ = write!(
                    text,
                    ": of {} and {} of {}; {} left out",
                    human::counted(summary.chunks, "distinct chunk"),
                    human::counted(summary.files, "file"),
                    human::counted(summary.pages, "page"),
                    human::counted(summary.stop, "stop chunk"),
                );
            }
            text + "\n"
        })?;
        if summary.labels == 0 {
            console.say(format!(
                "nothing was labelled: no chunk of {} has visible text and at least {} characters (--min-length)",
                human::counted(summary.pages, "page"),
                summary.min_length
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}
