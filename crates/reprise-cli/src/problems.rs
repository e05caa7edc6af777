//! Skipped and damaged records, and damaged files, as lines of text.

use std::fmt::Write as _;

use reprise_engine::results::{DamagedFile, Problems};

use crate::human;

/// Returns one line for each kind of problem, with its first example.
pub(crate) fn lines(problems: &Problems) -> String {
    let mut text = String::new();
    for (title, counts) in [
        ("skipped", &problems.skipped),
        ("damaged, but kept", &problems.damaged),
    ] {
        let examples = problems.examples.iter();
        let kinds: Vec<_> = examples
            .filter(|example| counts.contains_key(&example.kind))
            .collect();
        if kinds.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}:");
        for example in kinds {
            let url = human::shortened(example.url.as_deref().unwrap_or(""));
            let separator = if url.is_empty() || example.detail.is_empty() {
                ""
            } else {
                ": "
            };
            let file = example.source.rsplit('/').next().unwrap_or(&example.source);
            let line = format!(
                "{:>9}  {}{}, for example {url}{separator}{} ({file}, offset {})",
                human::count(example.count),
                example.meaning,
                flag(&example.kind),
                example.detail,
                human::count(example.offset),
            );
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
    }
    text
}

/// Returns the flag that changes the limit behind a kind of problem.
fn flag(kind: &str) -> &'static str {
    match kind {
        "header_too_large" => " (--max-header)",
        "too_large" => " (--max-body, with --memory 32 times as large)",
        "bomb" => " (--max-ratio)",
        "nesting" => " (--max-nesting)",
        _ => "",
    }
}

/// Returns one line about a damaged file.
pub(crate) fn damage_line(damage: &DamagedFile) -> String {
    human::one_line(&format!("{}: {}", damage.path, damage.detail))
}
