//! How many edits until a copy is no longer found: one plot and one table.

use maud::{Markup, html};

use crate::data::{Evasion, EvasionEdit, EvasionRow};
use crate::evasion_plot::evasion_plot;
use crate::numbers::{count, counted, percent};
use crate::parts::{caption, empty, scroll_box};
use crate::{document, text};

const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/lab.css")
);

/// The result of an experiment on evasion, as one HTML file.
///
/// Input: any values at all. Output: UTF-8 without outside references. Memory: the output's.
pub fn render_evasion(evasion: &Evasion) -> String {
    let title = "How many edits until a copy is no longer found?";
    let body = html! {
        main.lab {
            header {
                p.title { (text::line(&evasion.corpus)) }
                h1 { (title) }
                p.lead {
                    "Copies of " (counted(evasion.documents, "page")) " (" (count(evasion.words))
                    " words in the middle) were edited more and more, until each method no longer found them."
                }
                (notes(&evasion.notes))
            }
            (figure(evasion))
            section {
                h2 { "In numbers" }
                @for edit in &evasion.edits { (table(edit)) }
            }
            section {
                h2 { "When is a page found?" }
                (rules(evasion))
            }
        }
    };
    document::document(title, STYLE, &body)
}

/// Sentences that the reader should know.
pub(crate) fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            div.notes { ul { @for note in notes { li { (text::block(note)) } } } }
        }
    }
}

fn figure(evasion: &Evasion) -> Markup {
    if evasion.documents == 0 || evasion.edits.is_empty() || evasion.methods.is_empty() {
        return empty("Nothing was tried.");
    }
    html! {
        figure {
            (scroll_box("Edits until a copy is no longer found", &evasion_plot(&evasion.edits)))
            (caption(
                &[("hot disc", "median"), ("thin", "from the first to the third quartile"), ("disc hollow", "never in the middle")],
                "Each row is a method against one kind of edit: the further right, the more work it is to evade it (on a \
                 logarithmic scale). Rows that reach the column at the right are pages whose copies are found however much \
                 is edited. The copy with one edit less is still found.",
            ))
        }
    }
}

fn table(edit: &EvasionEdit) -> Markup {
    let rows = html! {
        table.evaded {
            thead {
                tr {
                    th { "Method" }
                    th.number { "Edits" }
                    th.number { "Quartiles" }
                    th.number { "Of the words" }
                    th.number { "Never" }
                    th.number { "Pages" }
                }
            }
            tbody { @for row in &edit.rows { (table_row(row)) } }
        }
    };
    let name = text::line(&edit.name);
    html! {
        h3 { (capital(&name)) }
        (scroll_box(&name, &rows))
    }
}

fn table_row(row: &EvasionRow) -> Markup {
    let [first, median, third] = row.quartiles;
    html! {
        tr {
            td { (text::line(&row.method)) }
            @if row.documents == 0 {
                td.number { "\u{2013}" } td.number {} td.number {} td.number {}
            } @else {
                td.number { (edits(median)) }
                td.number { (edits(first)) " to " (edits(third)) }
                td.number { (row.share.map_or(String::new(), share)) }
                td.number { (count(row.never)) }
            }
            td.number { (count(row.documents)) }
        }
    }
}

/// A number of edits; `None` is never.
pub(crate) fn edits(number: Option<u64>) -> String {
    number.map_or("never".to_owned(), count)
}

/// Shares can be above the whole: a word has several letters.
fn share(value: f64) -> String {
    if value <= 1.0 {
        percent(value)
    } else {
        format!("{:.0}%", value * 100.0)
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn rules(evasion: &Evasion) -> Markup {
    html! {
        dl.guide {
            @for (method, rule) in &evasion.methods {
                dt { (text::line(method)) }
                dd { (text::line(rule)) }
            }
        }
    }
}
