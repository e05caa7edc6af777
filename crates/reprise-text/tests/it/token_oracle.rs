//! Compares the tokenizer with `html5gum`.

use std::collections::BTreeMap;

use reprise_text::Span;
use reprise_text::tokens::{Syntax, Token, TokenKind, Tokens, decode};

use crate::oracle;

/// A token in the form in which the tests compare it.
#[derive(Debug, PartialEq, Eq)]
enum Simple {
    Start {
        name: String,
        attributes: BTreeMap<String, String>,
        is_self_closing: bool,
        span: Span,
    },
    End {
        name: String,
        span: Span,
    },
    /// All text between two tags, decoded.
    Text(String),
}

/// Appends text to the last token if that is text.
fn push_text(tokens: &mut Vec<Simple>, text: &str) {
    let text = cleaned(text);
    if text.is_empty() {
        return;
    }
    if let Some(Simple::Text(last)) = tokens.last_mut() {
        last.push_str(&text);
    } else {
        tokens.push(Simple::Text(text));
    }
}

/// Replaces NUL and line ends. `html5gum` replaces line ends, and NUL where the standard asks for it.
fn cleaned(text: &str) -> String {
    let text = text.replace('\0', "\u{fffd}");
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn ours(page: &str, syntax: Syntax) -> Vec<Simple> {
    let mut simple = Vec::new();
    for token in Tokens::new(page, syntax) {
        match token.kind {
            TokenKind::Start(tag) => {
                let mut attributes = BTreeMap::new();
                for attribute in tag.attributes() {
                    let name = cleaned(&attribute.name.to_ascii_lowercase());
                    let value = cleaned(&attribute.decoded());
                    // The first attribute of a name counts.
                    attributes.entry(name).or_insert(value);
                }
                simple.push(Simple::Start {
                    name: cleaned(&tag.name().to_ascii_lowercase()),
                    attributes,
                    is_self_closing: tag.is_self_closing(),
                    span: token.span,
                });
            }
            TokenKind::End(tag) => simple.push(Simple::End {
                name: cleaned(&tag.name().to_ascii_lowercase()),
                span: token.span,
            }),
            TokenKind::Text(text) => push_text(&mut simple, &decode(text)),
            TokenKind::RawText { element, text } if element.has_references() => {
                push_text(&mut simple, &decode(text));
            }
            TokenKind::RawText { text, .. } | TokenKind::CData(text) => {
                push_text(&mut simple, text);
            }
            TokenKind::Comment | TokenKind::Unfinished => {}
        }
    }
    simple
}

fn theirs(page: &str, has_scripting: bool) -> Vec<Simple> {
    let mut simple = Vec::new();
    // A reference such as `&#13;` is a line end that the standard keeps.
    let text = |bytes: &[u8]| cleaned(&String::from_utf8_lossy(bytes));
    for token in oracle::tokens(page, has_scripting) {
        match token {
            html5gum::Token::StartTag(tag) => {
                let attributes = tag.attributes.iter();
                simple.push(Simple::Start {
                    name: text(&tag.name.0),
                    attributes: attributes
                        .map(|(name, value)| (text(&name.0), text(&value.value.0)))
                        .collect(),
                    is_self_closing: tag.self_closing,
                    span: Span {
                        start: tag.span.start,
                        end: tag.span.end,
                    },
                });
            }
            html5gum::Token::EndTag(tag) => simple.push(Simple::End {
                name: text(&tag.name.0),
                span: Span {
                    start: tag.span.start,
                    end: tag.span.end,
                },
            }),
            html5gum::Token::String(string) => push_text(&mut simple, &text(&string.value.0)),
            _ => {}
        }
    }
    simple
}

/// Compares the tokens of a page with those of `html5gum`, and checks that they tile the page.
pub(crate) fn check_tokens(page: &str) {
    for syntax in [Syntax::Html, Syntax::ScriptedHtml, Syntax::Xml] {
        let mut end = 0;
        for token in Tokens::new(page, syntax) {
            assert_eq!(token.span.start, end, "tokens tile {page:?}");
            assert!(token.span.start < token.span.end, "empty token in {page:?}");
            end = token.span.end;
            check_spans(page, &token);
        }
        assert_eq!(end, page.len(), "tokens tile {page:?}");
    }
    assert_eq!(ours(page, Syntax::Html), theirs(page, false), "{page:?}");
    // The syntaxes treat scripts within scripts differently.
    let lower = page.to_ascii_lowercase();
    if !(lower.contains("<script") && lower.contains("<!--")) {
        let scripted = ours(page, Syntax::ScriptedHtml);
        assert_eq!(scripted, theirs(page, true), "{page:?}");
    }
}

/// Checks that the parts of a token are where its spans say.
fn check_spans(page: &str, token: &Token<'_>) {
    let raw = &page[token.span.start..token.span.end];
    match token.kind {
        TokenKind::Start(tag) => {
            assert!(raw[1..].starts_with(tag.name()));
            for attribute in tag.attributes() {
                let span = attribute.value_span;
                assert_eq!(&page[span.start..span.end], attribute.value);
            }
        }
        TokenKind::End(tag) => assert!(raw[2..].starts_with(tag.name())),
        TokenKind::Text(text) | TokenKind::RawText { text, .. } => assert_eq!(raw, text),
        TokenKind::CData(text) => assert!(raw["<![CDATA[".len()..].starts_with(text)),
        TokenKind::Comment | TokenKind::Unfinished => assert!(raw.starts_with('<')),
    }
}
