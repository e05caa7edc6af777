//! Tests of the way from archives to a corpus.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and says what it measured or why it was skipped"
)]

mod continued;
mod corpus;
mod damage;
mod lost;
mod old;
mod oracle;
mod threads;
mod told;
