//! From an error to one sentence and an exit code.

use std::io;
use std::process::ExitCode;

use reprise_engine::ingest::InputError;
use reprise_engine::store::StoreError;

use crate::damage::remedy_of;
use crate::human;

/// A mistake in how the command was called.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Failed on the way.
pub(crate) const FAILED: u8 = 1;
/// Wrong usage or unreadable input.
pub(crate) const USAGE: u8 = 2;

/// Says what went wrong, in one sentence, and chooses the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // Whoever read our output has had enough: that is success.
        return ExitCode::SUCCESS;
    }
    say!("reprise: {}", sentence(error));
    ExitCode::from(code(error))
}

/// An error with its causes, and what to do about it where the corpus is damaged.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = error.chain().map(ToString::to_string).collect();
    parts.extend(
        error
            .chain()
            .find_map(|cause| remedy_of(cause.downcast_ref()?)),
    );
    human::one_line(&parts.join(": "))
}

fn code(error: &anyhow::Error) -> u8 {
    let is_usage = error.downcast_ref::<Usage>().is_some()
        || error
            .downcast_ref::<InputError>()
            .is_some_and(|error| !matches!(error, InputError::Spool { .. }))
        || error
            .downcast_ref::<StoreError>()
            .is_some_and(StoreError::is_usage);
    if is_usage { USAGE } else { FAILED }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
