//! The section "Pages with copied content".

use maud::{Markup, html};

use crate::html::histogram::{Words, histogram_plot};
use crate::html::parts::{bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{choose, count, counted, percent};
use crate::results::{Older, PageShare, PageShares, Timestamp};

/// Renders the body of the section.
pub(crate) fn pages(shares: &PageShares) -> Markup {
    if shares.total == 0 {
        return empty("The corpus has no pages.");
    }
    let words = Words {
        noun: "page",
        value: "share",
    };
    html! {
        p { (introduction(shares)) }
        h3 { "How much of each page is copied" }
        @if shares.histogram.iter().any(|&number| number > 0) {
            (histogram_plot(&shares.histogram, shares.threshold, &words))
        } @else {
            (empty("No page has enough chunks to count, so there is nothing to plot."))
        }
        h3 { "The pages with the highest share" }
        @if shares.top.is_empty() {
            (empty("No page has a copied chunk."))
        } @else {
            (scroll_box("The pages with the highest share", &table(shares)))
            p.hint {
                "The column \u{201c}Copied\u{201d} shows how many chunks of the page are copied. The source is a page on the \
                 other site that most of these chunks come from. The last column says which of the two pages was fetched \
                 first. That is not always the one that was written first."
            }
        }
    }
}

fn introduction(shares: &PageShares) -> String {
    let own = match shares.own {
        0 => String::new(),
        pages => format!(
            " {} {} on a site that labels come from and {} excluded.",
            counted(pages, "page"),
            choose(pages, "is", "are"),
            choose(pages, "was", "were"),
        ),
    };
    let few = match shares
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
        "The share of a page is the number of its copied chunks divided by the number of all its chunks. Over {}, the \
         mean is {} and the standard deviation {}. {} {} a share above the threshold of {}: the target pages.{own}{few}",
        counted(shares.counted, "page"),
        percent(shares.mean),
        percent(shares.stddev),
        counted(shares.targets, "page"),
        choose(shares.targets, "has", "have"),
        percent(shares.threshold),
    )
}

fn table(shares: &PageShares) -> Markup {
    html! {
        table.pages {
            thead {
                tr {
                    th scope="col" { "Share" }
                    th scope="col" { "Page" }
                    th.number scope="col" { "Copied" }
                    th scope="col" { "Source" }
                    th scope="col" { "Fetched first" }
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
                    Some(contains) => { (bar(contains, is_target)) (percent(contains)) }
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
        // The badge stands out because the page that is called the source may be the copy.
        Some(Older::Copy) => html! { span.badge.hot { "this page" } },
        None => html! { span.dim { "unknown" } },
    }
}
