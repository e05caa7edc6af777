//! Sites that are stitched together from pages of other sites.

use maud::{Markup, html};

use crate::html::axis::within_shingles;
use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{choose, count, counted, percent};
use crate::results::{PageSources, PhraseFindings, SitePhrases};

/// The number of sites that are unfolded, and therefore printed.
const OPEN: usize = 3;

/// The most sites.
const SITES_MAX: usize = 50;

/// The most sources in each table.
const SOURCES_MAX: usize = 20;

/// Renders a card for each site, or says why no site is shown.
pub(crate) fn stitched_sites(findings: &PhraseFindings) -> Markup {
    let number = findings.stitched().count() as u64;
    if number == 0 {
        return empty(
            "No stitched site was found: no site has many pages that all consist of phrases from other sites.",
        );
    }
    html! {
        p.hint {
            "All pages of a stitched site have many popular shingles, and most of these shingles are also on other sites. \
             There can be good reasons: quotations, listings, reports with a small vocabulary. Look at the sources before \
             you judge."
        }
        @for (index, site) in findings.stitched().take(SITES_MAX).enumerate() {
            (card(site, index < OPEN))
        }
        (and_more(number, SITES_MAX, "stitched site"))
    }
}

fn card(site: &SitePhrases, is_open: bool) -> Markup {
    html! {
        details.card.stitched open[is_open] {
            summary {
                span.badge { "stitched" } " "
                bdi.excerpt { (text::site(&site.site)) }
                span.facts {
                    (counted(site.pages, "page")) " \u{b7} "
                    (format!("{:.1}", within_shingles(site.mean))) " of 84 shingles popular, \u{b1} "
                    (format!("{:.1}", within_shingles(site.stddev)))
                    @if let Some(foreign) = site.foreign { " \u{b7} " (percent(foreign)) " on other sites" }
                }
            }
            p.label { "Sites that have most of these shingles" }
            @if site.sources.is_empty() {
                p.dim { "No source is known." }
            } @else {
                (scroll_box("Sites that have most of these shingles", &source_sites(site)))
                (and_more(site.sources.len() as u64, SOURCES_MAX, "site"))
            }
            @if let Some(example) = &site.example { (page_sources(example)) }
        }
    }
}

fn source_sites(site: &SitePhrases) -> Markup {
    let shingles = site.sources.iter().map(|source| source.shingles);
    let most = shingles.max().unwrap_or(0).max(1);
    html! {
        table.sources {
            thead {
                tr {
                    th scope="col" { "Site" }
                    th scope="col" { "Shingles" }
                }
            }
            tbody {
                @for source in site.sources.iter().take(SOURCES_MAX) {
                    tr {
                        td { (text::url(&text::site(&source.site))) }
                        td.badness {
                            (bar(source.shingles as f64 / most as f64, source.site != site.site))
                            (count(source.shingles))
                        }
                    }
                }
            }
        }
    }
}

/// Renders a page with the pages that its popular shingles can come from.
fn page_sources(page: &PageSources) -> Markup {
    let number = page.sources.len() as u64;
    let foreign = page
        .sources
        .iter()
        .filter(|source| source.is_foreign)
        .count() as u64;
    html! {
        p.label { "One of its pages and the sources of this page" }
        p { (text::url(&page.url)) }
        @if page.sources.is_empty() {
            p.dim { "No source is known." }
        } @else {
            p {
                (counted(number, "other page")) " together " (choose(number, "has", "have")) " "
                (count(page.covered.into())) " of the " (counted(page.popular.into(), "popular shingle"))
                " of this page. " (count(foreign)) " of these sources " (choose(foreign, "is", "are"))
                " on other sites. The table shows how many shingles each source adds to those above it."
            }
            (scroll_box("Sources of this page", &source_pages(page)))
            (and_more(number, SOURCES_MAX, "source"))
        }
    }
}

fn source_pages(page: &PageSources) -> Markup {
    let popular = f64::from(page.popular.max(1));
    html! {
        table.sources {
            thead {
                tr {
                    th scope="col" { "Source" }
                    th scope="col" { "Shingles added" }
                }
            }
            tbody {
                @for source in page.sources.iter().take(SOURCES_MAX) {
                    tr {
                        td {
                            (text::url(&source.url))
                            @if !source.is_foreign { " " span.badge { "same site or server" } }
                        }
                        td.badness {
                            (bar(f64::from(source.shingles) / popular, source.is_foreign))
                            (count(source.shingles.into()))
                        }
                    }
                }
            }
        }
    }
}
