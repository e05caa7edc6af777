//! Tests of the engine through its public interface.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and prints what it measured or why it was skipped"
)]

mod continued;
mod damage;
mod misuse_corpus;
mod misuse_inputs;
mod misuse_options;
mod older_versions;
mod oracle;
mod progress;
mod small;
mod support;
mod threads;
mod unreadable;
