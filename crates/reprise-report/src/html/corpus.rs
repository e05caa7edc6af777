//! The facts about the corpus below the tiles, and the section "What was skipped".

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::html::parts::{and_more, empty, scroll_box};
use crate::html::text;
use crate::numbers::{bytes, choose, count, counted};
use crate::results::{CorpusInfo, DamagedFile, ProblemExample, Problems};

/// The most rows of a table.
const ROWS_MAX: usize = 100;

/// Renders the settings and sizes with which the corpus can be made again.
pub(crate) fn facts(corpus: &CorpusInfo) -> Markup {
    html! {
        dl.corpus {
            div { dt { "corpus" } dd { bdi.url { (text::line(&corpus.path)) } } }
            div { dt { "read" } dd { (bytes(corpus.bytes_in)) " of files, " (bytes(corpus.bytes_body)) " of pages" } }
            div { dt { "stored in" } dd { (counted(corpus.segments, "segment")) } }
            div { dt { "fingerprints" } dd { (text::line(&corpus.hash)) " of the chunk\u{2019}s " (text::line(&corpus.chunk)) } }
        }
    }
}

/// Returns true if a record was skipped or damaged, or a file of the corpus is damaged.
pub(crate) fn has_problems(corpus: &CorpusInfo) -> bool {
    let Problems {
        skipped, damaged, ..
    } = &corpus.problems;
    total(skipped) > 0 || total(damaged) > 0 || !corpus.damage.is_empty()
}

/// Renders the body of the section.
pub(crate) fn skipped(corpus: &CorpusInfo) -> Markup {
    if !has_problems(corpus) {
        return empty(
            "Nothing was skipped: the corpus has every record of the files that were read.",
        );
    }
    let Problems {
        skipped,
        damaged,
        examples,
    } = &corpus.problems;
    let examples: BTreeMap<&str, &ProblemExample> = examples
        .iter()
        .map(|example| (example.kind.as_str(), example))
        .collect();
    html! {
        @let without_text = skipped.get("not_text").copied().unwrap_or(0);
        @let left_out = total(skipped).saturating_sub(without_text);
        @if total(skipped) > 0 {
            p {
                @if left_out > 0 {
                    (counted(left_out, "record")) " " (choose(left_out, "was", "were"))
                    " skipped. This report says nothing about " (choose(left_out, "it", "them")) ". "
                }
                @if without_text > 0 {
                    (counted(without_text, "file")) " without text " (choose(without_text, "is", "are"))
                    " in the corpus, but only compared as a whole."
                }
            }
            (records("Skipped records", skipped, &examples))
        }
        @if total(damaged) > 0 {
            @let total = total(damaged);
            p {
                (counted(total, "record")) " " (choose(total, "is", "are"))
                " damaged. The corpus has the part that could be read."
            }
            (records("Damaged records", damaged, &examples))
        }
        @if !corpus.damage.is_empty() { (files(&corpus.damage)) }
    }
}

fn total(kinds: &BTreeMap<String, u64>) -> u64 {
    kinds
        .values()
        .fold(0, |total, &count| total.saturating_add(count))
}

fn records(
    name: &str,
    kinds: &BTreeMap<String, u64>,
    examples: &BTreeMap<&str, &ProblemExample>,
) -> Markup {
    // Some kinds are listed in every result, also without a record.
    let kinds: Vec<(&String, u64)> = (kinds.iter())
        .map(|(kind, &number)| (kind, number))
        .filter(|(_, number)| *number > 0)
        .collect();
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Kind" }
                    th scope="col" { "Meaning" }
                    th.number scope="col" { "Records" }
                    th scope="col" { "Example" }
                }
            }
            tbody {
                @for &(kind, number) in kinds.iter().take(ROWS_MAX) {
                    (record(kind, number, examples.get(kind.as_str()).copied()))
                }
            }
        }
    };
    html! {
        (scroll_box(name, &table))
        (and_more(kinds.len() as u64, ROWS_MAX, "kind"))
    }
}

fn record(kind: &str, number: u64, example: Option<&ProblemExample>) -> Markup {
    html! {
        tr {
            td { code { (text::line(kind)) } }
            td { @if let Some(example) = example { (text::line(&example.meaning)) } }
            td.number { (count(number)) }
            td {
                @if let Some(example) = example {
                    @match &example.url {
                        Some(url) => { (text::url(url)) }
                        None => { (text::url(&example.source)) " at byte " (count(example.offset)) }
                    }
                    @if !example.detail.is_empty() { br; bdi.dim { (text::line(&example.detail)) } }
                }
            }
        }
    }
}

fn files(damage: &[DamagedFile]) -> Markup {
    let number = damage.len() as u64;
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "File of the corpus" }
                    th scope="col" { "Damage" }
                }
            }
            tbody {
                @for file in damage.iter().take(ROWS_MAX) {
                    tr {
                        td { (text::url(&file.path)) }
                        td { bdi { (text::line(&file.detail)) } }
                    }
                }
            }
        }
    };
    html! {
        p {
            (counted(number, "file")) " of the corpus " (choose(number, "is", "are"))
            " damaged, so figures in this report may be too low."
        }
        (scroll_box("Damaged files", &table))
        (and_more(number, ROWS_MAX, "file"))
    }
}
