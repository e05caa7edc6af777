//! The tokenizer: splits HTML and XML into tags, text, raw text and comments.
//!
//! In reading order:
//!
//! - [`Tokens`]: an iterator over the tokens of a text. It follows the [WHATWG tokenizer] and
//!   allocates nothing.
//! - [`Syntax`]: whether the text is HTML or XML, and whether scripting is enabled.
//! - [`Token`]: a [`TokenKind`] and its byte span. The spans tile the text.
//! - [`Tag`]: the name and the [`Attributes`] of a tag. Attributes are parsed on demand.
//! - [`RawElement`]: the elements whose content has no tags, such as `script`.
//! - [`decode`]: replaces character references such as `&amp;`.
//!
//! ```
//! use reprise_text::tokens::{Syntax, TokenKind, Tokens};
//!
//! let page = "<p><A HREF='/?a&amp;b'>here</A>";
//! let links = Tokens::new(page, Syntax::Html).filter_map(|token| match token.kind {
//!     TokenKind::Start(tag) if tag.has_name("a") => tag.attribute("href"),
//!     _ => None,
//! });
//! assert_eq!(links.collect::<Vec<_>>(), ["/?a&b"]);
//! ```
//!
//! The tokenizer builds no tree. Where the rules of HTML depend on the tree, it follows these instead:
//!
//! - [`RawElement`]s hold raw text everywhere, also within `svg` and `math`, and also if their start
//!   tag ends in `/>`.
//! - In HTML, `<![CDATA[` begins a comment that ends at the first `>`, also within `svg` and `math`.
//!
//! [WHATWG tokenizer]: https://html.spec.whatwg.org/multipage/parsing.html#tokenization

pub(crate) mod names;
mod raw_text;
pub(crate) mod rules;
mod scan;
mod tag;

use std::borrow::Cow;

use memchr::{memchr, memmem};

pub use self::raw_text::RawElement;
use self::scan::{Markup, MarkupKind, Scanner};
pub use self::tag::{Attribute, Attributes, Tag};
use crate::span::Span;

/// The language that a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// HTML in a browser without scripting: the content of `noscript` is markup.
    Html,
    /// HTML in a browser with scripting: the content of `noscript` is raw text.
    ///
    /// Differs from the standard in one point: the first `</script` ends a script, even if it belongs to
    /// a script within `<!--` and `-->`. Plain texts depend on it, and hashes of plain texts are stored.
    ScriptedHtml,
    /// XML: CDATA sections are text, and no element holds raw text.
    Xml,
}

/// A token and its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// The bytes of the token, including `<` and `>`. Never empty.
    pub span: Span,
    /// The token itself.
    pub kind: TokenKind<'t>,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug)]
pub enum TokenKind<'t> {
    /// A start tag.
    Start(Tag<'t>),
    /// An end tag.
    End(Tag<'t>),
    /// Text between tags, as written. It may contain character references.
    Text(&'t str),
    /// The content of a raw text element, as written. The element's start tag is the token before it.
    RawText {
        /// The element.
        element: RawElement,
        /// The content. It may contain character references if
        /// [`element.has_references()`](RawElement::has_references).
        text: &'t str,
    },
    /// The text in a CDATA section of XML. It has no character references.
    CData(&'t str),
    /// A comment, a document type, a processing instruction, or markup that browsers treat as a
    /// comment. It shows nothing.
    Comment,
    /// A tag that is cut off by the end of the text. Browsers drop it.
    Unfinished,
}

/// Iterates over the tokens of a text. Their spans tile the text.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    syntax: Syntax,
    scanner: Scanner<'t>,
    /// The end of the last token.
    at: usize,
    /// The raw text element whose start tag was returned last.
    raw: Option<RawElement>,
}

impl<'t> Tokens<'t> {
    /// Starts to tokenize a text.
    #[inline]
    pub fn new(text: &'t str, syntax: Syntax) -> Self {
        Self {
            text,
            syntax,
            scanner: Scanner::new(text.as_bytes()),
            at: 0,
            raw: None,
        }
    }

    /// Makes a token that begins at the end of the last one.
    #[inline]
    fn token(&mut self, end: usize, kind: TokenKind<'t>) -> Token<'t> {
        let span = Span {
            start: self.at,
            end,
        };
        self.at = end;
        Token { span, kind }
    }

    #[expect(clippy::inline_always, reason = "see `Iterator::next`")]
    #[inline(always)]
    fn markup(&mut self) -> Token<'t> {
        let start = self.at;
        let Markup { kind, end } = self.scanner.markup(start);
        match kind {
            MarkupKind::Start => {
                let tag = Tag::new(self.text, start + 1, end);
                self.raw = RawElement::of(tag.name_bytes(), tag.packed_name(), self.syntax);
                self.token(end, TokenKind::Start(tag))
            }
            MarkupKind::End => {
                let tag = Tag::new(self.text, start + 2, end);
                self.token(end, TokenKind::End(tag))
            }
            MarkupKind::Comment => {
                if self.syntax == Syntax::Xml
                    && let Some(section) = self.cdata()
                {
                    return section;
                }
                self.token(end, TokenKind::Comment)
            }
            MarkupKind::Unfinished => self.token(end, TokenKind::Unfinished),
        }
    }

    /// Returns the CDATA section that begins at the end of the last token, if one does.
    #[cold]
    fn cdata(&mut self) -> Option<Token<'t>> {
        let content = self.text[self.at..].strip_prefix("<![CDATA[")?;
        let start = self.text.len() - content.len();
        let length = memmem::find(content.as_bytes(), b"]]>");
        let end = length.map_or(self.text.len(), |length| start + length + "]]>".len());
        let text = &content[..length.unwrap_or(content.len())];
        self.scanner.skip_to(end);
        Some(self.token(end, TokenKind::CData(text)))
    }

    /// Returns the content of an element whose start tag was the last token, unless it is empty.
    #[inline(never)]
    fn raw_text(&mut self, element: RawElement) -> Option<Token<'t>> {
        let start = self.at;
        let end = element.content_end(self.text.as_bytes(), start, self.syntax);
        self.scanner.skip_to(end);
        let text = &self.text[start..end];
        (start < end).then(|| self.token(end, TokenKind::RawText { element, text }))
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    #[expect(
        clippy::inline_always,
        reason = "inlined, a token is never written to memory: text form is 5 % faster"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Token<'t>> {
        if let Some(element) = self.raw {
            self.raw = None;
            if let Some(token) = self.raw_text(element) {
                return Some(token);
            }
        }
        let start = self.at;
        let text_end = self.scanner.markup_start();
        if start < text_end {
            let text = &self.text[start..text_end];
            return Some(self.token(text_end, TokenKind::Text(text)));
        }
        if start == self.text.len() {
            return None;
        }
        Some(self.markup())
    }
}

/// Replaces the character references in a text, such as `&amp;` and `&#38;`.
pub fn decode(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_some() {
        htmlize::unescape(text)
    } else {
        Cow::Borrowed(text)
    }
}
