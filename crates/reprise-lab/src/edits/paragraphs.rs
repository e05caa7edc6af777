//! Paragraphs that move to other places.

use std::ops::Range;

use reprise_imatch::SplitMix64;
use reprise_text::tokens::{TokenKind, Tokens};
use reprise_text::{Content, Cutter};

use super::places::words;
use super::shuffled;
use crate::page::Page;

/// The most moves of a page. The time for a move grows with the number of paragraphs.
const MOVES_MAX: usize = 2_000;

/// Moves of paragraphs. Each paragraph moves once.
#[derive(Clone, Debug)]
pub(super) struct Moves<'p> {
    text: &'p str,
    /// The text to add after a moved paragraph.
    separator: &'static str,
    /// The paragraphs and the text between them, in their original order.
    parts: Vec<Part>,
    steps: Vec<Move>,
}

#[derive(Clone, Debug)]
struct Part {
    span: Range<usize>,
    is_paragraph: bool,
}

/// The move of a paragraph.
#[derive(Clone, Copy, Debug)]
struct Move {
    part: usize,
    /// The paragraph before which it is inserted; `None` for the place after the last paragraph.
    before: Option<usize>,
}

impl<'p> Moves<'p> {
    /// Draws a move for each paragraph, in random order. A move always changes the order of paragraphs.
    pub(super) fn of(page: &'p Page, random: &mut SplitMix64) -> Self {
        let text = page.text();
        let is_html = page.reading().content == Content::Html;
        let spans = if is_html {
            with_words(elements(page), page)
        } else {
            between_empty_lines(text)
        };
        let parts = parts(text, &spans);
        let steps = draw(&parts, random);
        let separator = if is_html { "" } else { "\n\n" };
        Self {
            text,
            separator,
            parts,
            steps,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the text after the first `count` moves.
    pub(super) fn apply(&self, count: usize) -> String {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        let mut is_moved = vec![false; self.parts.len()];
        for step in &self.steps[..count] {
            make(*step, &mut order, &self.parts);
            is_moved[step.part] = true;
        }
        let mut edited = String::with_capacity(self.text.len());
        for part in order {
            edited.push_str(&self.text[self.parts[part].span.clone()]);
            if is_moved[part] {
                edited.push_str(self.separator);
            }
        }
        edited
    }
}

/// Draws the moves. A move depends on the order of paragraphs after the moves before it.
fn draw(parts: &[Part], random: &mut SplitMix64) -> Vec<Move> {
    let paragraphs = (0..parts.len()).filter(|&part| parts[part].is_paragraph);
    let mut rest = shuffled(paragraphs.collect(), random);
    if rest.len() < 2 {
        return Vec::new();
    }
    rest.truncate(MOVES_MAX);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let mut moves = Vec::with_capacity(rest.len());
    for part in rest {
        let standing: Vec<usize> = order
            .iter()
            .copied()
            .filter(|&part| parts[part].is_paragraph)
            .collect();
        let here = standing.iter().position(|&other| other == part);
        let here = here.expect("a move does not remove paragraphs");
        // The places before itself and before the next paragraph would not change the order.
        let drawn = random.below(standing.len() - 1);
        let place = if drawn < here { drawn } else { drawn + 2 };
        let step = Move {
            part,
            before: standing.get(place).copied(),
        };
        make(step, &mut order, parts);
        moves.push(step);
    }
    moves
}

fn make(step: Move, order: &mut Vec<usize>, parts: &[Part]) {
    order.retain(|&part| part != step.part);
    let place = match step.before {
        Some(before) => order.iter().position(|&part| part == before),
        None => order
            .iter()
            .rposition(|&part| parts[part].is_paragraph)
            .map(|last| last + 1),
    };
    order.insert(place.unwrap_or(order.len()), step.part);
}

/// Splits the text into the paragraphs and the text between them.
fn parts(text: &str, paragraphs: &[Range<usize>]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut push = |span: Range<usize>, is_paragraph| {
        if !span.is_empty() {
            parts.push(Part { span, is_paragraph });
        }
    };
    for span in paragraphs {
        push(at..span.start, false);
        push(span.clone(), true);
        at = span.end;
    }
    push(at..text.len(), false);
    parts
}

/// Returns the paragraphs of plain text, without the empty lines around them.
fn between_empty_lines(text: &str) -> Vec<Range<usize>> {
    let pieces = Cutter::new(Content::Plain, text);
    pieces
        .map(|piece| {
            let raw = &text[piece.start..piece.end];
            let start = piece.start + raw.len() - raw.trim_start().len();
            start..start + raw.trim().len()
        })
        .filter(|span| !span.is_empty())
        .collect()
}

/// Keeps the spans that contain a word.
fn with_words(mut spans: Vec<Range<usize>>, page: &Page) -> Vec<Range<usize>> {
    let words = words(page);
    spans.retain(|span| {
        let next = words.partition_point(|(word, _)| word.start < span.start);
        words
            .get(next)
            .is_some_and(|(word, _)| word.start < span.end)
    });
    spans
}

/// Returns the block elements without nested block elements. The spans include their tags.
fn elements(page: &Page) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for token in Tokens::new(page.text(), page.syntax()) {
        let (name, is_start) = match token.kind {
            TokenKind::Start(tag) => (tag.name(), true),
            TokenKind::End(tag) => (tag.name(), false),
            _ => continue,
        };
        if !is_block(name) {
            continue;
        }
        if let Some((element, start)) = open.take() {
            if !is_start && element.eq_ignore_ascii_case(name) {
                found.push(start..token.span.end);
            } else if ends_before(element, name, is_start) {
                found.push(start..token.span.start);
            }
        }
        open = (is_start && is_paragraph(name)).then_some((name, token.span.start));
    }
    found
}

/// Returns true for block elements.
fn is_block(name: &str) -> bool {
    const OTHERS: [&str; 28] = [
        "article", "aside", "body", "center", "details", "dialog", "dir", "dl", "fieldset",
        "footer", "form", "header", "hr", "html", "main", "menu", "nav", "ol", "section",
        "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    ];
    is_paragraph(name) || OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Returns true for block elements that can be a paragraph.
fn is_paragraph(name: &str) -> bool {
    const PARAGRAPHS: [&str; 17] = [
        "address",
        "blockquote",
        "dd",
        "div",
        "dt",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "li",
        "p",
        "pre",
        "xmp",
    ];
    PARAGRAPHS
        .iter()
        .any(|other| name.eq_ignore_ascii_case(other))
}

/// Returns true if this tag ends an open element whose end tag is omitted.
fn ends_before(element: &str, name: &str, is_start: bool) -> bool {
    let is =
        |names: &[&str], name: &str| names.iter().any(|other| name.eq_ignore_ascii_case(other));
    is(&["p"], element)
        || is(&["li"], element) && (!is_start || is(&["li"], name))
        || is(&["dt", "dd"], element) && (!is_start || is(&["dt", "dd"], name))
}
