//! The section "Who copies from whom".

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::data::SitePair;
use crate::html::numbers::{choose, compact, count, counted};
use crate::html::parts::{and_more, empty, scroll_box};
use crate::html::text;

/// Most sites in the matrix: more would not fit a screen.
const SITES_MAX: usize = 20;

/// Most pairs and rings that are listed.
const PAIRS_MAX: usize = 30;

/// Shades of the matrix; the style sheet has a class for each.
const SHADES: f64 = 6.0;

/// Chunks and pages by copier and source.
type Links<'a> = BTreeMap<(&'a str, &'a str), (u64, u64)>;

/// Two sites that copy from each other, and the chunks either way.
struct Ring<'a> {
    first: &'a str,
    second: &'a str,
    by_first: u64,
    by_second: u64,
}

/// The body of the section.
pub(crate) fn copying(pairs: &[SitePair]) -> Markup {
    if pairs.is_empty() {
        return empty(
            "No site was found to have chunks of another: either nothing was found at all, \
             or each label was found on its own site only.",
        );
    }
    let links = links(pairs);
    let rings = rings(&links);
    html! {
        p {
            "A row for each site that has chunks of another, a column for each site they are from. \
             The stronger the colour, the more chunks; point at a cell for the figures. "
            @if !rings.is_empty() { "Cells with a frame belong to sites that copy from each other." }
        }
        (scroll_box("Who copies from whom", &matrix(&links)))
        (and_more(sites(&links).len().saturating_sub(SITES_MAX), "site"))
        h3 { "Rings" }
        @if rings.is_empty() {
            (empty("No two sites copy from each other."))
        } @else {
            (ring_list(&rings))
        }
        h3 { "The strongest pairs" }
        (pair_table(&links))
    }
}

/// How many pairs of sites copy from each other.
pub(crate) fn ring_count(pairs: &[SitePair]) -> u64 {
    rings(&links(pairs)).len() as u64
}

/// The pair with the most chunks.
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

/// All sites, those with the most chunks in either role first.
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
    // A ring is as strong as its weaker half.
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
                    th scope="col" { "copies \u{2193} \u{a0} from \u{2192}" }
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

/// From 1 to the number of shades, logarithmic: the strongest pair would leave all others pale.
fn shade(chunks: u64, most: u64) -> u64 {
    let strength = (chunks.max(1) as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    (strength * SHADES).ceil().clamp(1.0, SHADES) as u64
}

fn ring_list(rings: &[Ring<'_>]) -> Markup {
    let number = rings.len() as u64;
    html! {
        p {
            (counted(number, "pair")) " of sites " (choose(number, "copies", "copy")) " from each other. "
            "Where neither is the source of the other, both may have the same hands behind them, or the same third source."
        }
        ul.rings {
            @for ring in rings.iter().take(PAIRS_MAX) {
                li {
                    bdi { (text::line(ring.first)) } span.arrow { " \u{21c4} " } bdi { (text::line(ring.second)) }
                    span.facts {
                        (counted(ring.by_first, "chunk")) " one way, " (count(ring.by_second)) " the other"
                    }
                }
            }
        }
        (and_more(rings.len().saturating_sub(PAIRS_MAX), "ring"))
    }
}

fn pair_table(links: &Links<'_>) -> Markup {
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Site" }
                    th scope="col" { "has chunks of" }
                    th.number scope="col" { "Chunks" }
                    th.number scope="col" { "Pages" }
                }
            }
            tbody {
                @for ((copier, source), (chunks, pages)) in by_strength(links).into_iter().take(PAIRS_MAX) {
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
        (scroll_box("The strongest pairs", &table))
        (and_more(links.len().saturating_sub(PAIRS_MAX), "pair"))
    }
}

#[cfg(test)]
mod tests {
    use super::{links, ring_count, shade, sites, strongest};
    use crate::data::SitePair;

    fn pair(copier: &str, source: &str, chunks: u64) -> SitePair {
        SitePair {
            copier: copier.to_owned(),
            source: source.to_owned(),
            chunks,
            pages: 1,
        }
    }

    #[test]
    fn rings_and_order() {
        let pairs = [
            pair("a", "b", 5),
            pair("b", "a", 2),
            pair("c", "a", 4),
            pair("c", "a", 4),
            pair("d", "d", 1),
        ];
        assert_eq!(ring_count(&pairs), 1);
        assert_eq!(strongest(&pairs), Some(("c", "a", 8)));
        assert_eq!(sites(&links(&pairs)), ["a", "c", "b", "d"]);
        assert_eq!(strongest(&[]), None);
    }

    #[test]
    fn shades_span_the_scale() {
        assert_eq!(shade(0, 0), 6);
        assert_eq!(shade(1, 1_000_000), 1);
        assert_eq!(shade(1_000_000, 1_000_000), 6);
        assert_eq!(shade(u64::MAX, 1), 6);
    }
}
