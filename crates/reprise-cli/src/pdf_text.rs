//! The child process that reads a PDF, so that a PDF that breaks the reader does not break the command.

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use reprise_engine::converter::pdf_text;

/// The first argument of the child process.
pub(crate) const NAME: &str = "pdf-text";

/// Prints the text of the PDF on standard input.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    stdout().lock().write_all(pdf_text(&bytes)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
