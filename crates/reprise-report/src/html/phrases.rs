//! The section "Shared phrases".

use maud::{Markup, html};

use crate::data::{PhraseFindings, PhraseRow};
use crate::html::covers::covers;
use crate::html::log_dots::{LogDots, has_dots, log_dots_plot};
use crate::html::monsters::monsters;
use crate::html::numbers::{choose, count, counted, share};
use crate::html::parts::{caption, empty, scroll_box};
use crate::html::per_document::per_document;
use crate::html::site_plot::sites;
use crate::html::text;

/// Most addresses beside a phrase.
const URLS_MAX: usize = 5;

/// The body of the section.
pub(crate) fn phrases(findings: Option<&PhraseFindings>) -> Markup {
    let Some(findings) = findings else {
        return empty(
            "Shared phrases were not looked for: the corpus has no shingles. Index it with --shingles to get them.",
        );
    };
    html! {
        p { (introduction(findings)) }
        h3 { "How many pages share a phrase" }
        (occurrences(findings))
        h3 { "How many popular shingles a page has" }
        (per_document(findings))
        h3 { "The most popular phrases" }
        (top(findings))
        h3 { "From how many others a page can be put together" }
        (covers(findings))
        h3 { "Sites that consist of popular shingles" }
        (sites(findings))
        h3 { "Monsters" }
        (monsters(findings))
    }
}

fn introduction(findings: &PhraseFindings) -> String {
    let (documents, popular) = (findings.documents, findings.popular);
    let least = counted(findings.min_documents.into(), "page");
    let found = match popular {
        0 => "none is popular".to_owned(),
        1 => "1 shingle is popular".to_owned(),
        popular => format!(
            "{} are popular (a phrase that is drawn by two rules counts twice)",
            counted(popular, "shingle")
        ),
    };
    format!(
        "By each of 84 rules, the same for all, one five-word phrase is drawn from a page: its shingles. Pages with the \
         same phrases draw the same ones. A shingle that {least} or more have is popular. Of near-copies only one page \
         counts, or all its shingles would be popular. {} {} looked at; {found}.",
        counted(documents, "page"),
        choose(documents, "was", "were"),
    )
}

fn occurrences(findings: &PhraseFindings) -> Markup {
    let pairs: Vec<(u64, u64)> = (findings.occurrences.iter())
        .map(|&(documents, shingles)| (documents.into(), shingles))
        .collect();
    let least = u64::from(findings.min_documents);
    if !has_dots(&pairs) {
        return empty(&none_popular(findings));
    }
    let plot = log_dots_plot(&LogDots {
        pairs: &pairs,
        object: "shingle",
        measure: "page",
        hot_above: 0,
        // Popular ones begin at the least number: the line stands before it.
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
                "Each dot says how many shingles (upwards) are on how many pages (to the right); both scales are \
                 logarithmic. As a rule the dots fall along a line: the more pages, the fewer shingles. A dot high above \
                 its neighbours is phrases that go around together: a copied text, or a template.",
            ))
        }
    }
}

/// Why there is no popular shingle.
fn none_popular(findings: &PhraseFindings) -> String {
    format!(
        "No shingle is popular: none is on {} or more.",
        counted(findings.min_documents.into(), "page")
    )
}

fn top(findings: &PhraseFindings) -> Markup {
    if findings.top.is_empty() {
        return empty(&if findings.popular == 0 {
            none_popular(findings)
        } else {
            format!(
                "None were chosen to be shown, of {}.",
                counted(findings.popular, "popular shingle")
            )
        });
    }
    html! {
        p.hint {
            "Most popular phrases mean nothing by themselves: numbers in a row, menus, names of programs, notices. \
             Look for those that nobody would write twice."
        }
        (scroll_box("The most popular phrases", &table(findings)))
    }
}

fn table(findings: &PhraseFindings) -> Markup {
    html! {
        table.phrases {
            thead {
                tr {
                    th scope="col" { "Phrase" }
                    th.number scope="col" { "Pages" }
                    th.number scope="col" { "Of all" }
                    th scope="col" { "Found on, among others" }
                }
            }
            tbody { @for phrase in &findings.top { (row(phrase, findings.documents)) } }
        }
    }
}

fn row(phrase: &PhraseRow, documents: u64) -> Markup {
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
