//! The largest clusters of near-copies.

use maud::{Markup, html};

use crate::html::near::condition;
use crate::html::parts::{and_more, bar, empty, scroll_box};
use crate::html::text;
use crate::numbers::{counted, percent};
use crate::results::{NearCluster, NearCopies, NearMethod};

/// The number of clusters that are unfolded, and therefore printed.
const OPEN: usize = 2;

/// The most pages in the table of a cluster.
const PAGES_MAX: usize = 20;

/// Renders a card for each cluster, or says why no cluster is shown.
pub(crate) fn clusters(near: &NearCopies) -> Markup {
    if near.clusters == 0 {
        return empty(&format!(
            "No cluster was found. Two pages are near-copies if {}.",
            condition(near)
        ));
    }
    if near.top.is_empty() {
        return empty(&format!(
            "This report lists none of the {}.",
            counted(near.clusters, "cluster")
        ));
    }
    html! {
        p.hint { (hint(near.method)) }
        @for (index, cluster) in near.top.iter().enumerate() { (card(cluster, index < OPEN)) }
        (and_more(near.clusters, near.top.len(), "cluster"))
    }
}

fn hint(method: NearMethod) -> String {
    let similarity = match method {
        NearMethod::Fuzzy => "Similarity is the score of the two fuzzy hashes, divided by 100.",
        NearMethod::Shingle | NearMethod::Imatch | NearMethod::Exact => {
            "Similarity is the number of phrases that both pages have, divided by the number that at least one has."
        }
    };
    format!(
        "The heading of each cluster is its representative, the page that the other pages were compared with. \
         {similarity} Containment is the share of a page's phrases that the representative also has. It is close to 1 \
         if the page is a part of the representative."
    )
}

fn card(cluster: &NearCluster, is_open: bool) -> Markup {
    // The heading shows the representative.
    let shown = cluster.examples.len().min(PAGES_MAX) + 1;
    html! {
        details.card open[is_open] {
            summary {
                (text::url(&cluster.representative))
                span.facts {
                    (counted(cluster.pages, "page")) " \u{b7} "
                    (counted(cluster.sites, "site")) " \u{b7} mean similarity "
                    (percent(cluster.similarity_mean)) ", lowest "
                    (percent(cluster.similarity_min))
                }
            }
            @if cluster.examples.is_empty() {
                p.dim { "This report does not list its other pages." }
            } @else {
                (scroll_box("Pages of this cluster", &table(cluster)))
                (and_more(cluster.pages, shown, "page"))
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
                        td.badness.hot { (bar(page.similarity, true)) (percent(page.similarity)) }
                        td.badness { (bar(page.containment, false)) (percent(page.containment)) }
                        td { (text::url(&page.url)) }
                    }
                }
            }
        }
    }
}
