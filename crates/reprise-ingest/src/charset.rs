//! From a body's bytes to text: byte order mark, HTTP charset, `meta`, then detection.
//!
//! The byte order mark goes before the HTTP header, as in the WHATWG standard and every browser: a
//! body that begins with one is in that encoding whatever its server says. A leading mark stays in
//! the text, so that byte spans of UTF-8 pages are those of the body.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The byte order mark that some programs put before any text in UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";
/// How much of a body is searched for a `meta` element. The standard asks for 1,024 bytes;
/// browsers look through the whole head, and some heads are long.
const PRESCAN_BYTES: usize = 8 << 10;
/// How much of a body the detector sees; more does not change its mind.
const DETECT_BYTES: usize = 128 << 10;

/// The text of a body, and the name of the encoding it was in.
pub(crate) fn decode<'b>(
    body: &'b [u8],
    content_type: Option<&[u8]>,
    is_markup: bool,
) -> (Cow<'b, str>, &'static str) {
    // UTF-8 that is valid needs no second pass, whoever says it is UTF-8.
    let valid = simdutf8::basic::from_utf8(body).ok();
    let encoding =
        declared(body, content_type, is_markup).unwrap_or_else(|| detect(body, valid.is_some()));
    if encoding == UTF_8 {
        let text = valid.map_or_else(|| String::from_utf8_lossy(body), Cow::Borrowed);
        return (text, UTF_8.name());
    }
    let (text, _) = encoding.decode_without_bom_handling(body);
    (text, encoding.name())
}

fn declared(
    body: &[u8],
    content_type: Option<&[u8]>,
    is_markup: bool,
) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return Some(encoding);
    }
    let by_header = content_type
        .and_then(charset_parameter)
        .and_then(|label| match label {
            // What nearly all say, without the search.
            b"utf-8" | b"UTF-8" => Some(UTF_8),
            _ => Encoding::for_label(label),
        });
    if by_header.is_some() || !is_markup {
        return by_header;
    }
    let start = &body[..body.len().min(PRESCAN_BYTES)];
    xml_declaration(start).or_else(|| prescan(start))
}

/// The value of `charset=` in a media type, with or without quotes.
fn charset_parameter(content_type: &[u8]) -> Option<&[u8]> {
    content_type.split(|&byte| byte == b';').find_map(|part| {
        let equals = memchr::memchr(b'=', part)?;
        let name = part[..equals].trim_ascii();
        let value = part[equals + 1..].trim_ascii();
        name.eq_ignore_ascii_case(b"charset")
            .then(|| value.trim_ascii_quotes())
    })
}

trait TrimQuotes {
    fn trim_ascii_quotes(&self) -> &[u8];
}

impl TrimQuotes for [u8] {
    fn trim_ascii_quotes(&self) -> &[u8] {
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let start = self
            .iter()
            .position(|byte| !is_quote(byte))
            .unwrap_or(self.len());
        let end = self
            .iter()
            .rposition(|byte| !is_quote(byte))
            .map_or(start, |at| at + 1);
        &self[start..end]
    }
}

fn detect(body: &[u8], is_utf8: bool) -> &'static Encoding {
    // Both are valid UTF-8 as well, but UTF-16 is full of zeros and ISO-2022-JP of escapes.
    if is_utf8 && memchr::memchr2(0, 0x1b, body).is_none() {
        return UTF_8;
    }
    if let Some(encoding) = utf16_without_mark(body) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let start = &body[..body.len().min(DETECT_BYTES)];
    detector.feed(start, start.len() == body.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// ASCII letters in UTF-16 are every second byte zero; nothing else that is text looks so.
pub(crate) fn utf16_without_mark(body: &[u8]) -> Option<&'static Encoding> {
    let start = &body[..body.len().min(512) & !1];
    let pairs = start.len() / 2;
    let zeros = |offset: usize| {
        start
            .iter()
            .skip(offset)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if pairs < 8 {
        None
    } else if odd * 10 >= pairs * 6 && even * 20 < pairs {
        Some(UTF_16LE)
    } else if even * 10 >= pairs * 6 && odd * 20 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// `<?xml version="1.0" encoding="...`
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
    Encoding::for_label(&value[1..=end]).map(not_utf16)
}

/// An encoding in which the declaration itself could not have been read is taken for what it
/// must be, by the standard's rule.
fn not_utf16(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// The standard's "prescan a byte stream to determine its encoding".
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
            b"charset" if by_charset.is_none() => by_charset = Encoding::for_label(value),
            b"content" if by_content.is_none() => {
                by_content = charset_in_content(value).and_then(Encoding::for_label);
            }
            _ => {}
        }
    }
    by_charset
        .or(by_content.filter(|_| is_pragma))
        .map(not_utf16)
}

/// The standard's "extracting a character encoding from a meta element".
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

/// The standard's "get an attribute": name and value, or nothing at the end of the tag.
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

#[cfg(test)]
mod tests;
