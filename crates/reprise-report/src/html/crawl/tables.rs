//! Tables of a crawl: programs, suspected traps, URLs that were not requested, problems.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{count, share};
use crate::results::{CrawlGenerator, CrawlProblem, CrawlSummary, CrawlSuspect};

/// The most rows of a table.
const ROWS_MAX: usize = 30;

/// Renders the programs that made the pages.
pub(crate) fn generators(crawl: &CrawlSummary) -> Markup {
    let mut rows: Vec<&CrawlGenerator> = crawl.generators.iter().collect();
    if rows.is_empty() {
        return empty("No page was examined for the program that made it.");
    }
    rows.sort_by_key(|row| Reverse(row.pages));
    html! {
        p.hint {
            "Many content management systems write their name into their pages. All pages without such a name are in one row."
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
                @if row.generator.is_empty() { span.dim { "(no name)" } } @else {
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

/// Renders the URL patterns that seem to be endless and without new content.
pub(crate) fn suspects(crawl: &CrawlSummary) -> Markup {
    if crawl.suspects.is_empty() {
        return empty("No URL pattern had many pages and hardly any new content.");
    }
    html! {
        p.hint {
            "URLs of these patterns led to more URLs of the same pattern and to hardly any new content. They were fetched \
             after all other URLs."
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

/// Renders the numbers of URLs that were never requested, by reason.
pub(crate) fn refused(crawl: &CrawlSummary) -> Markup {
    let rows = [
        (
            crawl.refused.robots,
            "robots.txt",
            "The robots.txt of the host forbids them, or could not be fetched.",
        ),
        (
            crawl.refused.scope,
            "scope",
            "They are outside the scope of the crawl. Links to them were counted but not followed.",
        ),
        (
            crawl.refused.address,
            "private address",
            "Their host has only private addresses, which were not allowed.",
        ),
        (
            crawl.traps,
            "trap",
            "The URL itself is a crawler trap, for example because its path repeats itself.",
        ),
    ];
    if rows.iter().all(|row| row.0 == 0) {
        return empty("Every URL that was found was allowed.");
    }
    html! {
        (scroll_box("URLs that were not requested", &html! {
            table.refused {
                thead {
                    tr {
                        th scope="col" { "Reason" }
                        th.number scope="col" { "URLs" }
                        th scope="col" { "Meaning" }
                    }
                }
                tbody {
                    @for (number, reason, meaning) in rows.iter().filter(|row| row.0 > 0) {
                        tr {
                            td { span.excerpt { (reason) } }
                            td.number { (count(*number)) }
                            td { (meaning) }
                        }
                    }
                }
            }
        }))
    }
}

/// Renders the problems, by kind.
pub(crate) fn problems(crawl: &CrawlSummary) -> Markup {
    if crawl.problems.is_empty() {
        return empty("There were no problems.");
    }
    html! {
        (scroll_box("Problems", &html! {
            table.problems {
                thead {
                    tr {
                        th scope="col" { "Kind" }
                        th.number scope="col" { "Number" }
                        th scope="col" { "First example" }
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
