//! The crate against an independent tokenizer, on written, random and real pages.

mod cuts;
mod oracle;
mod pages;
mod random;
