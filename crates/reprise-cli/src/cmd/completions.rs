//! `reprise completions`: completions for shells.

use std::io::{Write, stdout};
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
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        // A failed write would panic inside `generate`.
        let mut script = Vec::new();
        generate(self.shell, &mut help::command(), "reprise", &mut script);
        stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
