//! The `reprise` command: parse, run, say what went wrong, exit.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the surface: stdout is data, stderr is conversation"
)]

mod cmd;
mod exit;
mod export;
mod human;
mod progress;
mod size;
mod tally;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Finds copied content in web-size piles of pages: what was copied, where, how much, by whom, with
/// the evidence.
#[derive(Parser)]
#[command(name = "reprise", version, max_term_width = 100)]
#[command(
    after_help = "Start with `reprise demo`. Exit code: 0 done, 1 failed on the way, 2 wrong usage or unreadable input."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(cmd::demo::Args),
    Index(cmd::index::Args),
    Info(cmd::info::Args),
    Verify(cmd::verify::Args),
    Export(cmd::export::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Demo(args) => cmd::demo::run(args),
        Command::Index(args) => cmd::index::run(args),
        Command::Info(args) => cmd::info::run(args),
        Command::Verify(args) => cmd::verify::run(args),
        Command::Export(args) => cmd::export::run(args),
    };
    match result {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}
