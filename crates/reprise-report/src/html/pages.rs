//! The section "Which pages".

use maud::{Markup, html};

use crate::data::{PageResult, PageResults};
use crate::html::histogram::{Words, histogram_plot};
use crate::html::numbers::{choose, count, counted, ratio};
use crate::html::parts::{bar, empty, scroll_box};
use crate::html::text;

/// The body of the section.
pub(crate) fn pages(results: &PageResults) -> Markup {
    if results.total == 0 {
        return empty("There is no page in the corpus.");
    }
    let words = Words {
        noun: "page",
        value: "contains",
    };
    html! {
        p { (introduction(results)) }
        h3 { "How much of a page is copied" }
        @if results.histogram.iter().any(|&number| number > 0) {
            (histogram_plot(&results.histogram, results.threshold, &words))
        } @else {
            (empty("No page has a chunk that counts, so there is nothing to plot."))
        }
        h3 { "The pages with the largest part copied" }
        @if results.top.is_empty() {
            (empty("None: no page has a chunk that is a label."))
        } @else {
            (scroll_box("Pages with the largest part copied", &table(results)))
            p.hint {
                "The source is the page that has most in common with this one. Which is older was told from the dates \
                 of fetching: the page fetched first need not be the one written first."
            }
        }
    }
}

fn introduction(results: &PageResults) -> String {
    let left_out = match results.total.saturating_sub(results.counted) {
        0 => String::new(),
        pages => format!(
            " {} {} no chunk that counts and {} in no mean.",
            counted(pages, "page"),
            choose(pages, "has", "have"),
            choose(pages, "is", "are"),
        ),
    };
    format!(
        "Contains is the share of a page's chunks that are labels. Over {} the mean is {} and the standard deviation {}; \
         the threshold is {}. {} {} above it.{left_out}",
        counted(results.counted, "page"),
        ratio(results.mean),
        ratio(results.stddev),
        ratio(results.threshold),
        count(results.targets),
        choose(results.targets, "lies", "lie"),
    )
}

fn table(results: &PageResults) -> Markup {
    html! {
        table.pages {
            thead {
                tr {
                    th scope="col" { "Contains" }
                    th scope="col" { "Page" }
                    th.number scope="col" { "Chunks" }
                    th scope="col" { "Source" }
                    th scope="col" { "Older" }
                }
            }
            tbody {
                @for page in &results.top { (row(page, page.contains > results.threshold)) }
            }
        }
    }
}

fn row(page: &PageResult, is_target: bool) -> Markup {
    html! {
        tr {
            td.badness.hot[is_target] { (bar(page.contains, is_target)) (ratio(page.contains)) }
            td {
                (text::url(&page.url))
                (fetched(page.fetched.as_deref()))
            }
            td.number { (count(page.matched)) " of " (count(page.chunks)) }
            td {
                @if let Some(site) = &page.source_site { strong { bdi { (text::line(site)) } } br; }
                @if let Some(url) = &page.source_url { (text::url(url)) }
                @if page.source_url.is_none() && page.source_site.is_none() { span.dim { "unknown" } }
                (fetched(page.source_fetched.as_deref()))
            }
            td { (older(page.older.as_deref())) }
        }
    }
}

fn fetched(date: Option<&str>) -> Markup {
    html! {
        @if let Some(date) = date { div.dim { "fetched " (text::line(date)) } }
    }
}

fn older(older: Option<&str>) -> Markup {
    match older {
        Some("source") => html! { span.badge { "source" } },
        // Worth a look: then the one called the source may be the copy.
        Some("copy") => html! { span.badge.hot { "this page" } },
        _ => html! { span.dim { "unknown" } },
    }
}
