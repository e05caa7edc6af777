//! Standard output for results, standard error for messages and progress.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::human::one_line;
use crate::output::is_standard;
use crate::progress::Bar;

/// How a command speaks: the flags that every command has.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct Console {
    /// Print the result as JSON: one object, or one object per line
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print only the result, without messages and progress
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Print each step with its running time; twice for details
    #[arg(
        long,
        short,
        global = true,
        help_heading = "Output",
        conflicts_with = "quiet",
        action = clap::ArgAction::Count
    )]
    pub(crate) verbose: u8,
}

impl Console {
    /// Starts a progress bar. It appears on a terminal after one second.
    pub(crate) fn bar(self) -> Bar {
        Bar::new(!self.quiet, self.verbose > 0)
    }

    /// Prints a message on one line.
    pub(crate) fn say(self, message: impl Display) {
        if !self.quiet {
            complain(&one_line(&message.to_string()));
        }
    }

    /// Prints a text of several lines as a message.
    pub(crate) fn say_lines(self, text: &str) {
        if !self.quiet {
            let _ = io::stderr().write_all(text.as_bytes());
        }
    }

    /// Prints a result: as JSON, or as text. The text becomes a message if `output`, a file that was
    /// written, is standard output.
    pub(crate) fn print(
        self,
        result: &impl Serialize,
        output: Option<&Path>,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        if self.json {
            return print_json(result);
        }
        let text = text();
        if output.is_some_and(is_standard) {
            self.say_lines(&text);
            return Ok(());
        }
        io::stdout().write_all(text.as_bytes())?;
        Ok(())
    }

    /// Shows the messages of the libraries: warnings, and with `-v` more.
    pub(crate) fn show_log(self) {
        let level = match (self.quiet, self.verbose) {
            (true, _) => log::LevelFilter::Error,
            (_, 0) => log::LevelFilter::Warn,
            (_, 1) => log::LevelFilter::Info,
            _ => log::LevelFilter::Debug,
        };
        if log::set_logger(&Log).is_ok() {
            log::set_max_level(level);
        }
    }
}

/// Prints one line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(())
}

/// Prints an error. It is printed even if the command is quiet, and cannot fail itself.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Returns true if standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Prints the messages of the libraries.
struct Log;

impl log::Log for Log {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // Other libraries speak of things that users of Reprise cannot know.
        metadata.target().starts_with("reprise")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            complain(&one_line(&format!("reprise: {}", record.args())));
        }
    }

    fn flush(&self) {}
}
