//! Where tags and comments end, by the tokenizer's own rules.

use memchr::{memchr, memchr3};

use crate::window::{Window, first, last, since};

/// A name of at most eight letters as one number, in either case; names that are longer or hold
/// anything else have other numbers.
pub(crate) const fn packed(name: &[u8]) -> u64 {
    if name.len() > 8 {
        return 0;
    }
    let mut word = 0;
    let mut at = 0;
    while at < name.len() {
        // This makes letters small, and makes no other byte a letter.
        word = word << 8 | (name[at] | 0x20) as u64;
        at += 1;
    }
    word
}

/// What the tokenizer calls white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Does this byte end a tag name?
pub(crate) fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

/// The end of the comment, document type or the like that begins with the `<!` or `<?` at `less`.
pub(crate) fn comment_end(text: &[u8], less: usize) -> usize {
    let rest = &text[less..];
    if !rest.starts_with(b"<!--") {
        // A document type ends at the first `>` too, even within the quotes of an identifier.
        return after_greater(text, less + 2);
    }
    if rest.starts_with(b"<!-->") {
        return less + 5;
    }
    if rest.starts_with(b"<!--->") {
        return less + 6;
    }
    let content = less + 4;
    let mut from = content;
    while let Some(offset) = memchr(b'>', &text[from..]) {
        let greater = from + offset;
        let inside = &text[content..greater];
        if inside.ends_with(b"--") || inside.ends_with(b"--!") {
            return greater + 1;
        }
        from = greater + 1;
    }
    text.len()
}

/// Just after the first `>`; the text's end when there is none.
pub(crate) fn after_greater(text: &[u8], from: usize) -> usize {
    memchr(b'>', &text[from..]).map_or(text.len(), |offset| from + offset + 1)
}

/// The end of a tag, just after its `>`, given the start of its name; nothing when the text ends
/// first.
///
/// The first `>` ends the tag unless it is within a quoted value. If it is, and only `"` precede it,
/// then the last of these opened that value, so an `=` precedes that quote, perhaps with white space
/// between. Mostly the last quote closes a value and has another byte before it, and so no more needs to
/// be known of the tag.
#[inline]
pub(crate) fn tag_end(text: &[u8], name_start: usize) -> Option<usize> {
    let window = Window::at(text, name_start);
    if let Some(greater) = first(window.equal(b'>')) {
        let before = !since(greater);
        let quote = last(window.equal(b'"') & before);
        let is_sure = quote.is_none_or(|quote| !may_precede_value(text[name_start + quote - 1]));
        if is_sure && window.equal(b'\'') & before == 0 {
            return Some(name_start + greater + 1);
        }
    }
    long_tag_end(text, name_start)
}

/// May a quote after this byte open a value?
pub(crate) fn may_precede_value(byte: u8) -> bool {
    byte == b'=' || is_space(byte)
}

/// [`tag_end`] by the quoted values as long as they are written as usual, else by the tokenizer's
/// states.
#[inline(never)]
fn long_tag_end(text: &[u8], name_start: usize) -> Option<usize> {
    let mut at = name_start;
    let mut state = State::TagName;
    loop {
        // Without a quote, the first `>` ends the tag in every state.
        let stop = at + memchr3(b'>', b'"', b'\'', &text[at..])?;
        if text[stop] == b'>' {
            return Some(stop + 1);
        }
        if !opens_value(state, &text[at..stop]) {
            return tag_end_by_states(text, at, state);
        }
        at = stop + 1;
        at += memchr(text[stop], &text[at..])? + 1;
        state = State::BeforeName;
    }
}

/// Does a quote after these bytes, which hold no quote, surely open an attribute's value? The
/// everyday case only: attributes of nothing but letters, digits, `-`, `_` and `:`, all but the
/// last without a value.
fn opens_value(state: State, before: &[u8]) -> bool {
    let Some((b'=', names)) = before.split_last() else {
        return false;
    };
    let mut last = b' ';
    let mut spaces = usize::from(state == State::BeforeName);
    for &byte in names {
        if is_space(byte) {
            spaces += 1;
        } else if !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b':') {
            return false;
        }
        last = byte;
    }
    spaces > 0 && !is_space(last)
}

/// The tokenizer's states within a tag, as far as they matter for where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    TagName,
    /// Before an attribute's name; also after a quoted value and after a `/`, which treat all
    /// that matters here alike.
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
}

/// [`tag_end`] by the tokenizer's own states, from the given place and state.
fn tag_end_by_states(text: &[u8], from: usize, state: State) -> Option<usize> {
    let mut state = state;
    let mut at = from;
    loop {
        let byte = *text.get(at)?;
        at += 1;
        state = match (state, byte) {
            (State::BeforeValue, b'"' | b'\'') => {
                at += memchr(byte, &text[at..])? + 1;
                State::BeforeName
            }
            (_, b'>') => return Some(at),
            (State::BeforeValue, _) if is_space(byte) => State::BeforeValue,
            (State::Name | State::AfterName, _) if is_space(byte) => State::AfterName,
            (_, _) if is_space(byte) => State::BeforeName,
            (State::BeforeValue | State::Unquoted, _) => State::Unquoted,
            (_, b'/') => State::BeforeName,
            (State::TagName, _) => State::TagName,
            (State::Name | State::AfterName, b'=') => State::BeforeValue,
            // Also an `=` where a name should begin: it is the name's first character.
            (_, _) => State::Name,
        };
    }
}
