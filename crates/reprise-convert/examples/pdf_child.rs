//! A program for `PdfTool::Program`: a PDF at standard input, its text at standard output.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program: text goes to stdout, complaints to stderr"
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
