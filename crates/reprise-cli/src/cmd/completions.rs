//! `reprise completions`: completions for shells.

use std::io::stdout;
use std::process::ExitCode;

use clap_complete::{Shell, generate};

use crate::help;

/// Print the completions of a shell
///
/// For example: reprise completions bash > ~/.local/share/bash-completion/completions/reprise
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    #[expect(clippy::unnecessary_wraps, reason = "all commands return a result")]
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        generate(self.shell, &mut help::command(), "reprise", &mut stdout());
        Ok(ExitCode::SUCCESS)
    }
}
