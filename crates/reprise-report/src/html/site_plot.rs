//! Sites by how many popular shingles their pages have: dots with error bars, as in the paper.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::data::{PhraseFindings, SitePoint};
use crate::html::axis::{Decades, Linear, within_shingles};
use crate::html::dot_names::{Label, place};
use crate::html::numbers::counted;
use crate::html::parts::{and_more, caption, empty};
use crate::html::per_document::MANY;
use crate::html::plot::{WIDTH, decade_label, plot, px, x_at, x_tick, y_at, y_tick};
use crate::html::text;

/// Most sites that are drawn: the monsters, and those with most pages.
const SITES_MAX: usize = 500;

/// Letters of a name beside its dot.
const NAME_CHARS: usize = 22;

/// The plot, or why there is none.
pub(crate) fn sites(findings: &PhraseFindings) -> Markup {
    let mut sites: Vec<&SitePoint> = findings.sites.iter().collect();
    if sites.is_empty() {
        return empty(&format!(
            "No site with ten pages or more has {MANY} popular shingles a page in the mean."
        ));
    }
    sites.sort_by_key(|site| Reverse((site.is_monster, site.pages)));
    let hidden = sites.len().saturating_sub(SITES_MAX);
    sites.truncate(SITES_MAX);
    html! {
        figure {
            (drawing(&sites))
            (caption(
                &[("hot", "monsters"), ("", "other sites")],
                &format!(
                    "Each dot is a site with ten pages or more and at least {MANY} popular shingles a page: its mean (to \
                     the right) and how many pages it has (upwards, on a logarithmic scale). The line through a dot \
                     reaches one standard deviation to either side. Look for dots far up and to the right with short \
                     lines: many pages, all of them made of popular shingles. A site with a template looks like that \
                     too; in a monster, most of the shingles are from other sites. Monsters are named \
                     where there is room, and all of them below."
                ),
            ))
        }
        (and_more(hidden, "site"))
    }
}

fn drawing(sites: &[&SitePoint]) -> Markup {
    let reach = |site: &SitePoint| within_shingles(site.mean) - within_shingles(site.stddev);
    let least = sites
        .iter()
        .map(|site| reach(site))
        .fold(f64::from(MANY), f64::min);
    let fewest = sites.iter().map(|site| site.pages).min().unwrap_or(1);
    let most = sites.iter().map(|site| site.pages).max().unwrap_or(1);
    let (x, y) = (Linear::shingles(least), Decades::new(fewest, most));
    let at = |site: &SitePoint| (x_at(x.at(site.mean)), y_at(y.at(site.pages)));
    let dots = html! {
        @for (decade, position) in y.ticks() { (y_tick(position, &decade_label(decade))) }
        @for tick in x.ticks() { (x_tick(x.at(tick as f64), &tick.to_string())) }
        // The monsters come first; they are drawn last, on top of the others.
        @for site in sites.iter().rev() { (dot(site, at(site), &x)) }
        @for (label, name) in names(sites, at) {
            text.name.end[label.is_end] x=(px(label.x)) y=(px(label.y)) { (name) }
        }
    };
    plot(
        "Popular shingles a page, and pages, of sites",
        "popular shingles a page in the mean, of 84 \u{2192}",
        "\u{2191} pages of the site",
        &dots,
    )
}

fn dot(site: &SitePoint, (dot_x, dot_y): (f64, f64), x: &Linear) -> Markup {
    let (mean, stddev) = (within_shingles(site.mean), within_shingles(site.stddev));
    let (from, to) = (x_at(x.at(mean - stddev)), x_at(x.at(mean + stddev)));
    let y = px(dot_y);
    html! {
        g.site.monster[site.is_monster] {
            line.error x1=(px(from)) x2=(px(to)) y1=(y) y2=(y) {}
            @for end in [from, to] {
                line.error x1=(px(end)) x2=(px(end)) y1=(px(dot_y - 3.0)) y2=(px(dot_y + 3.0)) {}
            }
            circle.dot.hot[site.is_monster] cx=(px(dot_x)) cy=(y) r="3.5" {}
            title { (title(site)) }
        }
    }
}

/// Monsters with a place for their name.
fn names(sites: &[&SitePoint], at: impl Fn(&SitePoint) -> (f64, f64)) -> Vec<(Label, String)> {
    let monsters: Vec<&SitePoint> = sites
        .iter()
        .filter(|site| site.is_monster)
        .copied()
        .collect();
    let names: Vec<String> = monsters
        .iter()
        .map(|site| text::excerpt(&text::site(&site.site), NAME_CHARS))
        .collect();
    let mut dots = Vec::new();
    for (site, name) in monsters.iter().zip(&names) {
        let (x, y) = at(site);
        dots.push((x, y, name.as_str()));
    }
    let within = (x_at(0.0), 20.0, WIDTH, y_at(0.0));
    let other: Vec<(f64, f64)> = (sites.iter())
        .filter(|site| !site.is_monster)
        .map(|site| at(site))
        .collect();
    let labels = place(&dots, &other, within);
    (labels.into_iter().zip(names))
        .filter_map(|(label, name)| Some((label?, name)))
        .collect()
}

fn title(site: &SitePoint) -> String {
    format!(
        "{}: {}, {:.1} popular shingles a page in the mean, standard deviation {:.1}{}",
        text::site(&site.site),
        counted(site.pages, "page"),
        within_shingles(site.mean),
        within_shingles(site.stddev),
        if site.is_monster { "; a monster" } else { "" },
    )
}
