//! `reprise lab`: experiments on the pages of a corpus.

mod compare;
mod evade;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use reprise_engine::lab::{LabError, ReadOptions};
use serde::Serialize;

use crate::cmd::filters::read_limits;
use crate::cmd::resources::ThreadsFlag;
use crate::exit::Usage;
use crate::output_file;

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

/// Adds flag names to an error, and tells wrong usage from a failure.
fn told(error: LabError) -> anyhow::Error {
    let flagged = match &error {
        LabError::TooSmall { option, least } => {
            let flag = match *option {
                "pages" => "sample",
                "words_min" => "words",
                other => other,
            };
            format!("--{flag} must be at least {least}")
        }
        LabError::OneSite => format!("{error}; leave out --elsewhere"),
        LabError::TooFewPages { .. } => format!("{error}; lower --min-length"),
        _ => error.to_string(),
    };
    match error {
        LabError::Store(error) => error.into(),
        error if error.is_usage() => Usage(flagged).into(),
        error => error.into(),
    }
}

fn read_options(threads: &ThreadsFlag) -> anyhow::Result<ReadOptions> {
    Ok(ReadOptions {
        limits: read_limits(),
        threads: threads.count()?,
    })
}

/// The flags for the output.
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
