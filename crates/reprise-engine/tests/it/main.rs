//! Tests of the engine through its public interface.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and prints what it measured or why it was skipped"
)]

mod cancel;
mod continued;
mod damage;
mod examples;
mod minimal;
mod misuse_corpus;
mod misuse_inputs;
mod misuse_options;
mod older_versions;
mod oracle;
mod progress;
mod small;
mod stages;
mod support;
mod threads;
mod unreadable;
