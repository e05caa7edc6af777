//! The crate against slow and obvious twins, against hostile input, against the formulas of the
//! paper, and on real mail.
#![allow(
    clippy::print_stdout,
    reason = "a test shows its table, or says in one line why it was skipped"
)]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod attacks;
mod attacks_on_mail;
mod contexts;
mod experiment;
mod files;
mod fragmentation;
mod inputs;
mod mail;
mod mails;
mod oracle;
#[path = "../../../../tests/shared_data.rs"]
mod shared_data;
mod signatures;
mod training;

use reprise_imatch::{Class, Statistics, TermRules, Terms};

/// What most tests use.
const RULES: TermRules = TermRules {
    remove_invisible: true,
    fold_look_alikes: true,
    drop_numbers: true,
    chars_min: 1,
    chars_max: 40,
};

/// The words of a text, as they are.
fn words(text: &str) -> Terms {
    Terms::of_words(text.split(' '))
}

/// Statistics of documents without labels.
fn statistics<'a>(documents: impl IntoIterator<Item = &'a Terms>) -> Statistics {
    let mut statistics = Statistics::new(RULES);
    for document in documents {
        statistics.add(document, None);
    }
    statistics
}

/// Statistics of documents with labels.
fn labelled<'a>(documents: impl IntoIterator<Item = (&'a Terms, Class)>) -> Statistics {
    let mut statistics = Statistics::new(RULES);
    for (document, class) in documents {
        statistics.add(document, Some(class));
    }
    statistics
}
