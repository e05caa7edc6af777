//! The visible text of a piece of HTML.

use std::borrow::Cow;
use std::ops::ControlFlow;

use memchr::memchr;

use crate::folder::leading_space;
use crate::markup::{ends_name, packed};
use crate::raw_text::RawText;
use crate::scan::{Markup, Scanner};

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
pub(crate) fn walk(piece: &str, mut see: impl FnMut(Seen<'_>) -> ControlFlow<()>) -> bool {
    Walk {
        piece,
        scanner: Scanner::new(piece.as_bytes(), 0),
        templates: 0,
    }
    .run(&mut see)
    .is_break()
}

const TEMPLATE: u64 = packed(b"template");

struct Walk<'t> {
    piece: &'t str,
    scanner: Scanner<'t>,
    /// How many templates are open.
    templates: usize,
}

impl<'t> Walk<'t> {
    fn run(&mut self, see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut text_start = 0;
        while let Some(found) = self.scanner.next() {
            self.see_text(Seen::Encoded(&self.piece[text_start..found.less]), see)?;
            text_start = found.end;
            match found.markup {
                Markup::Comment | Markup::Unfinished => {}
                Markup::EndTag => {
                    let name = packed(self.name(found.less + 2));
                    if name == TEMPLATE {
                        self.templates = self.templates.saturating_sub(1);
                    }
                    if !is_inline(name) {
                        see(Seen::Break)?;
                    }
                }
                Markup::StartTag => {
                    let name = self.name(found.less + 1);
                    let word = packed(name);
                    if !is_inline(word) {
                        see(Seen::Break)?;
                        self.templates += usize::from(word == TEMPLATE);
                        if let Some(raw) = RawText::of(name) {
                            text_start = self.pass_raw_text(raw, name, found.end, see)?;
                        }
                    }
                }
            }
        }
        self.see_text(Seen::Encoded(&self.piece[text_start..]), see)
    }

    fn name(&self, start: usize) -> &'t [u8] {
        let rest = &self.piece.as_bytes()[start..];
        let length = rest.iter().position(|&byte| ends_name(byte));
        &rest[..length.unwrap_or(rest.len())]
    }

    /// Passes the content and the end tag of a raw text element; where that ends.
    fn pass_raw_text(
        &mut self,
        raw: RawText,
        name: &[u8],
        start: usize,
        see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        let close = raw.end(self.piece.as_bytes(), start, name);
        let content = &self.piece[start..close.content];
        match raw {
            RawText::Verbatim | RawText::Script => {}
            RawText::Escapable => self.see_raw_text(Seen::Encoded, content, see)?,
            RawText::Example | RawText::Plaintext => {
                self.see_raw_text(Seen::Literal, content, see)?;
            }
        }
        see(Seen::Break)?;
        self.scanner.pass(close.end);
        ControlFlow::Continue(close.end)
    }

    /// The tokenizer keeps a NUL in ordinary text, but makes it U+FFFD in raw text.
    fn see_raw_text(
        &self,
        kind: fn(&'t str) -> Seen<'t>,
        content: &'t str,
        see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (index, part) in content.split('\0').enumerate() {
            if index > 0 {
                self.see_text(Seen::Literal("\u{fffd}"), see)?;
            }
            self.see_text(kind(part), see)?;
        }
        ControlFlow::Continue(())
    }

    fn see_text(
        &self,
        text: Seen<'t>,
        see: &mut impl FnMut(Seen<'t>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.templates > 0 {
            return ControlFlow::Continue(());
        }
        see(text)
    }
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

/// Decodes character references.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_some() {
        htmlize::unescape(text)
    } else {
        Cow::Borrowed(text)
    }
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
