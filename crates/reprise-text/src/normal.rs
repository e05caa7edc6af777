//! Computes the normal form of a piece.

use std::ops::ControlFlow;

use crate::fold::{Folded, fold_ascii};
use crate::folder::Folder;
use crate::kind::{ChunkForm, Content};
use crate::tokens::names::{NamePrefixes, joined};
use crate::tokens::rules::tag_end;
use crate::tokens::{RawElement, decode};
use crate::visible::{Seen, has_encoded_ink, has_ink, walk};

/// The measures of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Measure {
    /// The length of the normal form in Unicode scalar values.
    pub chars: usize,
    /// True if the piece has visible text, in any form.
    pub visible: bool,
}

/// Appends the normal form of a raw piece to `out`. A piece whose normal form is empty is not a chunk.
///
/// - Markup form: every run of ASCII white space (space, TAB, LF, FF, CR) becomes one space, and both
///   ends are trimmed. Nothing else changes.
/// - Text form: the visible text. Every run of Unicode `White_Space` becomes one space, and both ends
///   are trimmed. In plain and other content, all text is visible. In HTML:
///   - a tag acts as white space, except for the tags of `a`, `abbr`, `b`, `bdi`, `bdo`, `big`, `cite`,
///     `code`, `del`, `dfn`, `em`, `font`, `i`, `ins`, `kbd`, `mark`, `q`, `s`, `samp`, `small`,
///     `span`, `strike`, `strong`, `sub`, `sup`, `tt`, `u`, `var` and `wbr`, which disappear:
///     `w<b>or</b>d` is one word, and `<td>a</td><td>b</td>` is two;
///   - comments and the document type disappear;
///   - the content of `script`, `style`, `template`, `iframe`, `noembed` and `noframes` is left
///     out; the content of `title`, `textarea`, `xmp` and `noscript` is kept;
///   - character references are decoded.
///
/// The result depends only on the arguments, not on the page around the piece.
pub fn normalize(content: Content, form: ChunkForm, raw: &str, out: &mut String) -> Measure {
    let mut normal = Vec::new();
    let (measure, kept) = normalize_or_keep(content, form, raw, &mut normal);
    out.push_str(match kept {
        Some(kept) => kept,
        None => str::from_utf8(&normal).expect("made of whole characters"),
    });
    measure
}

/// Does the work of [`normalize`], but returns a normal form that is a part of the raw piece instead of
/// appending it. Most pieces need no copy.
pub fn normalize_or_keep<'r>(
    content: Content,
    form: ChunkForm,
    raw: &'r str,
    out: &mut Vec<u8>,
) -> (Measure, Option<&'r str>) {
    match form {
        ChunkForm::Markup => {
            let Folded { kept, chars } = fold_ascii(raw, out);
            let visible = match content {
                Content::Html => shows_ink(raw),
                Content::Plain | Content::Other => has_ink(raw),
            };
            (Measure { chars, visible }, kept)
        }
        ChunkForm::Text => {
            let start = out.len();
            match content {
                Content::Html => append_visible(raw, out),
                Content::Plain | Content::Other => Folder::new(out).push_str(raw),
            }
            let chars = count_chars(&out[start..]);
            let visible = chars > 0;
            (Measure { chars, visible }, None)
        }
    }
}

/// Counts the characters of UTF-8: the bytes that begin a character.
fn count_chars(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

fn append_visible(raw: &str, out: &mut Vec<u8>) {
    let mut folder = Folder::new(out);
    walk(raw, |seen| {
        match seen {
            Seen::Encoded(text) => folder.push_str(&decode(text)),
            Seen::Literal(text) => folder.push_str(text),
            Seen::Break => folder.push_break(),
        }
        ControlFlow::Continue(())
    });
}

/// Returns true if a piece of HTML shows anything except white space.
fn shows_ink(raw: &str) -> bool {
    begins_with_ink(raw.as_bytes()).unwrap_or_else(|| {
        walk(raw, |seen| {
            let ink = match seen {
                Seen::Encoded(text) => has_encoded_ink(text),
                Seen::Literal(text) => has_ink(text),
                Seen::Break => false,
            };
            if ink {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    })
}

/// Returns whether a piece shows anything, if the first byte behind tags and white space decides it.
///
/// For most pieces it does, and this is faster than starting the tokenizer.
fn begins_with_ink(raw: &[u8]) -> Option<bool> {
    let mut at = 0;
    loop {
        match raw.get(at..)? {
            [] => return Some(false),
            [b'\t'..=b'\r' | b' ', ..] => at += 1,
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => at = tag_end(raw, at + 2)?,
            [b'<', first, second, ..]
                if first.is_ascii_alphabetic() && !HIDING.may_begin(*first, *second) =>
            {
                at = tag_end(raw, at + 1)?;
            }
            [b'<' | b'&' | 0x80.., ..] => return None,
            [..] => return Some(true),
        }
    }
}

/// The first letters of elements whose content may be invisible.
static HIDING: NamePrefixes = {
    const NAMES: [&[u8]; RawElement::NAMES.len() + 1] = joined(&RawElement::NAMES, &[b"template"]);
    NamePrefixes::new(&NAMES)
};
