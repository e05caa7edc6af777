//! The crate against slow and obvious twins, against recorded digests, and against the program it
//! is to agree with.
#![allow(
    clippy::print_stdout,
    reason = "a test says in one line why it was skipped"
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
