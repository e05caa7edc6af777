//! The `reprise` command: parse, run, say what went wrong, exit.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the surface: stdout is data, stderr is conversation"
)]

#[macro_use]
mod say;

mod cmd;
mod crawl_progress;
mod crawl_summary;
mod damage;
mod exit;
mod export;
mod human;
mod input_name;
mod open_files;
mod output_file;
mod progress;
mod size;
mod tally;

use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::{Parser, Subcommand};

/// Finds copied content in web-size piles of pages: what was copied, where, how much, by whom, with
/// the evidence.
#[derive(Parser)]
#[command(name = "reprise", version, max_term_width = 100)]
#[command(
    after_help = "Start with `reprise demo`. Exit code: 0 done, 1 failed on the way, 2 wrong usage or unreadable input; check: 3 a copy was found."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Scan(cmd::scan::Args),
    Demo(cmd::demo::Args),
    Index(cmd::index::Args),
    Info(cmd::info::Args),
    Verify(cmd::verify::Args),
    Export(cmd::export::Args),
    Discover(cmd::discover::Args),
    Label(cmd::label::Args),
    Detect(cmd::detect::Args),
    Check(cmd::check::Args),
    Explain(cmd::explain::Args),
    Near(cmd::near::Args),
    Phrases(cmd::phrases::Args),
    Cover(cmd::cover::Args),
    Sites(cmd::sites::Args),
    Report(cmd::report::Args),
    Remove(cmd::remove::Args),
    Drop(cmd::drop::Args),
    Crawl(cmd::crawl::Args),
    Fuzzy(cmd::fuzzy::Args),
    Imatch(cmd::imatch::Args),
    Lab(cmd::lab::Args),
    #[command(hide = true)]
    PdfText(cmd::converting::Args),
}

fn main() -> ExitCode {
    tame_panics();
    open_files::raise_limit();
    let cli = Cli::parse();
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| run(&cli.command)));
    match result {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => exit::report(&error),
        Err(_) => {
            let panic = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
            say!(
                "reprise: {}: a damaged file (`reprise verify` tells), or else a mistake of ours that we want to know of",
                human::one_line(&panic)
            );
            ExitCode::from(exit::FAILED)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Scan(args) => cmd::scan::run(args),
        Command::Demo(args) => cmd::demo::run(args),
        Command::Index(args) => cmd::index::run(args),
        Command::Info(args) => cmd::info::run(args),
        Command::Verify(args) => cmd::verify::run(args),
        Command::Export(args) => cmd::export::run(args),
        Command::Discover(args) => cmd::discover::run(args),
        Command::Label(args) => cmd::label::run(args),
        Command::Detect(args) => cmd::detect::run(args),
        Command::Check(args) => cmd::check::run(args),
        Command::Explain(args) => cmd::explain::run(args),
        Command::Near(args) => cmd::near::run(args),
        Command::Phrases(args) => cmd::phrases::run(args),
        Command::Cover(args) => cmd::cover::run(args),
        Command::Sites(args) => cmd::sites::run(args),
        Command::Report(args) => cmd::report::run(args),
        Command::Remove(args) => cmd::remove::run(args),
        Command::Drop(args) => cmd::drop::run(args),
        Command::Crawl(args) => cmd::crawl::run(args),
        Command::Fuzzy(args) => cmd::fuzzy::run(args),
        Command::Imatch(args) => cmd::imatch::run(args),
        Command::Lab(args) => cmd::lab::run(args),
        Command::PdfText(args) => cmd::converting::run(args),
    }
}

/// What the last panic said, and where.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// A panic says nothing by itself, unless `RUST_BACKTRACE=full` asks for it: damaged files make the Parquet library panic,
/// which is caught where files are read and told as damage; any other is told by `main`, in one sentence.
/// `print!` panics when nobody reads standard output any more, as after `| head`, which is no fault at all.
fn tame_panics() {
    let tell = std::panic::take_hook();
    let is_asked_for = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full");
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if let Some(why) = message.strip_prefix("failed printing to stdout: ") {
            if why.starts_with("Broken pipe") {
                std::process::exit(0);
            }
            let _ = writeln!(
                std::io::stderr(),
                "reprise: cannot write to standard output: {why}"
            );
            std::process::exit(1);
        }
        if is_asked_for {
            tell(panic);
        }
        let place = panic.location().map(ToString::to_string);
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) =
            format!("{message} ({})", place.unwrap_or_default());
    }));
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn flags_do_not_contradict_each_other() {
        super::Cli::command().debug_assert();
    }
}
