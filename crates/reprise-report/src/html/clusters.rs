//! The largest clusters of near-copies, each to be unfolded.

use maud::{Markup, html};

use crate::data::{NearCluster, NearCopies};
use crate::html::numbers::{counted, percent, ratio};
use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;

/// So many of the clusters are open at first, and so on paper.
const OPEN: usize = 2;

/// Most pages that are listed in a cluster.
const PAGES_MAX: usize = 20;

/// Cards, or why there is none.
pub(crate) fn clusters(near: &NearCopies) -> Markup {
    if near.clusters == 0 {
        return empty(&format!(
            "None: no page shares {} of its phrases with another.",
            percent(near.similarity)
        ));
    }
    if near.top.is_empty() {
        return empty(&format!(
            "None were chosen to be shown, of {}.",
            counted(near.clusters, "cluster")
        ));
    }
    html! {
        p.hint {
            "Each cluster goes by the page that stands for it; all others were compared with that page. Similarity: of \
             the phrases that either page has, the part that both have. Containment: of the phrases that the page has, \
             the part that the other has too. It is near 1 where a page is a mere part of the other."
        }
        @for (index, cluster) in near.top.iter().enumerate() { (card(cluster, index < OPEN)) }
        (and_more(near.clusters.saturating_sub(near.top.len() as u64) as usize, "cluster"))
    }
}

fn card(cluster: &NearCluster, is_open: bool) -> Markup {
    let shown = cluster.examples.len().min(PAGES_MAX) as u64;
    // The one that stands for the cluster is in the heading.
    let hidden = cluster.pages.saturating_sub(1).saturating_sub(shown);
    html! {
        details.card open[is_open] {
            summary {
                (text::url(&cluster.representative))
                span.facts {
                    (counted(cluster.pages, "page")) " \u{b7} "
                    (counted(cluster.sites, "site")) " \u{b7} similarity "
                    (ratio(cluster.similarity_mean)) " in the mean, "
                    (ratio(cluster.similarity_min)) " at least"
                }
            }
            @if cluster.examples.is_empty() {
                p.dim { "None of its other pages were chosen to be shown." }
            } @else {
                (scroll_box("Pages of this cluster", &table(cluster)))
                (and_more(hidden as usize, "page"))
            }
        }
    }
}

fn table(cluster: &NearCluster) -> Markup {
    html! {
        table.near {
            thead {
                tr {
                    th scope="col" { "Similarity" }
                    th scope="col" { "Containment" }
                    th scope="col" { "Page" }
                }
            }
            tbody {
                @for page in cluster.examples.iter().take(PAGES_MAX) {
                    tr {
                        td.badness.hot { (bar(page.similarity, true)) (ratio(page.similarity)) }
                        td.badness { (bar(page.containment, false)) (ratio(page.containment)) }
                        td { (text::url(&page.url)) }
                    }
                }
            }
        }
    }
}
