//! Runs the program as a user does.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and says what it measured or why it was skipped"
)]

mod contract;
mod errors;
mod kill;
mod limits;
mod program;
