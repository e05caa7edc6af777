//! Folding white space: every run becomes one space, none is left at either end.

use crate::markup::is_space;
use crate::window::{WINDOW, Window, first, since};

/// Appends text to a string with its ASCII white space (space, TAB, LF, FF, CR) folded.
///
/// Single spaces, the most frequent white space, are copied with the words around them. All other
/// runs are looked for in windows of 64 bytes. A window begins with a byte that is not white space
/// or with a space after such a byte.
///
/// Text with nothing to fold but its ends is returned instead of appended. Also tells whether all of
/// the text is ASCII: the windows know.
pub(crate) fn fold_ascii<'t>(text: &'t str, out: &mut String) -> (Option<&'t str>, bool) {
    let text = text.trim_matches(|character| u8::try_from(character).is_ok_and(is_space));
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    let mut union = Window::default();
    while at < bytes.len() {
        let window = Window::at(bytes, at);
        union = union.or(window);
        let spaces = window.equal(b' ');
        let others = other_space(window);
        let all = spaces | others;
        let mut odd = others | (spaces & (all << 1 | all >> 1));
        at += loop {
            let Some(start) = first(odd) else {
                // Whether a space at the very end is a single one will show in the next window.
                break WINDOW - usize::from(spaces >> (WINDOW - 1) == 1);
            };
            out.push_str(&text[copied..at + start]);
            out.push(' ');
            if let Some(end) = first(!all & since(start)) {
                copied = at + end;
                odd &= since(end);
            } else {
                let beyond = bytes[at + WINDOW..].iter();
                let end = WINDOW + beyond.take_while(|byte| is_space(**byte)).count();
                copied = at + end;
                break end;
            }
        };
    }
    if copied == 0 {
        return (Some(text), union.is_ascii());
    }
    out.push_str(&text[copied..]);
    (None, union.is_ascii())
}

/// The bits of TAB, LF, FF and CR. The zeros past the end of a text are none of them.
#[inline]
fn other_space(window: Window) -> u64 {
    match window.at_most(b'\r') {
        0 => 0,
        low => low & !window.at_most(b'\t' - 1) & !window.equal(b'\x0b'),
    }
}

/// Appends text to a string bit by bit, with its white space (Unicode `White_Space`) folded.
#[derive(Debug)]
pub(crate) struct Folder<'o> {
    out: &'o mut String,
    /// Length of the string before anything was appended.
    start: usize,
    /// White space has been seen since the last other character.
    pending: bool,
}

impl<'o> Folder<'o> {
    pub(crate) fn new(out: &'o mut String) -> Self {
        Self {
            start: out.len(),
            out,
            pending: false,
        }
    }

    /// Acts as white space without being text.
    pub(crate) fn push_break(&mut self) {
        self.pending = true;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let space = leading_space(rest);
            self.pending |= space > 0;
            rest = &rest[space..];
            let words = leading_words(rest);
            if words > 0 {
                if self.pending && self.out.len() > self.start {
                    self.out.push(' ');
                }
                self.pending = false;
                self.out.push_str(&rest[..words]);
                rest = &rest[words..];
            }
        }
    }
}

/// How many bytes of white space (Unicode `White_Space`) a text begins with.
pub(crate) fn leading_space(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ascii = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\t'..=b'\r' | b' '));
    let at = ascii.unwrap_or(bytes.len());
    match bytes.get(at) {
        Some(0x80..) => text.len() - text[at..].trim_start().len(),
        _ => at,
    }
}

/// How many bytes of words with single spaces between them a text begins with.
fn leading_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // The next byte tells whether this is a single space: it is plain, or it is not.
            b' ' if bytes.get(at + 1).is_some_and(|&next| is_plain(next)) => at += 2,
            b'\t'..=b'\r' | b' ' => break,
            // The first bytes of all characters of white space beyond ASCII.
            0xc2 | 0xe1..=0xe3 => {
                let character = text[at..].chars().next().unwrap_or_default();
                if character.is_whitespace() {
                    break;
                }
                at += character.len_utf8();
            }
            _ => at += 1,
        }
    }
    at
}

/// Is this surely not the first byte of white space?
fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\t'..=b'\r' | b' ' | 0xc2 | 0xe1..=0xe3)
}
