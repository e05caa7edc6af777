//! `reprise lab`: experiments on the pages of a corpus.

mod compare;
mod evade;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use reprise_engine::lab::{LabError, PAGE_BYTES_MAX, Unused};
use serde::Serialize;

use crate::exit::Usage;
use crate::{human, output_file};

/// Measure how hard each method is to evade, and how often a fuzzy one is wrong.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    Evade(evade::Args),
    Compare(compare::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.experiment {
        Experiment::Evade(args) => evade::run(args),
        Experiment::Compare(args) => compare::run(args),
    }
}

/// Pages that were drawn and could not be used.
#[derive(Serialize)]
struct JsonUnused<'a> {
    without_text: u64,
    too_large: u64,
    unreadable: u64,
    reason: Option<&'a str>,
}

impl<'a> JsonUnused<'a> {
    fn of(unused: &'a Unused) -> JsonUnused<'a> {
        JsonUnused {
            without_text: unused.without_text,
            too_large: unused.too_large,
            unreadable: unused.unreadable,
            reason: unused.reason.as_deref(),
        }
    }
}

/// The same in a sentence, if there are any.
fn unused_line(unused: &Unused) -> Option<String> {
    let Unused {
        without_text,
        too_large,
        unreadable,
        reason,
    } = unused;
    let mut parts = Vec::new();
    if *without_text > 0 {
        parts.push(format!("{} without text", human::count(*without_text)));
    }
    if *too_large > 0 {
        let limit = human::bytes(PAGE_BYTES_MAX as u64);
        parts.push(format!("{} larger than {limit}", human::count(*too_large)));
    }
    if *unreadable > 0 {
        let reason = reason.as_deref().unwrap_or("no reason is known");
        parts.push(format!(
            "{} that could not be read again ({reason})",
            human::count(*unreadable)
        ));
    }
    (!parts.is_empty()).then(|| format!("left out of the pages drawn: {}", parts.join(", ")))
}

/// What is wrong with a corpus or a flag is the caller's to mend.
fn told(error: LabError) -> anyhow::Error {
    match error {
        LabError::Store(error) => error.into(),
        error if error.is_usage() => Usage(error.to_string()).into(),
        error => error.into(),
    }
}

/// Where the results go.
#[derive(clap::Args)]
struct OutputFlags {
    /// Write one HTML file with a plot
    #[arg(long, value_name = "FILE", value_parser = output_file::named_parser())]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl OutputFlags {
    fn put(
        &self,
        page: impl FnOnce() -> String,
        json: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.html {
            output_file::write(path, page())?;
            say!("plot written to {}", path.display());
        }
        if self.json {
            println!("{}", serde_json::to_string(json)?);
        } else {
            print!("{}", text());
        }
        Ok(ExitCode::SUCCESS)
    }
}
