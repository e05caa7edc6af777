//! The section "Which pages".

use maud::{Markup, html};

use crate::html::histogram::{Words, histogram_plot};
use crate::html::parts::{bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{choose, count, counted, ratio};
use crate::results::{Older, PageShare, PageShares, Timestamp};

/// Renders the body of the section.
pub(crate) fn pages(shares: &PageShares) -> Markup {
    if shares.total == 0 {
        return empty("There is no page in the corpus.");
    }
    let words = Words {
        noun: "page",
        value: "contains",
    };
    html! {
        p { (introduction(shares)) }
        h3 { "How much of a page is copied" }
        @if shares.histogram.iter().any(|&number| number > 0) {
            (histogram_plot(&shares.histogram, shares.threshold, &words))
        } @else {
            (empty("No page has a chunk that counts, so there is nothing to plot."))
        }
        h3 { "The pages with the largest part copied" }
        @if shares.top.is_empty() {
            (empty("None: no page has a chunk that is a label."))
        } @else {
            (scroll_box("Pages with the largest part copied", &table(shares)))
            p.hint {
                "The source is the page that has most in common with this one. Which is older was told from the dates \
                 of fetching: the page fetched first need not be the one written first."
            }
        }
    }
}

fn introduction(shares: &PageShares) -> String {
    let own = match shares.own {
        0 => String::new(),
        pages => format!(
            " {} {} on a site that labels come from and {} left out.",
            counted(pages, "page"),
            choose(pages, "is", "are"),
            choose(pages, "was", "were"),
        ),
    };
    let left_out = match shares
        .total
        .saturating_sub(shares.counted)
        .saturating_sub(shares.own)
    {
        0 => String::new(),
        pages => format!(
            " {} {} too few chunks to count.",
            counted(pages, "page"),
            choose(pages, "has", "have"),
        ),
    };
    format!(
        "Contains is the share of a page's chunks that are labels. Over {} the mean is {} and the standard deviation {}; \
         the threshold is {}. {} {} above it.{own}{left_out}",
        counted(shares.counted, "page"),
        ratio(shares.mean),
        ratio(shares.stddev),
        ratio(shares.threshold),
        count(shares.targets),
        choose(shares.targets, "lies", "lie"),
    )
}

fn table(shares: &PageShares) -> Markup {
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
            tbody { @for page in &shares.top { (row(page, shares.threshold)) } }
        }
    }
}

fn row(page: &PageShare, threshold: f64) -> Markup {
    let is_target = page.contains.is_some_and(|contains| contains > threshold);
    html! {
        tr {
            td.badness.hot[is_target] {
                @match page.contains {
                    Some(contains) => { (bar(contains, is_target)) (ratio(contains)) }
                    None => span.dim { "too few chunks" }
                }
            }
            td {
                (text::url(&page.url))
                (fetched(page.fetched))
            }
            td.number { (count(page.matched)) " of " (count(page.chunks)) }
            td {
                @if let Some(site) = &page.source_site { strong { bdi { (text::line(site)) } } br; }
                @if let Some(url) = &page.source_url { (text::url(url)) }
                @if page.source_url.is_none() && page.source_site.is_none() { span.dim { "unknown" } }
                (fetched(page.source_fetched))
            }
            td { (older(page.older)) }
        }
    }
}

fn fetched(time: Option<Timestamp>) -> Markup {
    html! {
        @if let Some(time) = time { div.dim { "fetched " (time) } }
    }
}

fn older(older: Option<Older>) -> Markup {
    match older {
        Some(Older::Source) => html! { span.badge { "source" } },
        // This stands out because the page called the source may be the copy.
        Some(Older::Copy) => html! { span.badge.hot { "this page" } },
        None => html! { span.dim { "unknown" } },
    }
}
