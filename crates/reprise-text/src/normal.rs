//! The normal form of one piece.

use std::ops::ControlFlow;

use crate::cut::is_cut;
use crate::fold::{Folder, fold_ascii};
use crate::kind::{ChunkForm, Content};
use crate::markup::tag_end;
use crate::visible::{Seen, decode, has_encoded_ink, has_ink, walk};

/// What is known of a chunk besides its normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Measure {
    /// Length of the normal form in Unicode scalar values.
    pub chars: usize,
    /// Whether the piece has visible text, whichever form was asked for.
    pub visible: bool,
}

/// Appends the normal form of one raw piece to `out`; appends nothing when that form is empty, and
/// then the piece is no chunk.
///
/// - Markup form: every run of ASCII white space (space, TAB, LF, FF, CR) becomes one space, and
///   none is left at either end. Nothing else is changed.
/// - Text form: the visible text, in which every run of Unicode `White_Space` becomes one space
///   and none is left at either end. All text of plain and other content is visible. In HTML:
///   - a tag acts as white space, unless it is of `a`, `abbr`, `b`, `bdi`, `bdo`, `big`, `cite`,
///     `code`, `del`, `dfn`, `em`, `font`, `i`, `ins`, `kbd`, `mark`, `q`, `s`, `samp`, `small`,
///     `span`, `strike`, `strong`, `sub`, `sup`, `tt`, `u`, `var` or `wbr`: these act as nothing,
///     so `w<b>or</b>d` is one word, and `<td>a</td><td>b</td>` are two;
///   - comments and the document type act as nothing;
///   - the content of `script`, `style`, `template`, `iframe`, `noembed` and `noframes` is left
///     out, that of `title`, `textarea`, `xmp` and `noscript` is not;
///   - character references are decoded.
///
/// The result depends on the arguments alone, not on the page the piece was cut from.
pub fn normalize(content: Content, form: ChunkForm, raw: &str, out: &mut String) -> Measure {
    let (measure, kept) = normalize_or_keep(content, form, raw, out);
    out.push_str(kept.unwrap_or_default());
    measure
}

/// [`normalize`], except that a normal form which is a part of the raw piece is returned and not
/// appended: most pieces need no copy.
pub fn normalize_or_keep<'r>(
    content: Content,
    form: ChunkForm,
    raw: &'r str,
    out: &mut String,
) -> (Measure, Option<&'r str>) {
    let start = out.len();
    let ((kept, is_ascii), ink) = match (content, form) {
        (Content::Html, ChunkForm::Text) => {
            append_visible(raw, out);
            ((None, false), None)
        }
        (Content::Plain | Content::Other, ChunkForm::Text) => {
            Folder::new(out).push_str(raw);
            ((None, false), None)
        }
        (Content::Html, ChunkForm::Markup) => (fold_ascii(raw, out), Some(shows_ink(raw))),
        (Content::Plain | Content::Other, ChunkForm::Markup) => {
            (fold_ascii(raw, out), Some(has_ink(raw)))
        }
    };
    let normal = kept.unwrap_or(&out[start..]);
    let measure = Measure {
        chars: if is_ascii {
            normal.len()
        } else {
            normal.chars().count()
        },
        visible: ink.unwrap_or(!normal.is_empty()),
    };
    (measure, kept)
}

fn append_visible(raw: &str, out: &mut String) {
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

/// Does a piece of HTML show anything but white space? Mostly its first text tells.
fn shows_ink(raw: &str) -> bool {
    if begins_with_ink(raw.as_bytes()) {
        return true;
    }
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
}

/// Does a letter or digit follow the `p` or `div` tag that the piece begins with? Most paragraphs
/// need no closer look.
fn begins_with_ink(raw: &[u8]) -> bool {
    is_cut(raw, 0)
        && tag_end(raw, 1)
            .and_then(|end| raw.get(end))
            .is_some_and(u8::is_ascii_alphanumeric)
}
