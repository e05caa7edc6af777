//! The tables of a crawl: programs, suspected traps, what was not asked for, what went wrong.

use std::cmp::Reverse;

use maud::{Markup, html};

use super::addresses;
use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{count, share};
use crate::results::{CrawlGenerator, CrawlProblem, CrawlSummary, CrawlSuspect};

/// Most rows of a table.
const ROWS_MAX: usize = 30;

/// The programs that made the pages.
pub(crate) fn generators(crawl: &CrawlSummary) -> Markup {
    let mut rows: Vec<&CrawlGenerator> = crawl.generators.iter().collect();
    if rows.is_empty() {
        return empty("No page was looked at for the program that made it.");
    }
    rows.sort_by_key(|row| Reverse(row.pages));
    html! {
        p.hint {
            "Many content-management systems name themselves in their pages; the others stand together in one row."
        }
        (scroll_box("Duplicates by program", &html! {
            table.generators {
                thead {
                    tr {
                        th scope="col" { "Program" }
                        th.number scope="col" { "Pages" }
                        th.number scope="col" { "Unique" }
                        th.number scope="col" { "Exact" }
                        th.number scope="col" { "Near" }
                        th scope="col" { "Duplicates" }
                    }
                }
                tbody { @for row in rows.iter().take(ROWS_MAX) { (generator(row)) } }
            }
        }))
        (and_more(rows.len() as u64, ROWS_MAX, "program"))
    }
}

fn generator(row: &CrawlGenerator) -> Markup {
    let duplicates = row.exact.saturating_add(row.near);
    html! {
        tr {
            td {
                @if row.generator.is_empty() { span.dim { "(none named)" } } @else {
                    bdi.excerpt { (text::excerpt(&row.generator, 60)) }
                }
            }
            td.number { (count(row.pages)) }
            td.number { (count(row.unique)) }
            td.number { (count(row.exact)) }
            td.number { (count(row.near)) }
            td.badness { (bar(duplicates as f64 / row.pages.max(1) as f64, true)) (share(duplicates, row.pages)) }
        }
    }
}

/// Patterns that seem to have no end and nothing to say.
pub(crate) fn suspects(crawl: &CrawlSummary) -> Markup {
    if crawl.suspects.is_empty() {
        return empty("No pattern of addresses went on without anything new.");
    }
    html! {
        p.hint {
            "Addresses of these patterns kept leading to more of their own kind and to hardly anything new. They were put behind \
             all others."
        }
        (scroll_box("Suspected traps", &html! {
            table.suspects {
                thead {
                    tr {
                        th scope="col" { "Pattern" }
                        th.number scope="col" { "Fetched" }
                        th.number scope="col" { "New" }
                    }
                }
                tbody { @for row in crawl.suspects.iter().take(ROWS_MAX) { (suspect(row)) } }
            }
        }))
        (and_more(crawl.suspects.len() as u64, ROWS_MAX, "pattern"))
    }
}

fn suspect(row: &CrawlSuspect) -> Markup {
    html! {
        tr {
            td { (text::url(&row.pattern)) }
            td.number { (count(row.fetched)) }
            td.number { (count(row.new)) }
        }
    }
}

/// Addresses that were never asked for.
pub(crate) fn refused(crawl: &CrawlSummary) -> Markup {
    let rows = [
        (
            crawl.refused.robots,
            "robots.txt",
            "The host\u{2019}s robots.txt forbids them, or it could not be had.",
        ),
        (
            crawl.refused.scope,
            "scope",
            "They lie outside of what was to be crawled. Links to them were counted, not followed.",
        ),
        (
            crawl.refused.address,
            "private address",
            "Their host has a private address, which only --allow-private lets through.",
        ),
        (
            crawl.traps,
            "trap",
            "The address alone tells that it leads nowhere: a path that repeats itself, for example.",
        ),
    ];
    if rows.iter().all(|row| row.0 == 0) {
        return empty("Every address that was heard of could be asked for.");
    }
    html! {
        (scroll_box("What was not asked for", &html! {
            table.refused {
                thead {
                    tr {
                        th scope="col" { "Reason" }
                        th.number scope="col" { "Addresses" }
                        th scope="col" { "What it means" }
                    }
                }
                tbody {
                    @for (number, reason, meaning) in rows.iter().filter(|row| row.0 > 0) {
                        tr {
                            td { span.excerpt { (reason) } }
                            td.number title=(addresses(*number)) { (count(*number)) }
                            td { (meaning) }
                        }
                    }
                }
            }
        }))
    }
}

/// What went wrong, by kind.
pub(crate) fn problems(crawl: &CrawlSummary) -> Markup {
    if crawl.problems.is_empty() {
        return empty("Nothing went wrong.");
    }
    html! {
        (scroll_box("What went wrong", &html! {
            table.problems {
                thead {
                    tr {
                        th scope="col" { "Kind" }
                        th.number scope="col" { "Times" }
                        th scope="col" { "First at" }
                    }
                }
                tbody { @for row in crawl.problems.iter().take(ROWS_MAX) { (problem(row)) } }
            }
        }))
        (and_more(crawl.problems.len() as u64, ROWS_MAX, "kind"))
    }
}

fn problem(row: &CrawlProblem) -> Markup {
    html! {
        tr {
            td { code { (text::excerpt(&row.kind, 60)) } }
            td.number { (count(row.count)) }
            td {
                (text::url(&row.url))
                @if !row.detail.is_empty() { br; bdi.dim { (text::line(&row.detail)) } }
            }
        }
    }
}
