//! Compares the crate with slow implementations, with recorded digests, and with the program ssdeep.
#![allow(
    clippy::print_stdout,
    reason = "a test prints one line if it is skipped"
)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod digests;
mod inputs;
mod lines;
mod matching;
mod oracle;
mod program;
mod scores;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod vectors;
