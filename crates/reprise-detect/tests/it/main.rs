//! Discovery and detection against a slow, obvious computation on random corpora.
#![allow(clippy::unwrap_used, reason = "in a test, a panic is the report")]

mod naive;
mod random;
