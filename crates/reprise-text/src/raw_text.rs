//! Elements whose content is not markup, and where that content ends.

use memchr::{memchr, memchr2};

use crate::markup::{ends_name, packed, tag_end};

/// An element that the tokenizer reads in a state of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawText {
    /// `title`, `textarea`: no tags, but character references.
    Escapable,
    /// `style`, `iframe`, `noembed`, `noframes`: neither.
    Verbatim,
    /// `xmp`: neither, and it shows.
    Example,
    /// `script`: neither, and it may hold end tags of its own within `<!--` and `-->`.
    Script,
    /// `plaintext`: neither, and no end tag ends it.
    Plaintext,
}

/// Where the content of such an element ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawEnd {
    /// End of the content, at the `<` of the end tag.
    pub(crate) content: usize,
    /// Just after the end tag; the end of the text when there is none.
    pub(crate) end: usize,
}

impl RawText {
    /// The kind of the element of this name, if it is one.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        const TITLE: u64 = packed(b"title");
        const TEXTAREA: u64 = packed(b"textarea");
        const STYLE: u64 = packed(b"style");
        const XMP: u64 = packed(b"xmp");
        const IFRAME: u64 = packed(b"iframe");
        const NOEMBED: u64 = packed(b"noembed");
        const NOFRAMES: u64 = packed(b"noframes");
        const SCRIPT: u64 = packed(b"script");
        match packed(name) {
            TITLE | TEXTAREA => Some(Self::Escapable),
            STYLE | IFRAME | NOEMBED | NOFRAMES => Some(Self::Verbatim),
            XMP => Some(Self::Example),
            SCRIPT => Some(Self::Script),
            0 if name.eq_ignore_ascii_case(b"plaintext") => Some(Self::Plaintext),
            _ => None,
        }
    }

    /// Where the content of the element ends whose start tag has its name at `name_start` and ends
    /// at `tag_end`; there when it is not such an element.
    #[inline(never)]
    pub(crate) fn pass(text: &[u8], name_start: usize, tag_end: usize) -> usize {
        let tag = &text[name_start..tag_end];
        let name = tag.iter().position(|&byte| ends_name(byte));
        let name = name.map_or(tag, |length| &tag[..length]);
        Self::of(name).map_or(tag_end, |raw| raw.end(text, tag_end, name).end)
    }

    /// Where the content that begins at `from`, in the element of this name, ends.
    pub(crate) fn end(self, text: &[u8], from: usize, name: &[u8]) -> RawEnd {
        let close = match self {
            Self::Escapable | Self::Verbatim | Self::Example => find_end_tag(text, from, name),
            Self::Script => find_script_end_tag(text, from),
            Self::Plaintext => None,
        };
        let end = close.and_then(|less| tag_end(text, less + 2));
        RawEnd {
            content: close.unwrap_or(text.len()),
            end: end.unwrap_or(text.len()),
        }
    }
}

fn find_end_tag(text: &[u8], from: usize, name: &[u8]) -> Option<usize> {
    let mut at = from;
    loop {
        let less = at + memchr(b'<', &text[at..])?;
        if is_end_tag(text, less, name) {
            return Some(less);
        }
        at = less + 1;
    }
}

/// Is there `</`, the name, and what ends a name?
fn is_end_tag(text: &[u8], less: usize, name: &[u8]) -> bool {
    text.get(less + 1) == Some(&b'/') && is_name(text, less + 2, name)
}

fn is_name(text: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + name.len();
    let found = text.get(at..end);
    found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        && text.get(end).is_some_and(|&byte| ends_name(byte))
}

/// The end tag of a script. Within `<!--` and `-->` a script may hold `<script>` and `</script>`
/// pairs of its own; an end tag outside such a pair still ends it.
fn find_script_end_tag(text: &[u8], from: usize) -> Option<usize> {
    const NAME: &[u8] = b"script";
    let mut escaped = false;
    let mut doubly_escaped = false;
    let mut at = from;
    loop {
        if !escaped {
            let less = at + memchr(b'<', &text[at..])?;
            if is_end_tag(text, less, NAME) {
                return Some(less);
            }
            escaped = text[less..].starts_with(b"<!--");
            // Not past the dashes: `<!-->` leaves the escape at once.
            at = less + 1;
            continue;
        }
        let stop = at + memchr2(b'<', b'>', &text[at..])?;
        at = stop + 1;
        if text[stop] == b'>' {
            if text[..stop].ends_with(b"--") {
                escaped = false;
                doubly_escaped = false;
            }
        } else if doubly_escaped {
            if is_end_tag(text, stop, NAME) {
                doubly_escaped = false;
                at = stop + b"</script>".len();
            }
        } else if is_end_tag(text, stop, NAME) {
            return Some(stop);
        } else if is_name(text, stop + 1, NAME) {
            doubly_escaped = true;
            at = stop + b"<script>".len();
        }
    }
}
