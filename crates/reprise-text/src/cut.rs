//! Cuts a text into raw pieces.

use memchr::memchr2;

use crate::kind::Content;
use crate::skim::Skimmer;
use crate::span::Span;
use crate::tokens::RawElement;
use crate::tokens::rules::{ends_name, tag_end};

/// The names of the start tags that cut. [`is_cut`] spells them out, which is faster than a loop.
pub(crate) const CUT_NAMES: [&[u8]; 2] = [b"p", b"div"];

/// Iterates over the raw pieces of a text.
///
/// The pieces tile the text, except for a leading U+FEFF. No piece is empty.
///
/// - HTML: a piece begins at each `p` and `div` start tag. A tag that is cut off by the end of the text
///   does not count.
/// - Plain text: a piece begins at each line that is not blank and follows a blank line. A blank line
///   contains only white space (Unicode `White_Space`). A line ends in LF, CR LF or CR. Blank lines at
///   the start of the text belong to the first piece.
/// - Other text: one piece.
#[derive(Clone, Debug)]
pub struct Cutter<'t> {
    content: Content,
    text: &'t str,
    /// The start of the next piece.
    start: usize,
    skimmer: Skimmer<'t>,
}

impl<'t> Cutter<'t> {
    /// Starts to cut a text.
    pub fn new(content: Content, text: &'t str) -> Self {
        let start = if text.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        Self {
            content,
            text,
            start,
            skimmer: Skimmer::new(text.as_bytes(), start),
        }
    }

    /// Returns the offset of the next `p` or `div` start tag behind the start of the piece, or the end of
    /// the text.
    fn next_html_cut(&mut self) -> usize {
        let text = self.text.as_bytes();
        while let Some(less) = self.skimmer.next() {
            if is_cut(text, less) {
                if less > self.start && self.skimmer.is_finished(less) {
                    return less;
                }
            } else if let Some(end) = tag_end(text, less + 1) {
                self.skimmer.skip_to(RawElement::skip(text, less + 1, end));
            }
        }
        text.len()
    }
}

impl Iterator for Cutter<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let start = self.start;
        if start == self.text.len() {
            return None;
        }
        let end = match self.content {
            Content::Html => self.next_html_cut(),
            Content::Plain => next_plain_cut(self.text, start),
            Content::Other => self.text.len(),
        };
        self.start = end;
        Some(Span { start, end })
    }
}

/// Returns true if a start tag that cuts begins at `at`: `<p` or `<div`, in upper or lower case,
/// followed by white space, `/` or `>`.
///
/// The caller must know that `at` is not within a tag, a comment or raw text. The start of a piece never
/// is.
pub fn is_cut(text: &[u8], at: usize) -> bool {
    let name_end = match text.get(at..) {
        Some([b'<', b'p' | b'P', ..]) => at + 2,
        Some([b'<', b'd' | b'D', b'i' | b'I', b'v' | b'V', ..]) => at + 4,
        _ => return false,
    };
    text.get(name_end).is_some_and(|&byte| ends_name(byte))
}

/// Returns the offset of the next line that is not blank and follows a blank line, or the end of the
/// text. Blank lines before the first text are ignored.
fn next_plain_cut(text: &str, start: usize) -> usize {
    let mut seen_text = false;
    let mut after_blank = false;
    let mut at = start;
    while at < text.len() {
        let end = line_end(text.as_bytes(), at);
        let blank = text[at..end].trim_start().is_empty();
        if !blank && after_blank && seen_text {
            return at;
        }
        seen_text |= !blank;
        after_blank = blank;
        at = end;
    }
    text.len()
}

/// Returns the offset behind the line that begins at `at`, including its line end.
fn line_end(text: &[u8], at: usize) -> usize {
    let Some(offset) = memchr2(b'\n', b'\r', &text[at..]) else {
        return text.len();
    };
    let end = at + offset;
    if text[end..].starts_with(b"\r\n") {
        end + 2
    } else {
        end + 1
    }
}
