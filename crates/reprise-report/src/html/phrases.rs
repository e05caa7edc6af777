//! The section "Shared phrases".

use maud::{Markup, html};

use crate::html::covers::covers;
use crate::html::log_dots::{LogDots, has_dots, log_dots_plot};
use crate::html::parts::{caption, empty, scroll_box};
use crate::html::per_document::per_document;
use crate::html::site_plot::sites;
use crate::html::stitched_sites::stitched_sites;
use crate::html::text;
use crate::numbers::{choose, count, counted, share};
use crate::results::{PhraseFindings, PopularPhrase, PopularPhrases};

/// The most URLs beside a phrase.
const URLS_MAX: usize = 5;

/// Renders the body of the section.
pub(crate) fn phrases(findings: Option<&PhraseFindings>) -> Markup {
    let Some(findings) = findings else {
        return empty(
            "Shared phrases were not looked for: the corpus has no shingles. Index the archives with shingles to find them.",
        );
    };
    let popular = &findings.popular;
    html! {
        p { (introduction(popular)) }
        h3 { "How many pages share a shingle" }
        (occurrences(popular))
        h3 { "How many popular shingles a page has" }
        (per_document(popular))
        h3 { "The most popular phrases" }
        (top(popular))
        h3 { "How many sources a page has" }
        (covers(findings))
        h3 { "Sites with many popular shingles" }
        (sites(findings))
        h3 { "Stitched sites" }
        (stitched_sites(findings))
    }
}

fn introduction(popular: &PopularPhrases) -> String {
    let least = counted(popular.min_documents.into(), "page");
    let found = match popular.popular {
        0 => "No shingle is popular.".to_owned(),
        1 => "1 shingle is popular.".to_owned(),
        shingles => format!(
            "{} are popular; a phrase that two of the rules choose counts twice.",
            counted(shingles, "shingle")
        ),
    };
    format!(
        "Reprise chooses 84 phrases of five words from each page: its shingles. It follows the same 84 rules for all \
         pages, so pages with the same phrases have the same shingles. A shingle is popular if {least} or more have it. \
         Only one page of each group of near-copies counts, because all shingles of near-copies would be popular. \
         {} {} examined. {found}",
        counted(popular.documents, "page"),
        choose(popular.documents, "was", "were"),
    )
}

fn occurrences(popular: &PopularPhrases) -> Markup {
    let pairs: Vec<(u64, u64)> = (popular.occurrences.iter())
        .map(|&(documents, shingles)| (documents.into(), shingles))
        .collect();
    let least = u64::from(popular.min_documents);
    if !has_dots(&pairs) {
        return empty(&none_popular(popular));
    }
    let plot = log_dots_plot(&LogDots {
        pairs: &pairs,
        object: "shingle",
        measure: "page",
        hot_above: 0,
        // The line is left of the smallest number of pages that makes a shingle popular.
        line: (
            least as f64 - 0.5,
            format!("{} or more", counted(least, "page")),
        ),
        y_title: "popular shingles".to_owned(),
    });
    html! {
        figure {
            (plot)
            (caption(
                &[],
                "Each dot shows how many shingles (vertical axis) are on how many pages (horizontal axis). Both scales are \
                 logarithmic. The dots usually follow a falling line: the more pages, the fewer shingles. A dot far above \
                 that line stands for phrases that are copied together, as part of a text or of a template.",
            ))
        }
    }
}

fn none_popular(popular: &PopularPhrases) -> String {
    format!(
        "No shingle is popular: none is on {} or more.",
        counted(popular.min_documents.into(), "page")
    )
}

fn top(popular: &PopularPhrases) -> Markup {
    if popular.top.is_empty() {
        return empty(&if popular.popular == 0 {
            none_popular(popular)
        } else {
            format!(
                "This report lists none of the {}.",
                counted(popular.popular, "popular shingle")
            )
        });
    }
    html! {
        p.hint {
            "Most popular phrases are harmless: rows of numbers, menus, names of programs, legal notices. Look for phrases \
             that two authors would not write independently."
        }
        (scroll_box("The most popular phrases", &table(popular)))
        @if popular.unreadable > 0 {
            p.more {
                "The words of " (counted(popular.unreadable, "popular shingle")) " could not be read back."
            }
        }
    }
}

fn table(popular: &PopularPhrases) -> Markup {
    html! {
        table.phrases {
            thead {
                tr {
                    th scope="col" { "Phrase" }
                    th.number scope="col" { "Pages" }
                    th.number scope="col" { "Of all" }
                    th scope="col" { "Some of the pages" }
                }
            }
            tbody { @for phrase in &popular.top { (row(phrase, popular.documents)) } }
        }
    }
}

fn row(phrase: &PopularPhrase, documents: u64) -> Markup {
    html! {
        tr {
            td { bdi.excerpt { (text::line(&phrase.phrase)) } }
            td.number { (count(phrase.documents)) }
            td.number { (share(phrase.documents, documents)) }
            td {
                ul.urls { @for url in phrase.urls.iter().take(URLS_MAX) { li { (text::url(url)) } } }
            }
        }
    }
}
