//! The rules of HTML for the ends of names, tags and comments.
//!
//! The tokenizer and the cutter's fast path share them.

use memchr::{memchr, memchr3};

use crate::bytes64::{Bytes64, first, last, since};

/// Returns true if the tokenizer treats the byte as white space.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

/// Returns true if the byte ends a tag name.
pub(crate) const fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

/// Returns true if the text at `at` continues with this name, in upper or lower case, and a byte that
/// ends it.
#[inline]
pub(crate) fn is_name(text: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + name.len();
    let found = text.get(at..end);
    found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        && text.get(end).is_some_and(|&byte| ends_name(byte))
}

/// Returns the end of the comment, document type or processing instruction that begins with the `<!`
/// or `<?` at `less`.
pub(crate) fn comment_end(text: &[u8], less: usize) -> usize {
    let rest = &text[less..];
    if !rest.starts_with(b"<!--") {
        // A document type also ends at the first `>`, even within a quoted identifier.
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

/// Returns the offset just after the first `>`, or the end of the text.
pub(crate) fn after_greater(text: &[u8], from: usize) -> usize {
    memchr(b'>', &text[from..]).map_or(text.len(), |offset| from + offset + 1)
}

/// Returns the offset just after the `>` of the tag whose name begins at `name_start`, or `None` if
/// the text ends within the tag.
///
/// The first `>` ends the tag unless it is within a quoted value. Suppose it is, and the tag has only
/// double quotes before it. Then the last of them opened the value, so an `=` or white space precedes
/// that quote. Usually the last quote closes a value and another byte precedes it: then the first `>`
/// ends the tag, and the function need not read the attributes.
#[inline]
pub(crate) fn tag_end(text: &[u8], name_start: usize) -> Option<usize> {
    let group = Bytes64::at(text, name_start);
    if let Some(greater) = first(group.equal(b'>')) {
        let before = !since(greater);
        let quote = last(group.equal(b'"') & before);
        let is_sure = quote.is_none_or(|quote| !may_precede_value(text[name_start + quote - 1]));
        if is_sure && group.equal(b'\'') & before == 0 {
            return Some(name_start + greater + 1);
        }
    }
    long_tag_end(text, name_start)
}

/// Returns true if a quote after this byte may open a value.
pub(crate) fn may_precede_value(byte: u8) -> bool {
    byte == b'=' || is_space(byte)
}

/// Does the work of [`tag_end`] by jumping from quote to quote while attributes are written as usual,
/// then with the tokenizer's states.
#[inline(never)]
fn long_tag_end(text: &[u8], name_start: usize) -> Option<usize> {
    let mut at = name_start;
    let mut state = State::TagName;
    loop {
        // If no quote comes before it, the first `>` ends the tag in every state.
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

/// Returns true if a quote after the bytes `before` certainly opens a value. `before` has no quote.
///
/// Recognises only the usual case: attribute names of letters, digits, `-`, `_` and `:`, of which only
/// the last has a value.
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

/// The tokenizer's states within a tag, as far as they decide where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    TagName,
    /// Before the name of an attribute. The states after a quoted value and after a `/` differ only in
    /// ways that do not matter here.
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
}

/// Does the work of [`tag_end`] with the tokenizer's states, starting at `from` in the given state.
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
            // An `=` where a name should begin is the first character of the name.
            (_, _) => State::Name,
        };
    }
}
