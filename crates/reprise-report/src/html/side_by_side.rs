//! Two pages side by side, with the content that they share marked.

use maud::{Markup, html};

use crate::html::spans::{Mark, marks};
use crate::html::{document, text};
use crate::numbers::{choose, count, counted, share, unit};
use crate::results::{Explanation, Match, Timestamp};

const STYLE: &str = include_str!("css/side_by_side.css");

/// The number of colours of marks. The style sheet has a class for each.
const COLORS: usize = 4;

/// One of the two pages.
struct Side<'a> {
    /// The name in ids: `left` or `right`.
    name: &'static str,
    /// The name of the other side.
    other: &'static str,
    url: &'a str,
    fetched: Option<Timestamp>,
    /// The number of chunks, and of those that the other page has.
    chunks: (u64, u64),
    /// The number of distinct phrases, and of those that the other page has.
    phrases: (u32, u32),
    text: &'a str,
    marks: Vec<Mark>,
}

/// Renders two pages side by side as one HTML file.
///
/// Input: any values; texts may be hostile, and spans may lie outside the texts. Output: UTF-8 without
/// references to other files. Memory: the size of the output, which is somewhat larger than both texts.
pub fn render_side_by_side(explanation: &Explanation) -> String {
    let title = format!("{} and {}", explanation.page, explanation.with);
    let (left, right) = sides(explanation);
    let number = left
        .marks
        .iter()
        .chain(&right.marks)
        .map(|mark| mark.number)
        .max();
    let body = html! {
        header {
            h1 { bdi { (text::line(&explanation.page)) } " and " bdi { (text::line(&explanation.with)) } }
            p.lead { (summary(explanation)) }
            p.hint {
                @if let Some(number) = number {
                    (counted(number as u64, "common passage")) " " (choose(number as u64, "is", "are"))
                    " marked and numbered. Follow a mark to see the same passage on the other side."
                } @else {
                    "Nothing is marked: the pages have no chunk and no phrase in common."
                }
            }
        }
        main.sides { (side(&left)) (side(&right)) }
    };
    document::document(&title, STYLE, &body)
}

fn sides(explanation: &Explanation) -> (Side<'_>, Side<'_>) {
    let Explanation {
        page_text,
        with_text,
        matches,
        phrases,
        ..
    } = explanation;
    let matches: Vec<&Match> = matches.iter().chain(&phrases.matches).collect();
    let (left_marks, right_marks) = marks(page_text, with_text, &matches);
    let left = Side {
        name: "left",
        other: "right",
        url: &explanation.page,
        fetched: explanation.page_fetched,
        chunks: (explanation.page_chunks, explanation.page_shared),
        phrases: (phrases.page, phrases.shared),
        text: page_text,
        marks: left_marks,
    };
    let right = Side {
        name: "right",
        other: "left",
        url: &explanation.with,
        fetched: explanation.with_fetched,
        chunks: (explanation.with_chunks, explanation.with_shared),
        phrases: (phrases.with, phrases.shared),
        text: with_text,
        marks: right_marks,
    };
    (left, right)
}

fn summary(explanation: &Explanation) -> String {
    let Explanation {
        phrases,
        page_chunks,
        page_shared,
        ..
    } = explanation;
    format!(
        "{} of the page on the left are also on the page on the right, and so are {}. The Jaccard similarity of \
         their phrases is {:.3}.",
        part_of(*page_shared, *page_chunks, "chunk"),
        part_of(
            phrases.shared.into(),
            phrases.page.into(),
            "five-word phrase"
        ),
        unit(phrases.similarity),
    )
}

/// Formats "4 of 6 chunks (67%)".
fn part_of(part: u64, whole: u64, noun: &str) -> String {
    format!(
        "{} of {} ({})",
        count(part),
        counted(whole, noun),
        share(part, whole)
    )
}

fn side(side: &Side<'_>) -> Markup {
    let chars = side.text.chars().count() as u64;
    let matched = side
        .marks
        .iter()
        .map(|mark| side.text[mark.span.clone()].chars().count() as u64)
        .sum();
    let places = side.marks.len() as u64;
    html! {
        section.side aria-label=(side.name) {
            h2 { (text::url(side.url)) }
            dl.facts {
                div {
                    dt { "marked" }
                    dd {
                        strong { (share(matched, chars)) } " of the characters: "
                        (count(matched)) " of " (count(chars)) ", in " (counted(places, "place"))
                    }
                }
                div {
                    dt { "fetched" }
                    dd { @match side.fetched { Some(time) => { (time) } None => { "unknown" } } }
                }
                div {
                    dt { "shared chunks" }
                    dd { (part_of(side.chunks.1, side.chunks.0, "chunk")) }
                }
                div {
                    dt { "shared phrases" }
                    dd { (part_of(side.phrases.1.into(), side.phrases.0.into(), "five-word phrase")) }
                }
            }
            @if side.text.is_empty() {
                p.empty { "This page has no text." }
            } @else {
                div.text tabindex="0" role="region" aria-label={"text on the " (side.name)} { (marked(side)) }
            }
        }
    }
}

fn marked(side: &Side<'_>) -> Markup {
    let mut done = 0;
    html! {
        @for (place, mark) in side.marks.iter().enumerate() {
            @let before = std::mem::replace(&mut done, mark.span.end);
            (text::lines(&side.text[before..mark.span.start]))
            (link(side, place, mark))
        }
        (text::lines(&side.text[done..]))
    }
}

/// Renders a mark. The style sheet shows its number, so that a copied selection has only text of the page.
fn link(side: &Side<'_>, place: usize, mark: &Mark) -> Markup {
    let href = mark
        .partner
        .map(|partner| format!("#{}-{partner}", side.other));
    let color = mark.number % COLORS;
    html! {
        a.match.{"color-" (color)} id={(side.name) "-" (place)} href=[href] data-number=(mark.number) title={"passage " (mark.number)} {
            mark { (text::lines(&side.text[mark.span.clone()])) }
        }
    }
}
