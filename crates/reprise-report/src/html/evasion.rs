//! The number of edits until a copy is no longer found, as a plot and tables.

use maud::{Markup, html};

use crate::html::evasion_plot::evasion_plot;
use crate::html::parts::{caption, empty, scroll_box};
use crate::html::{document, text};
use crate::numbers::{count, counted, percent};
use crate::results::{Evasion, EvasionRow, Quartiles};

const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/lab.css")
);

/// Renders the result of an experiment on evasion as one HTML file.
///
/// Input: any values; texts may be hostile. Output: UTF-8 without references to other files. Memory: the size
/// of the output.
pub fn render_evasion(evasion: &Evasion) -> String {
    let title = "Edits until a copy is no longer found";
    let body = html! {
        main.lab {
            header {
                p.title { (text::line(&evasion.corpus)) }
                h1 { (title) }
                p.lead {
                    "Copies of " (counted(evasion.documents, "page")) " with a median of "
                    (counted(evasion.words.median.unwrap_or(0), "word"))
                    " were edited step by step until each method no longer found them."
                }
                (notes(&evasion.sentences()))
            }
            (figure(evasion))
            section {
                h2 { "Numbers" }
                @for rows in by_edit(&evasion.rows) { (table(rows)) }
            }
            section {
                h2 { "Conditions for a copy" }
                (rules(evasion))
            }
        }
    };
    document::document(title, STYLE, &body)
}

/// Returns the rows of each kind of edit.
pub(crate) fn by_edit(rows: &[EvasionRow]) -> impl Iterator<Item = &[EvasionRow]> {
    rows.chunk_by(|a, b| a.edit == b.edit)
}

/// Renders sentences in a box.
pub(crate) fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            div.notes { ul { @for note in notes { li { (text::block(note)) } } } }
        }
    }
}

fn figure(evasion: &Evasion) -> Markup {
    if evasion.documents == 0 || evasion.rows.is_empty() {
        return empty("No edits were tried.");
    }
    html! {
        figure {
            (scroll_box("Edits until a copy is no longer found", &evasion_plot(&evasion.rows)))
            (caption(
                &[("hot disc", "median"), ("thin", "from the first to the third quartile"), ("disc hollow", "the median is never")],
                "Each row shows one method and one kind of edit. The further to the right, the more edits are needed to \
                 evade the method (logarithmic scale). The last column, never, stands for copies that are found even \
                 with all possible edits.",
            ))
        }
    }
}

fn table(rows: &[EvasionRow]) -> Markup {
    let table = html! {
        table.evaded {
            thead {
                tr {
                    th { "Method" }
                    th.number { "Edits (median)" }
                    th.number { "Quartiles" }
                    th.number { "Edits per word" }
                    th.number { "Never" }
                    th.number { "Pages" }
                }
            }
            tbody { @for row in rows { (table_row(row)) } }
        }
    };
    let name = rows.first().map_or("", |row| &row.meaning);
    let name = text::line(name);
    html! {
        h3 { (capital(&name)) }
        (scroll_box(&name, &table))
    }
}

fn table_row(row: &EvasionRow) -> Markup {
    let Quartiles {
        first,
        median,
        third,
    } = row.edits;
    html! {
        tr {
            td { (text::line(&row.method)) }
            @if row.documents == 0 {
                td.number { "\u{2013}" } td.number {} td.number {} td.number {}
            } @else {
                td.number { (edits(median)) }
                td.number { (edits(first)) " to " (edits(third)) }
                td.number { (row.share.median.map_or(String::new(), share)) }
                td.number { (count(row.never)) }
            }
            td.number { (count(row.documents)) }
        }
    }
}

/// Formats a number of edits; `None` is "never".
pub(crate) fn edits(number: Option<u64>) -> String {
    number.map_or("never".to_owned(), count)
}

/// Formats edits per word in percent. This can be above 100%, because a word has several letters.
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
            @for method in &evasion.methods {
                dt { (text::line(&method.method)) }
                dd { (text::line(&method.rule)) }
            }
        }
    }
}
