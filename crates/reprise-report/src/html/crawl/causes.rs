//! The causes of duplicates, and some of the duplicates.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{count, counted, share};
use crate::results::{CrawlCause, CrawlDuplicate, CrawlSummary, DuplicateKind};

/// The most causes.
const CAUSES_MAX: usize = 40;

/// The most duplicates that are shown.
const EXAMPLES_MAX: usize = 60;

/// Renders the tables, or says why they are missing.
pub(crate) fn causes(crawl: &CrawlSummary) -> Markup {
    let mut rows: Vec<&CrawlCause> = crawl.causes.iter().filter(|row| total(row) > 0).collect();
    if rows.is_empty() {
        return empty("No page is a duplicate of another.");
    }
    rows.sort_by_key(|row| Reverse(total(row)));
    let absent: Vec<String> = (crawl.causes.iter().filter(|row| total(row) == 0))
        .map(|row| name(&row.cause))
        .take(CAUSES_MAX)
        .collect();
    html! {
        p.hint {
            "The cause follows from the URLs and formats of a page and of the earlier page that it duplicates. Each page \
             counts once, under the first cause that applies."
        }
        (scroll_box("Duplicates by cause", &table(&rows)))
        (and_more(rows.len() as u64, CAUSES_MAX, "cause"))
        @if !absent.is_empty() {
            p.more { "No duplicates have these causes: " (absent.join(", ")) "." }
        }
        @if !crawl.duplicates.is_empty() { (examples(crawl)) }
    }
}

fn total(row: &CrawlCause) -> u64 {
    row.exact.saturating_add(row.near)
}

fn table(rows: &[&CrawlCause]) -> Markup {
    let all = rows
        .iter()
        .fold(0, |all: u64, row| all.saturating_add(total(row)));
    html! {
        table.causes {
            thead {
                tr {
                    th scope="col" { "Cause" }
                    th.number scope="col" { "Exact" }
                    th.number scope="col" { "Near" }
                    th scope="col" { "Of all duplicates" }
                    th scope="col" { "Meaning" }
                }
            }
            tbody {
                @for row in rows.iter().take(CAUSES_MAX) {
                    tr {
                        td { span.excerpt { (name(&row.cause)) } }
                        td.number { (count(row.exact)) }
                        td.number { (count(row.near)) }
                        td.badness { (bar(total(row) as f64 / all.max(1) as f64, true)) (share(total(row), all)) }
                        td { (meaning(&row.cause)) }
                    }
                }
            }
        }
    }
}

fn examples(crawl: &CrawlSummary) -> Markup {
    let shown = crawl.duplicates.iter().take(EXAMPLES_MAX);
    let number = shown.len() as u64;
    html! {
        details.card {
            summary {
                span.excerpt { "Some of the duplicates" }
                span.facts {
                    (counted(number, "page")) " and the earlier pages with the same or nearly the same text"
                }
            }
            (scroll_box("Some of the duplicates", &html! {
                table.near {
                    thead {
                        tr {
                            th scope="col" { "Cause" }
                            th scope="col" { "Similarity" }
                            th scope="col" { "The page and the earlier one" }
                        }
                    }
                    tbody { @for example in shown { (example_row(example)) } }
                }
            }))
        }
    }
}

fn example_row(example: &CrawlDuplicate) -> Markup {
    html! {
        tr {
            td { (name(&example.cause)) }
            td.badness {
                @if example.kind == DuplicateKind::Near { (example.score.min(100).to_string()) " of 100" } @else { "exact" }
            }
            td {
                (text::url(&example.url)) br;
                span.arrow { "= " } (text::url(&example.of))
            }
        }
    }
}

/// Returns a cause in a few words. An unknown cause keeps its name.
fn name(cause: &str) -> String {
    known(cause).map_or_else(|| text::excerpt(cause, 40), |(name, _)| name.to_owned())
}

/// Returns the meaning of a cause, which is empty for an unknown one.
fn meaning(cause: &str) -> &'static str {
    known(cause).map_or("", |(_, meaning)| meaning)
}

fn known(cause: &str) -> Option<(&'static str, &'static str)> {
    Some(match cause {
        "redirect" => (
            "redirect",
            "The page was reached by a redirect from another URL.",
        ),
        "scheme" => ("http and https", "The same URL with http and with https."),
        "host" => (
            "names of the host",
            "The same path on another name of the host, for example with and without www.",
        ),
        "slash" => (
            "slash at the end",
            "The same URL with and without a slash at the end, or with the name of the index file.",
        ),
        "spelling" => (
            "spelling",
            "URLs that differ in capital letters, escaped characters or empty directories.",
        ),
        "parameter_order" => (
            "order of parameters",
            "The same parameters in another order.",
        ),
        "session" => ("session", "A value in the URL that identifies the visit."),
        "tracking" => (
            "tracking",
            "Parameters that say where the visitor came from.",
        ),
        "parameter" => (
            "parameter without effect",
            "A parameter that does not change the content on this host.",
        ),
        "print" => (
            "view for printing",
            "The same page once more, for printing.",
        ),
        "format" => (
            "other format",
            "The same document in two formats, for example HTML and PDF.",
        ),
        "calendar" => (
            "calendar",
            "Pages of a calendar, one for each day or month and mostly empty.",
        ),
        "listing" => (
            "listing",
            "An archive, tag, feed, search or numbered page that repeats the content of other pages.",
        ),
        "canonical" => (
            "canonical link",
            "The page names the other page as its canonical version.",
        ),
        "other" => ("other", "No other cause applies."),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{meaning, name};

    #[test]
    fn causes_have_names_and_meanings() {
        assert_eq!(name("parameter_order"), "order of parameters");
        assert_eq!(name("redirect"), "redirect");
        assert!(meaning("print").contains("printing"));
        assert_eq!(name("moon\u{202e}"), "moon⟨U+202E⟩");
        assert_eq!(meaning("moon"), "");
    }
}
