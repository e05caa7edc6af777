//! Raw text: the content of elements such as `script`, which contains no tags.

use memchr::{memchr, memchr2};

use crate::tokens::Syntax;
use crate::tokens::names::{NamePrefixes, pack, packed};
use crate::tokens::rules::{is_name, tag_end};

/// An element whose content contains no tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RawElement {
    /// `title`. Its content may contain character references.
    Title,
    /// `textarea`. Its content may contain character references.
    Textarea,
    /// `style`.
    Style,
    /// `iframe`.
    Iframe,
    /// `noembed`.
    Noembed,
    /// `noframes`.
    Noframes,
    /// `noscript`, in a browser with scripting.
    Noscript,
    /// `xmp`.
    Xmp,
    /// `script`. Its content may contain other scripts between `<!--` and `-->`.
    Script,
    /// `plaintext`. No end tag ends it.
    Plaintext,
}

impl RawElement {
    /// All elements.
    const ALL: [Self; 10] = [
        Self::Script,
        Self::Style,
        Self::Title,
        Self::Textarea,
        Self::Iframe,
        Self::Noembed,
        Self::Noframes,
        Self::Noscript,
        Self::Xmp,
        Self::Plaintext,
    ];

    /// The names of all elements.
    pub(crate) const NAMES: [&'static [u8]; Self::ALL.len()] = {
        let mut names: [&[u8]; Self::ALL.len()] = [b""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name().as_bytes();
            at += 1;
        }
        names
    };

    /// Returns the name of the element.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Textarea => "textarea",
            Self::Style => "style",
            Self::Iframe => "iframe",
            Self::Noembed => "noembed",
            Self::Noframes => "noframes",
            Self::Noscript => "noscript",
            Self::Xmp => "xmp",
            Self::Script => "script",
            Self::Plaintext => "plaintext",
        }
    }

    /// Returns true if the content may contain character references.
    pub const fn has_references(self) -> bool {
        matches!(self, Self::Title | Self::Textarea)
    }

    /// Returns true if a reader sees the content.
    pub const fn is_visible(self) -> bool {
        matches!(
            self,
            Self::Title | Self::Textarea | Self::Xmp | Self::Plaintext
        )
    }

    /// Returns the raw text element with this name, in upper or lower case.
    #[inline]
    pub(crate) fn of(name: &[u8], packed: u64, syntax: Syntax) -> Option<Self> {
        let element = Self::by_name(name, packed)?;
        let is_raw = match syntax {
            Syntax::Html => element != Self::Noscript,
            Syntax::ScriptedHtml => true,
            Syntax::Xml => false,
        };
        is_raw.then_some(element)
    }

    #[inline]
    fn by_name(name: &[u8], word: u64) -> Option<Self> {
        const PACKED: [u64; RawElement::ALL.len()] = {
            let mut words = [0; RawElement::ALL.len()];
            let mut at = 0;
            while at < words.len() {
                words[at] = packed(RawElement::NAMES[at]);
                at += 1;
            }
            words
        };
        static PREFIXES: NamePrefixes = NamePrefixes::new(&RawElement::NAMES);
        // Few other names begin with the same two letters.
        match name {
            [first, second, ..] if PREFIXES.may_begin(*first, *second) => {}
            _ => return None,
        }
        let at = PACKED.iter().position(|&known| known == word)?;
        let element = Self::ALL[at];
        // All names of more than eight letters have the same number.
        (word != 0 || name.eq_ignore_ascii_case(element.name().as_bytes())).then_some(element)
    }

    /// Returns the end of the content that begins at `from`: the `<` of the end tag, or the end of the
    /// text.
    pub(crate) fn content_end(self, text: &[u8], from: usize, syntax: Syntax) -> usize {
        let end_tag = match self {
            Self::Script if syntax != Syntax::ScriptedHtml => find_script_end_tag(text, from),
            Self::Plaintext => None,
            _ => find_end_tag(text, from, self.name().as_bytes()),
        };
        end_tag.unwrap_or(text.len())
    }

    /// Skips the raw text behind the HTML start tag whose name begins at `name_start`.
    ///
    /// Returns the end of the element's end tag. If the element does not hold raw text, returns
    /// `tag_end`, the end of the start tag.
    #[inline(never)]
    pub(crate) fn skip(text: &[u8], name_start: usize, tag_end: usize) -> usize {
        let tag = &text[name_start..tag_end];
        let (packed, length) = pack(tag);
        match Self::of(&tag[..length], packed, Syntax::Html) {
            Some(element) => element.end(text, tag_end),
            None => tag_end,
        }
    }

    /// Returns the end of the end tag behind the HTML content that begins at `from`.
    fn end(self, text: &[u8], from: usize) -> usize {
        let end_tag = self.content_end(text, from, Syntax::Html);
        let end = (end_tag < text.len()).then(|| tag_end(text, end_tag + 2));
        end.flatten().unwrap_or(text.len())
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

/// Returns true if the end tag of this name begins at `less`.
fn is_end_tag(text: &[u8], less: usize, name: &[u8]) -> bool {
    text.get(less + 1) == Some(&b'/') && is_name(text, less + 2, name)
}

/// Returns the offset of the end tag of a script. Between `<!--` and `-->`, a script may contain pairs
/// of `<script>` and `</script>`. An end tag outside such a pair ends the script.
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
            // Stay before the dashes: the `-->` in `<!-->` ends the escape immediately.
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
