//! The declared encoding of a body: by its byte order mark, by its header, or in the body itself.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use reprise_text::Content;

/// The number of bytes that are searched for a `meta` element. The standard asks for 1,024; browsers search the
/// whole head, and some heads are long.
const PRESCAN_BYTES: usize = 8 << 10;

/// Returns the declared encoding, if it can be decoded.
pub(super) fn find(
    body: &[u8],
    content_type: Option<&[u8]>,
    content: Content,
) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return Some(encoding);
    }
    let by_header = content_type
        .and_then(named)
        .filter(|&encoding| encoding != REPLACEMENT);
    if by_header.is_some() {
        return by_header;
    }
    let start = &body[..body.len().min(PRESCAN_BYTES)];
    match content {
        Content::Html => xml_declaration(start).or_else(|| prescan(start)),
        // A script may contain the word `meta`, but not the element.
        Content::Other => xml_declaration(start).or_else(|| css_rule(start)),
        Content::Plain => None,
    }
}

/// Returns the encoding that a media type names, even if it cannot be decoded.
pub(crate) fn named(content_type: &[u8]) -> Option<&'static Encoding> {
    match charset_parameter(content_type)? {
        // Nearly all pages name UTF-8: skip the search.
        b"utf-8" | b"UTF-8" => Some(UTF_8),
        label => Encoding::for_label(label),
    }
}

/// Returns the value of `charset=` in a media type. Quotes and the semicolon before it are optional.
fn charset_parameter(content_type: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let is_separator = |byte: &u8| matches!(byte, b';' | b',') || byte.is_ascii_whitespace();
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    memchr::memchr2_iter(b'c', b'C', content_type).find_map(|at| {
        let (before, rest) = content_type.split_at(at);
        let (name, value) = rest.split_at_checked(NAME.len())?;
        let is_name = name.eq_ignore_ascii_case(NAME) && before.last().is_none_or(is_separator);
        let value = value
            .trim_ascii_start()
            .strip_prefix(b"=")
            .filter(|_| is_name)?;
        let start = value
            .iter()
            .position(|byte| !is_quote(byte) && !byte.is_ascii_whitespace());
        let value = &value[start.unwrap_or(value.len())..];
        let end = value
            .iter()
            .position(|byte| is_quote(byte) || is_separator(byte));
        Some(&value[..end.unwrap_or(value.len())])
    })
}

/// Returns the encoding of `@charset "...";`, which is valid only at the very beginning of a style sheet.
fn css_rule(start: &[u8]) -> Option<&'static Encoding> {
    let rest = start.strip_prefix(b"@charset \"")?;
    let (label, rest) = rest.split_at(memchr::memchr(b'"', rest)?);
    rest.starts_with(b"\";")
        .then_some(label)
        .and_then(by_itself)
}

/// Returns the encoding that a body declares for itself. By the standard's rule, an encoding in which the
/// declaration could not have been read is replaced.
fn by_itself(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label_no_replacement(label)?;
    Some(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// Returns the encoding of `<?xml version="1.0" encoding="...`.
fn xml_declaration(start: &[u8]) -> Option<&'static Encoding> {
    let rest = start.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memmem::find(rest, b"?>")?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + 8..]
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let end = memchr::memchr(quote, &value[1..])?;
    by_itself(&value[1..=end])
}

/// Implements the standard's "prescan a byte stream to determine its encoding".
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', bytes.get(at..)?) {
        at += found;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment, so its dashes may overlap.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 3;
        } else if is_meta(rest) {
            at += 5;
            if let Some(encoding) = meta_encoding(bytes, &mut at) {
                return Some(encoding);
            }
        } else if starts_tag(rest) {
            at += rest
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
            while next_attribute(bytes, &mut at).is_some() {}
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5
        && rest[1..5].eq_ignore_ascii_case(b"meta")
        && (rest[5].is_ascii_whitespace() || rest[5] == b'/')
}

fn starts_tag(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'/') => rest.get(2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

fn meta_encoding(bytes: &[u8], at: &mut usize) -> Option<&'static Encoding> {
    let mut is_pragma = false;
    let mut by_charset = None;
    let mut by_content = None;
    while let Some((name, value)) = next_attribute(bytes, at) {
        match name.to_ascii_lowercase().as_slice() {
            b"http-equiv" => is_pragma |= value.eq_ignore_ascii_case(b"content-type"),
            b"charset" if by_charset.is_none() => by_charset = by_itself(value),
            b"content" if by_content.is_none() => {
                by_content = charset_in_content(value).and_then(by_itself);
            }
            _ => {}
        }
    }
    by_charset.or(by_content.filter(|_| is_pragma))
}

/// Implements the standard's "extracting a character encoding from a meta element".
fn charset_in_content(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(&lower[from..], b"charset")? + 7;
        let Some(value) = content[at..].trim_ascii_start().strip_prefix(b"=") else {
            from = at;
            continue;
        };
        let value = value.trim_ascii_start();
        return match value.first() {
            Some(quote @ (b'"' | b'\'')) => {
                let end = memchr::memchr(*quote, &value[1..])?;
                Some(&value[1..=end])
            }
            _ => value
                .split(|byte| byte.is_ascii_whitespace() || *byte == b';')
                .next(),
        };
    }
}

/// Implements the standard's "get an attribute". Returns name and value, or `None` at the end of the tag.
fn next_attribute<'b>(bytes: &'b [u8], at: &mut usize) -> Option<(&'b [u8], &'b [u8])> {
    let skip_space = |at: &mut usize, also_slash: bool| {
        while bytes
            .get(*at)
            .is_some_and(|byte| byte.is_ascii_whitespace() || (also_slash && *byte == b'/'))
        {
            *at += 1;
        }
    };
    skip_space(at, true);
    if *bytes.get(*at)? == b'>' {
        return None;
    }
    let name_start = *at;
    while let Some(byte) = bytes.get(*at) {
        let ends = byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        if ends || (*byte == b'=' && *at > name_start) {
            break;
        }
        *at += 1;
    }
    let name = &bytes[name_start..*at];
    skip_space(at, false);
    if bytes.get(*at) != Some(&b'=') {
        return Some((name, b""));
    }
    *at += 1;
    skip_space(at, false);
    let quote = *bytes.get(*at)?;
    if matches!(quote, b'"' | b'\'') {
        let start = *at + 1;
        let length = memchr::memchr(quote, &bytes[start..])?;
        *at = start + length + 1;
        return Some((name, &bytes[start..start + length]));
    }
    let start = *at;
    while bytes
        .get(*at)
        .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'>')
    {
        *at += 1;
    }
    Some((name, &bytes[start..*at]))
}
