//! The command `reprise`: arguments, text for people, and exit codes. `reprise-engine` does the work.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "standard output carries results, standard error messages"
)]

mod cmd;
mod console;
mod crawl_progress;
mod failure;
mod flags;
mod help;
mod human;
mod input_name;
mod interrupt;
mod output;
mod panics;
mod pdf_text;
mod problems;
mod progress;
mod size;

use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

use crate::console::Console;

/// Finds copied content in web-size collections of pages: what was copied, where, how much, by whom, with the
/// evidence.
#[derive(Parser)]
#[command(name = "reprise", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    console: Console,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Scan(cmd::scan::Args),
    Demo(cmd::demo::Args),
    Index(cmd::index::Args),
    Crawl(cmd::crawl::Args),
    Info(cmd::info::Args),
    Verify(cmd::verify::Args),
    Remove(cmd::remove::Args),
    Export(cmd::export::Args),
    Discover(cmd::discover::Args),
    Label(cmd::label::Args),
    Detect(cmd::detect::Args),
    Check(cmd::check::Args),
    Near(cmd::near::Args),
    Phrases(cmd::phrases::Args),
    Sources(cmd::sources::Args),
    Sites(cmd::sites::Args),
    Explain(cmd::explain::Args),
    Drop(cmd::drop::Args),
    Report(cmd::report::Args),
    Fuzzy(cmd::fuzzy::Args),
    Imatch(cmd::imatch::Args),
    Lab(cmd::lab::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

impl Command {
    fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        match self {
            Command::Scan(args) => args.run(console),
            Command::Demo(args) => args.run(console),
            Command::Index(args) => args.run(console),
            Command::Crawl(args) => args.run(console),
            Command::Info(args) => args.run(console),
            Command::Verify(args) => args.run(console),
            Command::Remove(args) => args.run(console),
            Command::Export(args) => args.run(console),
            Command::Discover(args) => args.run(console),
            Command::Label(args) => args.run(console),
            Command::Detect(args) => args.run(console),
            Command::Check(args) => args.run(console),
            Command::Near(args) => args.run(console),
            Command::Phrases(args) => args.run(console),
            Command::Sources(args) => args.run(console),
            Command::Sites(args) => args.run(console),
            Command::Explain(args) => args.run(console),
            Command::Drop(args) => args.run(console),
            Command::Report(args) => args.run(console),
            Command::Fuzzy(args) => args.run(console),
            Command::Imatch(args) => args.run(console),
            Command::Lab(args) => args.run(console),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(console),
        }
    }
}

fn main() -> ExitCode {
    panics::set_hook();
    reprise_engine::raise_open_file_limit();
    // The converter starts this process for each PDF. It is not a command for people.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|name| name == pdf_text::NAME)
    {
        return pdf_text::run().unwrap_or_else(|error| failure::report(&error));
    }
    let parsed = help::command()
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return failure::report_usage(&error),
    };
    cli.console.show_log();
    let run = AssertUnwindSafe(|| cli.command.run(cli.console));
    match std::panic::catch_unwind(run) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failure::report(&error),
        Err(_) => panics::report(),
    }
}
