//! `reprise lab`: experiments on the pages of a corpus.

mod compare;
mod evade;

use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::{Corpus, write_file};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{MemoryFlag, ThreadsFlag, resources};
use crate::output;

/// Measure how hard each method is to evade, and how often a hash is wrong
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    Evade(evade::Args),
    Compare(compare::Args),
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        match &self.experiment {
            Experiment::Evade(args) => args.run(console),
            Experiment::Compare(args) => args.run(console),
        }
    }
}

/// The flags of both experiments.
#[derive(clap::Args)]
struct LabFlags {
    /// Directory of the corpus, whose archives must still exist
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// HTML file to write, with a plot
    #[arg(long, value_name = "FILE", value_parser = output::named_parser())]
    html: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsFlag,
}

impl LabFlags {
    fn open(&self) -> anyhow::Result<Corpus> {
        let resources = resources(MemoryFlag::default(), self.threads);
        Ok(Corpus::open(&self.corpus)?.with_resources(resources)?)
    }

    /// Writes the plot and prints the result.
    fn print<T: Serialize>(
        &self,
        console: Console,
        found: &T,
        render: fn(&T) -> String,
        text: fn(&T) -> String,
    ) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.html {
            write_file(path, render(found).as_bytes())?;
            console.say(format!("plot written to {}", path.display()));
        }
        console.print(found, None, || text(found))?;
        Ok(ExitCode::SUCCESS)
    }
}
