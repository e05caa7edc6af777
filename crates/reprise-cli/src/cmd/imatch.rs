//! `reprise imatch`: lexicons, signatures, and attacks on them.

mod attack;
mod sign;
mod train;

use std::process::ExitCode;

use crate::console::Console;

/// Find campaigns by the terms of a lexicon: train it, sign documents, simulate attacks
///
/// Documents with the same lexicon terms have the same signature, whatever other words surround the terms.
/// `reprise near --method imatch` finds the campaigns of a corpus.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Train(train::Args),
    Sign(sign::Args),
    Attack(attack::Args),
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Train(args) => args.run(console),
            Command::Sign(args) => args.run(console),
            Command::Attack(args) => args.run(console),
        }
    }
}
