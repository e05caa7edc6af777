//! Words, lines and paragraphs from the places of glyphs.

use std::collections::HashSet;

use crate::pdf::bidi;
use crate::pdf::content::Glyph;

/// A gap wider than this share of the font's height separates words. TeX shrinks spaces to 0.22 of it,
/// and moves letters by less than 0.1 of it.
const WORD_GAP: f64 = 0.15;
/// A glyph off the line by less than this share is a superscript, a subscript, or on it.
const LINE_SLACK: f64 = 0.55;
/// A line further down than this many times the font's height begins a paragraph.
const PARAGRAPH_STEP: f64 = 1.75;

/// The text of pages in the making.
pub(super) struct Layout {
    text: String,
    bytes_max: usize,
    is_cut: bool,
    /// The line so far: texts, and where each begins along the line.
    line: Vec<(Box<str>, f64)>,
}

impl Layout {
    pub(super) fn new(bytes_max: usize) -> Layout {
        Layout {
            text: String::new(),
            bytes_max,
            is_cut: false,
            line: Vec::new(),
        }
    }

    /// Appends a page.
    pub(super) fn page(&mut self, glyphs: &[Glyph]) {
        let mut seen = HashSet::new();
        let mut last: Option<&Glyph> = None;
        for glyph in glyphs {
            // Letters painted twice, a little apart, are to look bold: much less apart than two of them side
            // by side, which may be narrow.
            let width = (glyph.end.0 - glyph.start.0).hypot(glyph.end.1 - glyph.start.1);
            let unit = (glyph.size.max(1.0) / 4.0).min(width.max(0.1) / 2.0);
            let place = |value: f64| (value / unit).round() as i64;
            let key = (place(glyph.start.0), place(glyph.start.1), &glyph.text);
            if !glyph.text.trim().is_empty() && !seen.insert(key) {
                continue;
            }
            match last.map_or(Gap::Line, |last| gap(last, glyph)) {
                Gap::None => {}
                Gap::Space => self.line.push((" ".into(), glyph.start.0)),
                Gap::Line => self.end_line("\n"),
                Gap::Paragraph => self.end_line("\n\n"),
            }
            self.line.push((glyph.text.clone(), glyph.start.0));
            last = Some(glyph);
            if self.is_cut {
                break;
            }
        }
        // A sentence often goes on on the next page.
        self.end_line("\n");
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_cut
    }

    /// The text, and whether it was cut.
    pub(super) fn finish(self) -> (String, bool) {
        (self.text, self.is_cut)
    }

    fn end_line(&mut self, end: &str) {
        let line = bidi::in_reading_order(&std::mem::take(&mut self.line));
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let room = self.bytes_max.saturating_sub(self.text.len());
        if line.len() > room {
            self.text.push_str(&line[..line.floor_char_boundary(room)]);
            self.is_cut = true;
            return;
        }
        self.text.push_str(line);
        self.text.push_str(end);
    }
}

enum Gap {
    None,
    Space,
    Line,
    Paragraph,
}

/// What lies between a glyph and the one painted after it.
fn gap(last: &Glyph, next: &Glyph) -> Gap {
    let size = last.size.max(next.size).max(0.01);
    let (dx, dy) = (next.start.0 - last.end.0, next.start.1 - last.end.1);
    // Along the last glyph's direction, and across it, upwards.
    let (ux, uy) = direction(last)
        .or_else(|| direction(next))
        .unwrap_or((1.0, 0.0));
    let (along, across) = (dx * ux + dy * uy, dy * ux - dx * uy);
    if across.abs() < LINE_SLACK * size {
        // Right-to-left text may be painted in the order of reading: then the next one ends where
        // the last begins.
        let width = (next.end.0 - next.start.0).hypot(next.end.1 - next.start.1);
        let last_width = (last.end.0 - last.start.0).hypot(last.end.1 - last.start.1);
        let back = -along - width - last_width;
        return if along > 4.0 * size {
            Gap::Line
        } else if along > WORD_GAP * size || (along < -0.5 * size && back > WORD_GAP * size) {
            if back > 4.0 * size {
                Gap::Line
            } else {
                Gap::Space
            }
        } else {
            Gap::None
        };
    }
    if across < 0.0 && -across < PARAGRAPH_STEP * size {
        Gap::Line
    } else {
        Gap::Paragraph
    }
}

fn direction(glyph: &Glyph) -> Option<(f64, f64)> {
    let (dx, dy) = (glyph.end.0 - glyph.start.0, glyph.end.1 - glyph.start.1);
    let length = dx.hypot(dy);
    (length > 1e-6).then(|| (dx / length, dy / length))
}
