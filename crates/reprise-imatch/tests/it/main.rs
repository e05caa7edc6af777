//! Compares the crate with slow implementations and with the formulas of the paper, and tests it on
//! hostile input and on real mail.
#![allow(
    clippy::print_stdout,
    reason = "a test prints its table, or one line if it is skipped"
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

/// The rules that most tests use.
const RULES: TermRules = TermRules {
    remove_invisible: true,
    fold_look_alikes: true,
    drop_numbers: true,
    chars_min: 1,
    chars_max: 40,
};

/// Returns the words of a text, split at spaces.
fn words(text: &str) -> Terms {
    Terms::of_words(text.split(' '))
}

/// Counts documents of unknown class.
fn statistics<'a>(documents: impl IntoIterator<Item = &'a Terms>) -> Statistics {
    let mut statistics = Statistics::new(RULES);
    for document in documents {
        statistics.add(document, None);
    }
    statistics
}

/// Counts documents of known classes.
fn classified<'a>(documents: impl IntoIterator<Item = (&'a Terms, Class)>) -> Statistics {
    let mut statistics = Statistics::new(RULES);
    for (document, class) in documents {
        statistics.add(document, Some(class));
    }
    statistics
}
