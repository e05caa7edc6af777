//! Sites by the number of popular shingles of their pages, drawn as dots with error bars as in the paper.

use std::cmp::Reverse;

use maud::{Markup, html};

use crate::html::axis::{Decades, Linear, within_shingles};
use crate::html::dot_names::{Label, place};
use crate::html::parts::{and_more, caption, empty};
use crate::html::per_document::MANY;
use crate::html::plot::{WIDTH, decade_label, plot, px, x_at, x_tick, y_at, y_tick};
use crate::html::text;
use crate::numbers::counted;
use crate::results::{PhraseFindings, SitePhrases};

/// The fewest pages of a site in the plot.
const PAGES_MIN: u64 = 10;

/// The most sites in the plot: stitched sites first, then those with most pages.
const SITES_MAX: usize = 500;

/// The most characters of a name beside its dot.
const NAME_CHARS: usize = 22;

/// Renders the plot, or says why it is missing.
pub(crate) fn sites(findings: &PhraseFindings) -> Markup {
    let mut sites: Vec<&SitePhrases> = findings
        .sites
        .iter()
        .filter(|site| is_drawn(site))
        .collect();
    if sites.is_empty() {
        return empty(&format!(
            "No site with {PAGES_MIN} pages or more has a mean of {MANY} or more popular shingles per page."
        ));
    }
    sites.sort_by_key(|site| Reverse((site.is_stitched, site.pages)));
    let all = sites.len() as u64;
    sites.truncate(SITES_MAX);
    html! {
        figure {
            (drawing(&sites))
            (caption(
                &[("hot", "stitched sites"), ("", "other sites")],
                &format!(
                    "Each dot is a site with {PAGES_MIN} pages or more and a mean of {MANY} or more popular shingles per \
                     page. The horizontal axis shows this mean, the vertical axis the number of pages on a logarithmic \
                     scale. The line through a dot shows one standard deviation to each side. Look for dots in the upper \
                     right corner with short lines: sites with many pages that all consist of popular shingles. A site \
                     that uses a template looks the same, but most shingles of a stitched site are also on other sites. \
                     Names of stitched sites are shown if there is room; the list below has all of them."
                ),
            ))
        }
        (and_more(all, SITES_MAX, "site"))
    }
}

fn is_drawn(site: &SitePhrases) -> bool {
    site.pages >= PAGES_MIN && site.mean >= f64::from(MANY)
}

fn drawing(sites: &[&SitePhrases]) -> Markup {
    let reach = |site: &SitePhrases| within_shingles(site.mean) - within_shingles(site.stddev);
    let least = sites
        .iter()
        .map(|site| reach(site))
        .fold(f64::from(MANY), f64::min);
    let fewest = sites.iter().map(|site| site.pages).min().unwrap_or(1);
    let most = sites.iter().map(|site| site.pages).max().unwrap_or(1);
    let (x, y) = (Linear::shingles(least), Decades::new(fewest, most));
    let at = |site: &SitePhrases| (x_at(x.at(site.mean)), y_at(y.at(site.pages)));
    let dots = html! {
        @for (decade, position) in y.ticks() { (y_tick(position, &decade_label(decade))) }
        @for tick in x.ticks() { (x_tick(x.at(tick as f64), &tick.to_string())) }
        // Stitched sites are first in the list and are drawn last, on top of the others.
        @for site in sites.iter().rev() { (dot(site, at(site), &x)) }
        @for (label, name) in names(sites, at) {
            text.name.end[label.is_end] x=(px(label.x)) y=(px(label.y)) { (name) }
        }
    };
    plot(
        "Sites by their mean number of popular shingles per page and their number of pages",
        "mean number of popular shingles per page, of 84 \u{2192}",
        "\u{2191} pages of the site",
        &dots,
    )
}

fn dot(site: &SitePhrases, (dot_x, dot_y): (f64, f64), x: &Linear) -> Markup {
    let (mean, stddev) = (within_shingles(site.mean), within_shingles(site.stddev));
    let (from, to) = (x_at(x.at(mean - stddev)), x_at(x.at(mean + stddev)));
    let y = px(dot_y);
    html! {
        g.site.stitched[site.is_stitched] {
            line.error x1=(px(from)) x2=(px(to)) y1=(y) y2=(y) {}
            @for end in [from, to] {
                line.error x1=(px(end)) x2=(px(end)) y1=(px(dot_y - 3.0)) y2=(px(dot_y + 3.0)) {}
            }
            circle.dot.hot[site.is_stitched] cx=(px(dot_x)) cy=(y) r="3.5" {}
            title { (title(site)) }
        }
    }
}

/// Returns the names of stitched sites for which there is room, with their positions.
fn names(sites: &[&SitePhrases], at: impl Fn(&SitePhrases) -> (f64, f64)) -> Vec<(Label, String)> {
    let (stitched, other): (Vec<&SitePhrases>, Vec<&SitePhrases>) =
        sites.iter().partition(|site| site.is_stitched);
    let names: Vec<String> = stitched
        .iter()
        .map(|site| text::excerpt(&text::site(&site.site), NAME_CHARS))
        .collect();
    let mut dots = Vec::new();
    for (site, name) in stitched.iter().zip(&names) {
        let (x, y) = at(site);
        dots.push((x, y, name.as_str()));
    }
    let within = (x_at(0.0), 20.0, WIDTH, y_at(0.0));
    let other: Vec<(f64, f64)> = other.into_iter().map(at).collect();
    let labels = place(&dots, &other, within);
    (labels.into_iter().zip(names))
        .filter_map(|(label, name)| Some((label?, name)))
        .collect()
}

fn title(site: &SitePhrases) -> String {
    format!(
        "{}: {}, mean {:.1} popular shingles per page, standard deviation {:.1}{}",
        text::site(&site.site),
        counted(site.pages, "page"),
        within_shingles(site.mean),
        within_shingles(site.stddev),
        if site.is_stitched {
            "; a stitched site"
        } else {
            ""
        },
    )
}
