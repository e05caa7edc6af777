//! The section "Near-copies".

use maud::{Markup, html};

use crate::data::NearCopies;
use crate::html::clusters::clusters;
use crate::html::numbers::{choose, count, counted, percent, share};
use crate::html::parts::{empty, tile};
use crate::html::text;

/// The body of the section.
pub(crate) fn near(near: Option<&NearCopies>) -> Markup {
    let Some(near) = near else {
        return empty(
            "Near-copies were not looked for: the corpus has no shingles. Index it with --shingles to get them.",
        );
    };
    if near.documents == 0 {
        return empty("No page has words, so there is nothing to compare.");
    }
    html! {
        p { (method(near)) }
        p { (result(near)) }
        (warnings(near))
        (figures(near))
        h3 { "The largest clusters" }
        (clusters(near))
    }
}

fn method(near: &NearCopies) -> String {
    let wordless = match near.pages.saturating_sub(near.documents) {
        0 => String::new(),
        pages => format!(
            " {} {} no words and {} left out.",
            counted(pages, "page"),
            choose(pages, "has", "have"),
            choose(pages, "was", "were"),
        ),
    };
    format!(
        "Two pages are near-copies if at least {} of the five-word phrases of both are the same. \
         {} {} compared. {} looked alike in a sample of their phrases and {} compared phrase by phrase; \
         {} of them {} near-copies. A pair that is only just alike enough comes into the sample in {} of all cases, \
         one that is more alike still more surely.{wordless}",
        percent(near.similarity),
        counted(near.documents, "page"),
        choose(near.documents, "was", "were"),
        counted(near.candidates, "pair"),
        choose(near.candidates, "was", "were"),
        count(near.verified),
        choose(near.verified, "is", "are"),
        percent(near.expected_recall),
    )
}

fn result(near: &NearCopies) -> String {
    let unreadable = match near.unreadable {
        0 => String::new(),
        pages => format!(
            " {} could not be read again and {} in no cluster.",
            counted(pages, "page"),
            choose(pages, "is", "are"),
        ),
    };
    if near.clusters == 0 {
        return format!("No page is a near-copy of another, so none needs to go.{unreadable}");
    }
    let site = match &near.largest_site {
        Some((site, pages)) if *pages > 0 => format!(
            "; {} of them {} on {}, more than on any other site",
            count(*pages),
            choose(*pages, "is", "are"),
            text::site(site),
        ),
        _ => String::new(),
    };
    format!(
        "{} ({}) {} in {}, the largest of them with {}. With one page of each cluster kept, \
         {} ({} of all) could go{site}.{unreadable}",
        counted(near.in_clusters, "page"),
        share(near.in_clusters, near.documents),
        choose(near.in_clusters, "is", "are"),
        counted(near.clusters, "cluster"),
        counted(near.largest, "page"),
        counted(near.removable, "page"),
        share(near.removable, near.pages),
    )
}

fn warnings(near: &NearCopies) -> Markup {
    html! {
        @if !near.warnings.is_empty() {
            div.notes {
                p.label { "What looks wrong" }
                ul { @for warning in &near.warnings { li { (text::block(warning)) } } }
            }
        }
    }
}

fn figures(near: &NearCopies) -> Markup {
    html! {
        ul.tiles {
            (tile(near.documents, "pages compared", &format!("of {}", counted(near.pages, "page"))))
            (tile(near.candidates, "pairs compared", "phrase by phrase"))
            (tile(near.verified, "pairs of near-copies", &format!("{} of those compared", share(near.verified, near.candidates))))
            (tile(near.clusters, "clusters", &format!("{} or more the same", percent(near.similarity))))
            (tile(near.in_clusters, "pages in clusters", &format!("{} of those compared", share(near.in_clusters, near.documents))))
            (tile(near.largest, "pages of the largest", &format!("{} of those in clusters", share(near.largest, near.in_clusters))))
            (tile(near.removable, "pages that could go", &format!("{} of all", share(near.removable, near.pages))))
            (tile(near.unreadable, "pages not readable", "and so in no cluster"))
        }
    }
}
