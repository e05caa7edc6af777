//! Compares the crate with an independent tokenizer, on written, random and real pages.
#![allow(clippy::print_stdout, reason = "a skipped test prints the reason")]

mod cuts;
mod oracle;
mod pages;
mod random;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod token_oracle;
mod tokens;
