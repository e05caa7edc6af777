//! A block for each site that is stitched together from others' pages.

use maud::{Markup, html};

use crate::data::{Monster, MonsterExample, PhraseFindings};
use crate::html::axis::within_shingles;
use crate::html::numbers::{count, counted, percent};
use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;

/// So many of them are open at first, and so on paper.
const OPEN: usize = 3;

/// Most blocks, and most donors in each list.
const MONSTERS_MAX: usize = 50;
const DONORS_MAX: usize = 20;

/// The blocks, or why there is none.
pub(crate) fn monsters(findings: &PhraseFindings) -> Markup {
    let monsters = &findings.monsters;
    if monsters.is_empty() {
        return empty(
            "No site is a monster: none has many pages that all consist of phrases from other sites.",
        );
    }
    html! {
        p.hint {
            "The pages of a monster all have many popular shingles, and most of these are on other sites. That can have \
             good reasons: quotations, listings, reports made from few words. Look at the donors before you judge."
        }
        @for (index, monster) in monsters.iter().take(MONSTERS_MAX).enumerate() {
            (block(monster, index < OPEN))
        }
        (and_more(monsters.len().saturating_sub(MONSTERS_MAX), "monster"))
    }
}

fn block(monster: &Monster, is_open: bool) -> Markup {
    html! {
        details.card.monster open[is_open] {
            summary {
                span.badge { "monster" } " "
                bdi.excerpt { (text::site(&monster.site)) }
                span.facts {
                    (counted(monster.pages, "page")) " \u{b7} "
                    (format!("{:.1}", within_shingles(monster.mean))) " of 84 shingles popular, \u{b1} "
                    (format!("{:.1}", within_shingles(monster.stddev))) " \u{b7} "
                    (percent(monster.foreign)) " from other sites"
                }
            }
            p.label { "Sites that gave most to the pages looked at" }
            @if monster.donors.is_empty() {
                p.dim { "No donor is known." }
            } @else {
                (scroll_box("Sites that gave most", &donors(monster)))
                (and_more(monster.donors.len().saturating_sub(DONORS_MAX), "site"))
            }
            @if let Some(example) = &monster.example { (cover(example)) }
        }
    }
}

fn donors(monster: &Monster) -> Markup {
    let most = monster
        .donors
        .iter()
        .map(|&(_, shingles)| shingles)
        .max()
        .unwrap_or(0)
        .max(1);
    html! {
        table.donors {
            thead {
                tr {
                    th scope="col" { "Site" }
                    th scope="col" { "Shingles given" }
                }
            }
            tbody {
                @for (site, shingles) in monster.donors.iter().take(DONORS_MAX) {
                    tr {
                        td { (text::url(&text::site(site))) }
                        td.badness { (bar(*shingles as f64 / most as f64, site != &monster.site)) (count(*shingles)) }
                    }
                }
            }
        }
    }
}

/// One page, and the pages that it can be put together from.
fn cover(example: &MonsterExample) -> Markup {
    let donors = &example.donors;
    let foreign = donors
        .iter()
        .filter(|(_, _, is_foreign)| *is_foreign)
        .count() as u64;
    html! {
        p.label { "One of its pages, and where its parts are from" }
        p { (text::url(&example.url)) }
        @if donors.is_empty() {
            p.dim { "No donor is known." }
        } @else {
            p {
                "All " (counted(example.popular.into(), "popular shingle")) " of this page can be had from "
                (counted(donors.len() as u64, "other page")) ", " (count(foreign))
                " of them on other sites. Beside each stands what it adds to those above it."
            }
            (scroll_box("Donors of this page", &cover_table(example)))
            (and_more(donors.len().saturating_sub(DONORS_MAX), "donor"))
        }
    }
}

fn cover_table(example: &MonsterExample) -> Markup {
    let popular = f64::from(example.popular.max(1));
    html! {
        table.donors {
            thead {
                tr {
                    th scope="col" { "Donor" }
                    th scope="col" { "Shingles given" }
                }
            }
            tbody {
                @for (url, shingles, is_foreign) in example.donors.iter().take(DONORS_MAX) {
                    tr {
                        td {
                            (text::url(url))
                            @if !is_foreign { " " span.badge { "its own site" } }
                        }
                        td.badness { (bar(f64::from(*shingles) / popular, *is_foreign)) (count((*shingles).into())) }
                    }
                }
            }
        }
    }
}
