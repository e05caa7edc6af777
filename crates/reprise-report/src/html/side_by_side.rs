//! Two texts beside each other, with what they share marked.

use maud::{Markup, html};

use crate::data::{Explanation, Side};
use crate::html::numbers::{choose, count, counted, share};
use crate::html::spans::{Mark, marks};
use crate::html::{document, text};

const STYLE: &str = include_str!("css/side_by_side.css");

/// Colours of marks, taken in turn; the style sheet has a class for each.
const COLORS: usize = 4;

/// Two texts with their matched spans marked, as one HTML file.
///
/// Input: any values at all; texts may be hostile and spans may lie anywhere. Output: UTF-8
/// without outside references, some larger than both texts. Memory: the output's.
pub fn render_side_by_side(explanation: &Explanation) -> String {
    let Explanation {
        title,
        left,
        right,
        matches,
        summary,
    } = explanation;
    let (left_marks, right_marks) = marks(&left.text, &right.text, matches);
    let numbers = left_marks
        .iter()
        .chain(&right_marks)
        .map(|mark| mark.number);
    let number = numbers.max().unwrap_or(0) as u64;
    let body = html! {
        header {
            h1 { (text::line(title)) }
            @if !summary.is_empty() { p.lead { (text::block(summary)) } }
            p.hint {
                @if number == 0 {
                    "Nothing is marked: the two have no chunk in common."
                } @else {
                    (counted(number, "chunk")) " in common, marked and numbered. A mark leads to its partner on the other side."
                }
            }
        }
        main.sides {
            (side("left", "right", left, &left_marks))
            (side("right", "left", right, &right_marks))
        }
    };
    document::document(title, STYLE, &body)
}

fn side(name: &str, other: &str, side: &Side, marks: &[Mark]) -> Markup {
    let chars = side.text.chars().count() as u64;
    let matched = marks
        .iter()
        .map(|mark| side.text[mark.span.clone()].chars().count() as u64)
        .sum();
    html! {
        section.side aria-label=(name) {
            h2 { (text::url(&side.name)) }
            dl.facts {
                div {
                    dt { "shared" }
                    dd {
                        strong { (share(matched, chars)) } " of its characters: "
                        (count(matched)) " of " (count(chars)) ", in " (count(marks.len() as u64)) " "
                        (choose(marks.len() as u64, "place", "places"))
                    }
                }
                @for (fact, value) in &side.facts {
                    div { dt { (text::line(fact)) } dd { bdi.value { (text::line(value)) } } }
                }
            }
            @if side.text.is_empty() {
                p.empty { "There is no text on this side." }
            } @else {
                div.text tabindex="0" role="region" aria-label={"text on the " (name)} { (marked(name, other, &side.text, marks)) }
            }
        }
    }
}

fn marked(name: &str, other: &str, text: &str, marks: &[Mark]) -> Markup {
    let mut done = 0;
    html! {
        @for (place, mark) in marks.iter().enumerate() {
            @let before = std::mem::replace(&mut done, mark.span.end);
            (text::lines(&text[before..mark.span.start]))
            (link(name, other, place, mark, &text[mark.span.clone()]))
        }
        (text::lines(&text[done..]))
    }
}

/// The number comes from the style sheet, so that a copied selection is the page's own text.
fn link(name: &str, other: &str, place: usize, mark: &Mark, content: &str) -> Markup {
    let href = mark.partner.map(|partner| format!("#{other}-{partner}"));
    let color = mark.number % COLORS;
    html! {
        a.match.{"color-" (color)} id={(name) "-" (place)} href=[href] data-number=(mark.number) title={"match " (mark.number)} {
            mark { (text::lines(content)) }
        }
    }
}
