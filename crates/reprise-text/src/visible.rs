//! Finds the visible text of a piece of HTML.

use std::ops::ControlFlow;

use crate::folder::leading_space;
use crate::tokens::names::packed;
use crate::tokens::{RawElement, Syntax, TokenKind, Tokens, decode};

/// A part of what a reader sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen<'t> {
    /// Text that may contain character references.
    Encoded(&'t str),
    /// Text without character references.
    Literal(&'t str),
    /// A tag that acts as white space.
    Break,
}

/// Calls `see` with the parts of what a piece of HTML shows. Returns true if `see` stopped the walk.
///
/// [`normalize`](crate::normalize) says which tags act as white space and which elements show nothing.
pub(crate) fn walk<'t>(piece: &'t str, mut see: impl FnMut(Seen<'t>) -> ControlFlow<()>) -> bool {
    walk_tokens(piece, &mut see).is_break()
}

const TEMPLATE: u64 = packed(b"template");

fn walk_tokens<'t>(
    piece: &'t str,
    see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // The number of open templates. They show nothing.
    let mut templates = 0_usize;
    for token in Tokens::new(piece, Syntax::Html) {
        match token.kind {
            TokenKind::Start(tag) => {
                let name = tag.packed_name();
                if !is_inline(name) {
                    see(Seen::Break)?;
                    templates += usize::from(name == TEMPLATE);
                }
            }
            TokenKind::End(tag) => {
                let name = tag.packed_name();
                if name == TEMPLATE {
                    templates = templates.saturating_sub(1);
                }
                if !is_inline(name) {
                    see(Seen::Break)?;
                }
            }
            TokenKind::Text(text) if templates == 0 => see(Seen::Encoded(text))?,
            TokenKind::CData(text) if templates == 0 => see(Seen::Literal(text))?,
            TokenKind::RawText { element, text } if templates == 0 && element.is_visible() => {
                see_raw_text(element, text, see)?;
            }
            _ => {}
        }
    }
    ControlFlow::Continue(())
}

/// Calls `see` with the parts of a raw text. The standard replaces NUL by U+FFFD in raw text only.
fn see_raw_text<'t>(
    element: RawElement,
    text: &'t str,
    see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (index, part) in text.split('\0').enumerate() {
        if index > 0 {
            see(Seen::Literal("\u{fffd}"))?;
        }
        see(if element.has_references() {
            Seen::Encoded(part)
        } else {
            Seen::Literal(part)
        })?;
    }
    ControlFlow::Continue(())
}

/// Returns true if the tags of this element disappear from the text instead of acting as white space.
fn is_inline(name: u64) -> bool {
    const fn all<const N: usize>(names: [&[u8]; N]) -> [u64; N] {
        let mut words = [0; N];
        let mut at = 0;
        while at < N {
            words[at] = packed(names[at]);
            at += 1;
        }
        words
    }
    const SHORT: [u64; 7] = all([b"a", b"b", b"i", b"q", b"s", b"u", b"em"]);
    const LONG: [u64; 22] = all([
        b"abbr", b"bdi", b"bdo", b"big", b"cite", b"code", b"del", b"dfn", b"font", b"ins", b"kbd",
        b"mark", b"samp", b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"tt", b"var",
        b"wbr",
    ]);
    SHORT.contains(&name) || LONG.contains(&name)
}

/// Returns true if a text that may contain character references shows anything except white space.
pub(crate) fn has_encoded_ink(text: &str) -> bool {
    // Decode only if the text begins with a reference. Most texts do not.
    let rest = &text[leading_space(text)..];
    if rest.starts_with('&') {
        has_ink(&decode(rest))
    } else {
        !rest.is_empty()
    }
}

/// Returns true if a text contains anything except white space.
pub(crate) fn has_ink(text: &str) -> bool {
    leading_space(text) < text.len()
}
