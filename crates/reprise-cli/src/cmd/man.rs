//! `reprise man`: manual pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap_mangen::Man;

use crate::console::Console;
use crate::{help, output};

/// Write the manual pages, or print the one of `reprise`
///
/// For example: reprise man -o ~/.local/share/man/man1
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory for one page per command [default: print the main page]
    #[arg(long, short, value_name = "DIR", value_parser = output::directory_parser())]
    output: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let Some(directory) = &self.output else {
            let mut page = Vec::new();
            Man::new(help::command()).render(&mut page)?;
            stdout().write_all(&page)?;
            return Ok(ExitCode::SUCCESS);
        };
        fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(help::command(), directory))
            .with_context(|| format!("cannot write {}", directory.display()))?;
        console.say(format!("manual pages written to {}", directory.display()));
        Ok(ExitCode::SUCCESS)
    }
}
