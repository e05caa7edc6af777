//! Tests on real URLs.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and prints its measurements or why it was skipped"
)]

#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod traps;

use std::path::Path;

/// Returns the root directory of the project.
fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
