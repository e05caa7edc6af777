//! The visible text of a piece of HTML.

use std::ops::ControlFlow;

use crate::folder::leading_space;
use crate::tokens::names::packed;
use crate::tokens::{RawElement, Syntax, TokenKind, Tokens, decode};

/// What a reader meets on the way through a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen<'t> {
    /// Text that may hold character references.
    Encoded(&'t str),
    /// Text that is what it says.
    Literal(&'t str),
    /// A tag that acts as white space.
    Break,
}

/// Walks through what a piece of HTML shows until told to stop; true when told so.
///
/// A tag acts as white space, unless its element is one that formats words or parts of words: then
/// it acts as nothing, as comments do. `script`, `style`, `iframe`, `noembed`, `noframes` and
/// `template` show nothing.
pub(crate) fn walk<'t>(piece: &'t str, mut see: impl FnMut(Seen<'t>) -> ControlFlow<()>) -> bool {
    walk_tokens(piece, &mut see).is_break()
}

const TEMPLATE: u64 = packed(b"template");

fn walk_tokens<'t>(
    piece: &'t str,
    see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // The number of open templates.
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

/// The tokenizer keeps a NUL in ordinary text, but makes it U+FFFD in raw text.
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

/// Does a tag of this name act as nothing?
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

/// Does this text, which may hold character references, show anything but white space?
pub(crate) fn has_encoded_ink(text: &str) -> bool {
    // Before the first reference there is nothing to decode, and mostly something to see.
    let rest = &text[leading_space(text)..];
    if rest.starts_with('&') {
        has_ink(&decode(rest))
    } else {
        !rest.is_empty()
    }
}

/// Is there anything but white space?
pub(crate) fn has_ink(text: &str) -> bool {
    leading_space(text) < text.len()
}
