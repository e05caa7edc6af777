//! Automation of the repository: `cargo xtask tidy` checks rules that no other tool checks, and
//! `cargo xtask graph` prints the crates and their dependencies.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a program whose results go to standard output"
)]

mod layers;
mod tidy;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use workspace::Workspace;

const USAGE: &str = "usage: cargo xtask tidy|graph";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root");
    let result = match args[..] {
        ["tidy"] => tidy(root),
        ["graph"] => graph(root),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        ExitCode::from(2)
    })
}

fn tidy(root: &Path) -> Result<ExitCode> {
    let report = tidy::run(root)?;
    print!("{report}");
    Ok(if report.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn graph(root: &Path) -> Result<ExitCode> {
    print!("{}", layers::graph(&Workspace::read(root)?));
    Ok(ExitCode::SUCCESS)
}
