//! What was skipped or damaged, for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use reprise_engine::ingest::{ProblemKind, Tally};
use serde::Serialize;

use crate::human;

/// One example of a kind of problem.
#[derive(Serialize)]
pub(crate) struct JsonExample {
    kind: &'static str,
    count: u64,
    source: String,
    offset: u64,
    url: Option<String>,
    detail: String,
}

/// Counts of what was skipped, of what was kept though damaged, and an example of each.
#[derive(Serialize)]
pub(crate) struct JsonTally {
    skipped: BTreeMap<&'static str, u64>,
    damaged: BTreeMap<&'static str, u64>,
    examples: Vec<JsonExample>,
}

impl JsonTally {
    pub(crate) fn of(tally: &Tally) -> JsonTally {
        let counts = |is_damage: bool| {
            // The kinds that the contract names are always there.
            let always = [
                ProblemKind::Trap,
                ProblemKind::NotText,
                ProblemKind::Malformed,
            ];
            let named = always.into_iter().map(|kind| (kind, 0));
            named
                .chain(tally.iter().map(|(kind, count, _)| (kind, count)))
                .filter(|(kind, _)| kind.is_damage() == is_damage)
                .map(|(kind, count)| (kind.as_str(), count))
                .collect()
        };
        JsonTally {
            skipped: counts(false),
            damaged: counts(true),
            examples: tally
                .iter()
                .map(|(kind, count, example)| JsonExample {
                    kind: kind.as_str(),
                    count,
                    source: example.source.clone(),
                    offset: example.problem.offset,
                    url: example.problem.url.clone(),
                    detail: example.problem.detail.clone(),
                })
                .collect(),
        }
    }
}

/// What a kind means, in a few words.
pub(crate) fn meaning(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Trap => "crawler traps",
        ProblemKind::NotText => "files without text (file fingerprint only)",
        ProblemKind::RevisitIdentical => "revisits with the same payload",
        ProblemKind::RevisitNotModified => "revisits not modified",
        ProblemKind::RevisitOther => "other revisits",
        ProblemKind::Dns => "name look-ups",
        ProblemKind::NoUrl => "records without a URL",
        ProblemKind::Malformed => "malformed records",
        ProblemKind::BadRow => "rows that are no pages",
        ProblemKind::HeaderTooLarge => "headers over --max-header, which can be raised",
        ProblemKind::TooLarge => {
            "bodies over --max-body, which can be raised (with --memory 32 times as large)"
        }
        ProblemKind::Bomb => "bodies over --max-ratio",
        ProblemKind::Nesting => "bodies over --max-nesting",
        ProblemKind::Unreadable => "unreadable files",
        ProblemKind::Truncated => "records that break off",
        ProblemKind::BadLength => "records with a wrong length",
        ProblemKind::BadHeader => "HTTP headers without an end",
        ProblemKind::BadChunking => "broken chunked transfers",
        ProblemKind::BadEncoding => "broken content encodings",
    }
}

/// The tally as lines of text, one kind a line, with its first example.
pub(crate) fn lines(tally: &Tally) -> String {
    let mut text = String::new();
    for (title, is_damage) in [("skipped", false), ("damaged, but kept", true)] {
        let kinds: Vec<_> = tally
            .iter()
            .filter(|(kind, _, _)| kind.is_damage() == is_damage)
            .collect();
        if kinds.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}:");
        for (kind, count, example) in kinds {
            let problem = &example.problem;
            let what = human::shortened(problem.url.as_deref().unwrap_or(""));
            let separator = if what.is_empty() || problem.detail.is_empty() {
                ""
            } else {
                ": "
            };
            let file = example.source.rsplit('/').next().unwrap_or(&example.source);
            let line = format!(
                "{:>9}  {}, e.g. {what}{separator}{} ({file}, offset {})",
                human::count(count),
                meaning(kind),
                problem.detail,
                human::count(problem.offset),
            );
            let _ = writeln!(text, "{}", human::one_line(&line));
        }
    }
    text
}
