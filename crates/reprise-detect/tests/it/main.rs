//! Compares discovery and detection with a naive computation on random corpora.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod naive;
mod random;
