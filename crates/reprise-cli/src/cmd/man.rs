//! `reprise man`: manual pages.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap_mangen::Man;

use crate::console::{Console, print_json};
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

/// The result as JSON.
#[derive(serde::Serialize)]
struct Written {
    /// The directory of the pages.
    path: String,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        // `reprise help` has no page of its own.
        let command = help::command().disable_help_subcommand(true);
        let Some(directory) = &self.output else {
            let mut page = Vec::new();
            Man::new(command).render(&mut page)?;
            stdout().write_all(&page)?;
            return Ok(ExitCode::SUCCESS);
        };
        fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(command, directory))
            .with_context(|| format!("cannot write {}", directory.display()))?;
        let written = Written {
            path: directory.display().to_string(),
        };
        if console.json {
            print_json(&written)?;
        } else {
            console.say(format!("manual pages written to {}", written.path));
        }
        Ok(ExitCode::SUCCESS)
    }
}
