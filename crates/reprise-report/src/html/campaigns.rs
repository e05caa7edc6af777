//! The section "Campaigns".

use maud::{Markup, html};

use crate::html::parts::{and_more, bar, empty, scroll_box, tile};
use crate::html::text;
use crate::numbers::{choose, count, counted, percent, share};
use crate::results::{Campaign, Campaigns};

/// The number of campaigns that are unfolded, and therefore printed.
const OPEN: usize = 2;

/// The most terms of a campaign.
const TERMS_MAX: usize = 60;

/// Renders the body of the section.
pub(crate) fn campaigns(found: &Campaigns) -> Markup {
    html! {
        p { (method(found)) }
        @if !found.warnings.is_empty() {
            div.notes {
                p.label { "Possible problems" }
                ul { @for warning in &found.warnings { li { (text::block(warning)) } } }
            }
        }
        (tiles(found))
        h3 { "The largest campaigns" }
        @if found.top.is_empty() {
            (empty("No campaign was found: no two documents have a signature in common."))
        } @else {
            @for (index, campaign) in found.top.iter().enumerate() { (card(campaign, index < OPEN)) }
            (and_more(found.clusters, found.top.len(), "campaign"))
        }
    }
}

/// Returns the result in a sentence.
pub(crate) fn sentence(found: &Campaigns) -> String {
    if found.clusters == 0 {
        return format!(
            "No campaign was found: no two of {} have a signature in common.",
            counted(found.documents, "document")
        );
    }
    format!(
        "{} of {} {} to {}; the largest has {}.",
        count(found.in_clusters),
        counted(found.documents, "document"),
        choose(found.in_clusters, "belongs", "belong"),
        counted(found.clusters, "campaign"),
        count(found.largest),
    )
}

fn method(found: &Campaigns) -> String {
    let trained = if found.is_own_lexicon {
        ", which were chosen from this corpus by the number of documents that have them"
    } else {
        ""
    };
    let contexts = match found.contexts {
        None => String::new(),
        Some(contexts) => format!(
            " A term counts only in one of {}, that is, next to a word that was its neighbour in the training \
             documents. Therefore random words that are added to a document do not change its signature.",
            counted(contexts, "context")
        ),
    };
    let randomised = match found.randomised {
        0 => String::new(),
        lexicons => format!(
            " {}, each without some of the terms, give more signatures; two documents need only one signature in common.",
            counted(lexicons.into(), "further lexicon")
        ),
    };
    format!(
        "The signature of a document is made of those of its terms that are in a lexicon of {}{trained}. The order of \
         the terms, repeats and all other words do not matter. A document with fewer than {} of these terms has no \
         signature.{contexts}{randomised} Documents with a signature in common belong to a campaign if the longer text \
         has at least {} of the phrases of the shorter one.",
        counted(found.lexicon_terms, "term"),
        found.terms_min,
        percent(found.shared_min),
    )
}

fn tiles(found: &Campaigns) -> Markup {
    html! {
        ul.tiles {
            (tile(found.documents, "documents", "with text"))
            (tile(found.clusters, "campaigns", &format!("signatures of {} terms or more", found.terms_min)))
            (tile(found.in_clusters, "documents in campaigns", &format!("{} of those with text", share(found.in_clusters, found.documents))))
            (tile(found.largest, "documents in the largest campaign", &format!("{} of those in campaigns", share(found.largest, found.in_clusters))))
            (tile(found.unreadable, "unreadable documents", "they are in no campaign"))
        }
    }
}

fn card(campaign: &Campaign, is_open: bool) -> Markup {
    // The heading shows the representative.
    let shown = campaign.examples.len() + 1;
    html! {
        details.card open[is_open] {
            summary {
                @if campaign.opening.is_empty() {
                    (text::url(&campaign.representative))
                } @else {
                    (text::line(&campaign.opening))
                }
                span.facts {
                    (counted(campaign.documents, "document")) " \u{b7} "
                    (counted(campaign.sites, "site"))
                    @if let Some((first, last)) = &campaign.dates {
                        " \u{b7} " (text::line(first))
                        @if first != last { " to " (text::line(last)) }
                    }
                }
            }
            p { "All of them have " (counted(campaign.terms.len() as u64, "term")) " in common: " (terms(campaign)) }
            p.dim { "The documents below were compared with " (text::url(&campaign.representative)) "." }
            (scroll_box("Documents of this campaign", &table(campaign)))
            (and_more(campaign.documents, shown, "document"))
        }
    }
}

fn terms(campaign: &Campaign) -> Markup {
    let shown = campaign.terms.iter().take(TERMS_MAX);
    let hidden = campaign.terms.len().saturating_sub(TERMS_MAX);
    html! {
        span.terms { @for term in shown { (text::line(term)) " " } }
        @if hidden > 0 { "and " (count(hidden as u64)) " more" }
    }
}

fn table(campaign: &Campaign) -> Markup {
    html! {
        table.near {
            thead {
                tr {
                    th scope="col" { "Containment" }
                    th scope="col" { "Common terms" }
                    th scope="col" { "Date" }
                    th scope="col" { "Document" }
                }
            }
            tbody {
                @for document in &campaign.examples {
                    tr {
                        td.badness { (bar(document.containment, false)) (percent(document.containment)) }
                        td { (count(document.terms)) }
                        td { (document.date.as_deref().map_or_else(|| text::line("unknown"), text::line)) }
                        td { (text::url(&document.url)) }
                    }
                }
            }
        }
    }
}
