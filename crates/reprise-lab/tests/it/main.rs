//! Tests against digests of another implementation.
#![allow(clippy::print_stdout, reason = "a skipped test prints the reason")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod vectors;
