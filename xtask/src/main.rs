//! Automation of the repository: `cargo xtask tidy` checks rules that no other tool checks, `cargo xtask
//! graph` prints the crates and their dependencies, and `cargo xtask wasm` builds and tests WebAssembly.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a program whose results go to standard output"
)]

mod layers;
mod tidy;
mod wasm;
mod workspace;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND
  tidy          check layers, sizes, leftovers and the number of packages
  graph         print the crates and their dependencies
  wasm          build for WebAssembly and test the module in Node
  wasm setup    download a compiler for WebAssembly if it is missing
  wasm speed    print the size and the speed of the module
  wasm missing  print the tool that the tests of WebAssembly need and that is missing, and fail if there is one";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root");
    let result = match args[..] {
        ["tidy"] => tidy(root),
        ["graph"] => graph(root),
        ["wasm"] => wasm::test(root).map(done),
        ["wasm", "setup"] => wasm::setup(root).map(done),
        ["wasm", "missing"] => wasm_missing(root),
        ["wasm", "speed"] => wasm::speed(root).map(done),
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

fn done(_: ()) -> ExitCode {
    ExitCode::SUCCESS
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

fn wasm_missing(root: &Path) -> Result<ExitCode> {
    let missing = wasm::missing(root)?;
    if let Some(tool) = missing {
        println!("{tool}");
    }
    Ok(ExitCode::from(u8::from(missing.is_some())))
}
