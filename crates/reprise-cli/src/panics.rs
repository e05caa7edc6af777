//! Panics become one sentence.

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::sync::{Mutex, PoisonError};

use crate::console::complain;
use crate::failure::FAILED;
use crate::human::one_line;

/// The message and place of the last panic.
static LAST: Mutex<String> = Mutex::new(String::new());

/// Keeps panics from printing anything, unless `RUST_BACKTRACE=full` is set.
///
/// The Parquet library panics on damaged files; the engine catches that and reports damage. `print!` panics
/// if standard output is closed, as by `| head`, which is not an error.
pub(crate) fn set_hook() {
    let print = std::panic::take_hook();
    let is_verbose = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full");
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if let Some(reason) = message.strip_prefix("failed printing to stdout: ") {
            if reason.starts_with("Broken pipe") {
                process::exit(0);
            }
            let _ = writeln!(
                io::stderr(),
                "reprise: cannot write to standard output: {reason}"
            );
            process::exit(1);
        }
        if is_verbose {
            print(panic);
        }
        let place = panic.location().map(ToString::to_string);
        let place = place.unwrap_or_default();
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = format!("{message} ({place})");
    }));
}

/// Prints the last panic.
pub(crate) fn report() -> ExitCode {
    let panic = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    complain(&format!(
        "reprise: {}: a file may be damaged (`reprise verify` checks a corpus); otherwise this is a bug, please report it",
        one_line(&panic)
    ));
    ExitCode::from(FAILED)
}
