//! The section "Sites with common content".

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::html::parts::{and_more, empty, scroll_box};
use crate::html::text;
use crate::numbers::{choose, compact, count, counted};
use crate::results::{Detection, SitePair};

/// The most sites in the matrix; more would not fit a screen.
const SITES_MAX: usize = 20;

/// The most pairs, and the most rings, in their lists.
const PAIRS_MAX: usize = 30;

/// The number of shades of the matrix. The style sheet has a class for each.
const SHADES: f64 = 6.0;

/// The numbers of chunks and pages, by copier and source.
type Links<'a> = BTreeMap<(&'a str, &'a str), (u64, u64)>;

/// Two sites that have chunks of each other.
struct Ring<'a> {
    first: &'a str,
    second: &'a str,
    /// The number of chunks of the second site that the first one has.
    by_first: u64,
    /// The number of chunks of the first site that the second one has.
    by_second: u64,
}

/// Renders the body of the section.
pub(crate) fn site_pairs(detection: &Detection) -> Markup {
    if detection.sites.is_empty() {
        return empty(
            "No site shares chunks with another site: no label was found, or labels were found only on the sites that they \
             come from.",
        );
    }
    let links = links(&detection.sites);
    let rings = rings(&links);
    let listed = detection.sites.len() as u64;
    html! {
        p {
            "Each row is a site, and each column a site with which it shares chunks. The column's site is the one that \
             the labels name; this does not prove that it was first. A stronger colour means more chunks. Point at a cell to see the numbers. "
            @if !rings.is_empty() { "A frame marks two sites that have chunks of each other. " }
            @if detection.site_pairs > listed {
                "This section uses the " (count(listed)) " pairs with most chunks, of "
                (count(detection.site_pairs)) "."
            }
        }
        (scroll_box("Sites with common content", &matrix(&links)))
        (and_more(sites(&links).len() as u64, SITES_MAX, "site"))
        h3 { "Rings: sites with chunks of each other" }
        @if detection.rings == 0 {
            (empty("No two sites have chunks of each other."))
        } @else {
            (ring_list(&rings, detection.rings))
        }
        h3 { "The pairs with most chunks" }
        (pair_table(&links, detection.site_pairs))
    }
}

/// Returns the copier and the source of the pair with most chunks, and the number of chunks.
pub(crate) fn strongest(pairs: &[SitePair]) -> Option<(&str, &str, u64)> {
    let links = links(pairs);
    let ((copier, source), (chunks, _)) = *by_strength(&links).first()?;
    Some((copier, source, chunks))
}

fn links(pairs: &[SitePair]) -> Links<'_> {
    let mut links = Links::new();
    for pair in pairs {
        let link = links
            .entry((pair.copier.as_str(), pair.source.as_str()))
            .or_default();
        link.0 = link.0.saturating_add(pair.chunks);
        link.1 = link.1.saturating_add(pair.pages);
    }
    links
}

type Link<'a> = ((&'a str, &'a str), (u64, u64));

fn by_strength<'a>(links: &Links<'a>) -> Vec<Link<'a>> {
    let mut sorted: Vec<_> = links
        .iter()
        .map(|(&sites, &figures)| (sites, figures))
        .collect();
    sorted.sort_by_key(|&(sites, figures)| (Reverse(figures), sites));
    sorted
}

/// Returns all sites, those with most chunks as copier and source together first.
fn sites<'a>(links: &Links<'a>) -> Vec<&'a str> {
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for (&(copier, source), &(chunks, _)) in links {
        for site in BTreeSet::from([copier, source]) {
            let weight = weights.entry(site).or_default();
            *weight = weight.saturating_add(chunks);
        }
    }
    let mut sites: Vec<&str> = weights.keys().copied().collect();
    sites.sort_by_key(|&site| (Reverse(weights[site]), site));
    sites
}

fn rings<'a>(links: &Links<'a>) -> Vec<Ring<'a>> {
    let mut rings = Vec::new();
    for (&(first, second), &(by_first, _)) in links {
        if first < second
            && let Some(&(by_second, _)) = links.get(&(second, first))
        {
            rings.push(Ring {
                first,
                second,
                by_first,
                by_second,
            });
        }
    }
    // Large numbers on both sides are stronger evidence than a large number on one side.
    rings.sort_by_key(|ring| Reverse(ring.by_first.min(ring.by_second)));
    rings
}

fn matrix(links: &Links<'_>) -> Markup {
    let sites = sites(links);
    let sites = &sites[..sites.len().min(SITES_MAX)];
    let most = links.values().map(|&(chunks, _)| chunks).max().unwrap_or(0);
    html! {
        table.matrix {
            thead {
                tr {
                    th scope="col" { "has chunks \u{2193} \u{a0} of \u{2192}" }
                    @for (index, site) in sites.iter().enumerate() {
                        th.number scope="col" title=(text::line(site)) { (index + 1) }
                    }
                }
            }
            tbody {
                @for (index, copier) in sites.iter().enumerate() {
                    tr {
                        th scope="row" { span.index { (index + 1) } bdi.site { (text::excerpt(copier, 32)) } }
                        @for source in sites { (cell(links, copier, source, most)) }
                    }
                }
            }
        }
    }
}

fn cell(links: &Links<'_>, copier: &str, source: &str, most: u64) -> Markup {
    let Some(&(chunks, pages)) = links.get(&(copier, source)) else {
        return html! { td.self[copier == source] {} };
    };
    let is_ring = copier != source && links.contains_key(&(source, copier));
    let title = format!(
        "{} has {} of {}, on {}",
        text::line(copier),
        counted(chunks, "chunk"),
        text::line(source),
        counted(pages, "page"),
    );
    html! {
        td.{"heat-" (shade(chunks, most))}.ring[is_ring] title=(title) { (compact(chunks)) }
    }
}

/// Returns a shade from 1 to [`SHADES`]. The scale is logarithmic; otherwise most pairs would be pale beside
/// the strongest one.
fn shade(chunks: u64, most: u64) -> u64 {
    let strength = (chunks.max(1) as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    (strength * SHADES).ceil().clamp(1.0, SHADES) as u64
}

/// Renders those of `number` rings that are known.
fn ring_list(rings: &[Ring<'_>], number: u64) -> Markup {
    let shown = rings.len().min(PAIRS_MAX);
    html! {
        p {
            (counted(number, "pair")) " of sites " (choose(number, "has", "have")) " chunks of each other. \
             Both sites may have the same owner, or both may have copied from a third site. "
            @if rings.is_empty() {
                "None of these " (counted(number, "pair"))
                " is among the pairs in this report."
            }
        }
        ul.rings {
            @for ring in rings.iter().take(shown) {
                li {
                    bdi { (text::line(ring.first)) } span.arrow { " \u{21c4} " } bdi { (text::line(ring.second)) }
                    span.facts {
                        "The first has " (counted(ring.by_first, "chunk")) " of the second, the second has "
                        (count(ring.by_second)) " of the first."
                    }
                }
            }
        }
        (and_more(number, shown, "ring"))
    }
}

/// Renders the strongest of `number` pairs.
fn pair_table(links: &Links<'_>, number: u64) -> Markup {
    let shown = links.len().min(PAIRS_MAX);
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Site" }
                    th scope="col" { "shares chunks with" }
                    th.number scope="col" { "Chunks" }
                    th.number scope="col" { "Pages" }
                }
            }
            tbody {
                @for ((copier, source), (chunks, pages)) in by_strength(links).into_iter().take(shown) {
                    tr {
                        td { (text::url(copier)) }
                        td {
                            (text::url(source))
                            @if copier != source && links.contains_key(&(source, copier)) { " " span.badge { "ring" } }
                        }
                        td.number { (count(chunks)) }
                        td.number { (count(pages)) }
                    }
                }
            }
        }
    };
    html! {
        (scroll_box("The pairs with most chunks", &table))
        (and_more(number, shown, "pair"))
    }
}

#[cfg(test)]
mod tests {
    use super::{links, rings, shade, sites, strongest};
    use crate::results::SitePair;

    fn pair(copier: &str, source: &str, chunks: u64) -> SitePair {
        SitePair {
            copier: copier.to_owned(),
            source: source.to_owned(),
            chunks,
            pages: 1,
        }
    }

    #[test]
    fn pairs_are_added_up_and_sorted() {
        let pairs = [
            pair("a", "b", 5),
            pair("b", "a", 2),
            pair("c", "a", 4),
            pair("c", "a", 4),
            pair("d", "d", 1),
        ];
        assert_eq!(rings(&links(&pairs)).len(), 1);
        assert_eq!(strongest(&pairs), Some(("c", "a", 8)));
        assert_eq!(sites(&links(&pairs)), ["a", "c", "b", "d"]);
        assert_eq!(strongest(&[]), None);
    }

    #[test]
    fn shades_cover_the_whole_scale() {
        assert_eq!(shade(0, 0), 6);
        assert_eq!(shade(1, 1_000_000), 1);
        assert_eq!(shade(1_000_000, 1_000_000), 6);
        assert_eq!(shade(u64::MAX, 1), 6);
    }
}
