//! Forms words, lines and paragraphs from the positions of glyphs.

use std::collections::HashSet;

use crate::pdf::bidi;
use crate::pdf::content::Glyph;

/// The narrowest gap between words, as a share of the font height. TeX shrinks spaces to 0.22 and moves
/// letters by less than 0.1.
const WORD_GAP: f64 = 0.15;
/// The largest distance of a glyph from its line, as a share of the font height. Superscripts and
/// subscripts are within it.
const LINE_SLACK: f64 = 0.55;
/// The largest distance between the lines of a paragraph, as a multiple of the font height.
const PARAGRAPH_STEP: f64 = 1.75;

/// Builds the text of pages.
pub(super) struct Layout {
    text: String,
    bytes_max: usize,
    is_cut: bool,
    /// The parts of the current line, and their positions along it.
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
            // A letter painted twice at nearly the same position looks bold, and counts once. Two narrow
            // letters side by side are farther apart.
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
        // A sentence often continues on the next page, so the paragraph does not end here.
        self.end_line("\n");
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_cut
    }

    /// Returns the text, and true if it was cut.
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

/// Returns the gap between a glyph and the one painted after it.
fn gap(last: &Glyph, next: &Glyph) -> Gap {
    let size = last.size.max(next.size).max(0.01);
    let (dx, dy) = (next.start.0 - last.end.0, next.start.1 - last.end.1);
    // The distance along the direction of the last glyph, and upwards across it.
    let (ux, uy) = direction(last)
        .or_else(|| direction(next))
        .unwrap_or((1.0, 0.0));
    let (along, across) = (dx * ux + dy * uy, dy * ux - dx * uy);
    if across.abs() < LINE_SLACK * size {
        // Right-to-left text may be painted in reading order. Then the next glyph ends at the start of the
        // last one.
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
