//! A program for `PdfTool::Program`: reads a PDF from standard input and prints its text.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program: text goes to stdout, errors to stderr"
)]

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("cannot read standard input: {error}");
        return ExitCode::FAILURE;
    }
    match reprise_convert::pdf_text(&bytes) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
