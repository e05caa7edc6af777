//! Tests of the whole crate, on real and generated archives.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and prints its measurements or why it was skipped"
)]

mod archives;
mod damaged;
#[cfg(unix)]
mod inputs;
mod mail;
mod reading;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;

use std::path::Path;

/// Returns the root of the project.
fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
