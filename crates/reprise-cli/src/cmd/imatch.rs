//! `reprise imatch`: lexicons, signatures, and how hard they are to evade.

mod attack;
mod sign;
mod train;

use std::process::ExitCode;

/// Tell campaigns by the terms of a lexicon, whatever noise is around them.
///
/// `train` chooses a lexicon, and the contexts in which its terms count. `sign` prints signatures: documents
/// with the same lexicon terms have the same one. `attack` simulates who wants to evade that. Clusters of a
/// corpus: `reprise near --method imatch`.
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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Train(args) => train::run(args),
        Command::Sign(args) => sign::run(args),
        Command::Attack(args) => attack::run(args),
    }
}
