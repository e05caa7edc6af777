//! The section "Near-copies".

use maud::{Markup, html};

use crate::html::clusters::clusters;
use crate::html::parts::{empty, tile};
use crate::html::text;
use crate::numbers::{choose, count, counted, percent, share};
use crate::results::{LinkKind, NearCopies, NearMethod};

/// Renders the body of the section.
pub(crate) fn near(near: Option<&NearCopies>) -> Markup {
    let Some(near) = near else {
        return empty(
            "Near-copies were not looked for: the corpus has no shingles. Index the archives with shingles to find them.",
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

/// Returns the condition for near-copies, as the end of a sentence that begins with "two pages are near-copies if".
pub(crate) fn condition(near: &NearCopies) -> String {
    match near.method {
        NearMethod::Shingle => format!(
            "they share at least {} of their five-word phrases",
            percent(near.similarity.unwrap_or(0.0))
        ),
        NearMethod::Fuzzy => format!(
            "the fuzzy hashes of their texts have a score of at least {} of 100",
            near.score.unwrap_or(0)
        ),
        NearMethod::Imatch => format!(
            "they have a signature in common and the longer text has at least {} of the phrases of the shorter one",
            percent(near.shared.unwrap_or(0.0))
        ),
        NearMethod::Exact => "they are the same file or have the same words".to_owned(),
    }
}

fn method(near: &NearCopies) -> String {
    let recall = near.expected_recall.map_or_else(String::new, |recall| {
        format!(
            " A pair that is just similar enough becomes a candidate with a probability of {}, and a pair that is more \
             similar with a higher one.",
            percent(recall)
        )
    });
    let pairs = match (near.method, near.link) {
        (NearMethod::Exact, _) => String::new(),
        (_, LinkKind::Verified) => format!(
            " {} {} similar in a sample and {} compared phrase by phrase; {} of them {} near-copies.{recall}",
            counted(near.candidates, "pair"),
            choose(near.candidates, "was", "were"),
            choose(near.candidates, "was", "were"),
            count(near.verified),
            choose(near.verified, "is", "are"),
        ),
        (_, LinkKind::Closure) => format!(
            " {} {} similar in a sample. Clusters are chains of such pairs, which were not compared phrase by phrase.",
            counted(near.candidates, "pair"),
            choose(near.candidates, "was", "were"),
        ),
    };
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
        "Two pages are near-copies if {}. {} {} compared.{pairs}{wordless}",
        condition(near),
        counted(near.documents, "page"),
        choose(near.documents, "was", "were"),
    )
}

fn result(near: &NearCopies) -> String {
    let unreadable = unreadable(near);
    if near.clusters == 0 {
        return format!(
            "No page is a near-copy of another, so no page can be removed.{unreadable}"
        );
    }
    let site = match &near.largest_site {
        Some(largest) if largest.removable > 0 => format!(
            "; {} of them {} on {}, more than on any other site",
            count(largest.removable),
            choose(largest.removable, "is", "are"),
            text::site(&largest.site),
        ),
        _ => String::new(),
    };
    format!(
        "{} of {} ({}) {} in {}. The largest cluster has {}. If one page of each cluster is kept, \
         {} ({} of all) can be removed{site}.{unreadable}",
        count(near.in_clusters),
        counted(near.documents, "compared page"),
        share(near.in_clusters, near.documents),
        choose(near.in_clusters, "is", "are"),
        counted(near.clusters, "cluster"),
        counted(near.largest, "page"),
        counted(near.removable, "page"),
        share(near.removable, near.pages),
    )
}

fn unreadable(near: &NearCopies) -> String {
    let reason = (near.unreadable_reason.as_deref())
        .map_or_else(String::new, |reason| format!(" ({})", text::line(reason)));
    match near.unreadable {
        0 => String::new(),
        pages => format!(
            " {} could not be read back{reason} and {} in no cluster.",
            counted(pages, "page"),
            choose(pages, "is", "are"),
        ),
    }
}

fn warnings(near: &NearCopies) -> Markup {
    html! {
        @if !near.warnings.is_empty() {
            div.notes {
                p.label { "Possible problems" }
                ul { @for warning in &near.warnings { li { (text::block(warning)) } } }
            }
        }
    }
}

fn figures(near: &NearCopies) -> Markup {
    html! {
        ul.tiles {
            (tile(near.documents, "pages compared", &format!("of {}", counted(near.pages, "page"))))
            (tile(near.candidates, "candidate pairs", "similar in a sample"))
            (tile(near.verified, "pairs of near-copies", &format!("{} of the candidates; pages with the same words are one", share(near.verified, near.candidates))))
            (tile(near.clusters, "clusters", "of near-copies"))
            (tile(near.in_clusters, "pages in clusters", &format!("{} of those compared", share(near.in_clusters, near.documents))))
            (tile(near.largest, "pages in the largest cluster", &format!("{} of those in clusters", share(near.largest, near.in_clusters))))
            (tile(near.removable, "removable pages", &format!("{} of all", share(near.removable, near.pages))))
            (tile(near.unreadable, "unreadable pages", "they are in no cluster"))
        }
    }
}
