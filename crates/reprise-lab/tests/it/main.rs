//! The crate against recorded digests.
#![allow(
    clippy::print_stdout,
    reason = "a test says in one line why it was skipped"
)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod vectors;
