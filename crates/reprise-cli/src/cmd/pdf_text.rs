//! `reprise pdf-text`: the child process that reads a PDF. It is not listed in the help.

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use reprise_engine::converter::pdf_text;

/// Print the text of the PDF on standard input
#[derive(clap::Args)]
pub(crate) struct Args {}

impl Args {
    #[expect(clippy::unused_self, reason = "all commands have this method")]
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes)?;
        stdout().lock().write_all(pdf_text(&bytes)?.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}
