//! Transfer encodings: quoted-printable, base64, uuencode. All others mean unencoded bytes.

use std::borrow::Cow;

use mailparse::body::Body;
use mailparse::parse_content_type;

use super::fields::lines;

/// Removes the transfer encoding of a body. Decodes as much as possible of a damaged one.
pub(super) fn decode<'b>(body: &'b [u8], encoding: Option<&str>) -> Cow<'b, [u8]> {
    let encoding = encoding.unwrap_or_default().trim().to_ascii_lowercase();
    match encoding.as_str() {
        "base64" => Cow::Owned(base64(body)),
        "quoted-printable" => Cow::Owned(quoted_printable(body)),
        "x-uuencode" | "uuencode" | "x-uue" | "uue" => {
            let whole = uuencoded(body).and_then(|range| body.get(range));
            whole.map_or(Cow::Borrowed(body), |file| Cow::Owned(uudecode(file)))
        }
        _ => Cow::Borrowed(body),
    }
}

/// Removes uuencoded files from a text: before MIME, mail programs attached files like this.
pub(super) fn without_uuencoded(body: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    let mut from = 0;
    while let Some(file) = uuencoded(&body[from..]) {
        kept.extend_from_slice(&body[from..from + file.start]);
        from += file.end;
    }
    if from == 0 {
        return body;
    }
    kept.extend_from_slice(&body[from..]);
    Cow::Owned(kept)
}

/// Decodes quoted-printable. All crates change line breaks, but spans must refer to the text that was sent.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut output = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = memchr::memchr(b'=', rest) {
        output.extend_from_slice(&rest[..at]);
        let escape = &rest[at + 1..];
        let blanks = escape
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        let blanks = blanks.count();
        if let Some(byte) = hexadecimal(escape) {
            output.push(byte);
            rest = &escape[2..];
        } else if matches!(escape.get(blanks), Some(b'\n') | None) {
            // The line continues.
            rest = escape.get(blanks + 1..).unwrap_or_default();
        } else {
            output.push(b'=');
            rest = escape;
        }
    }
    output.extend_from_slice(rest);
    output
}

fn hexadecimal(escape: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*escape.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

fn base64(body: &[u8]) -> Vec<u8> {
    base64_by_crate(body)
        .or_else(|| {
            let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
            let mut digits: Vec<u8> = body.iter().copied().filter(is_digit).collect();
            digits.truncate(digits.len() & !3);
            base64_by_crate(&digits)
        })
        .unwrap_or_default()
}

fn base64_by_crate(body: &[u8]) -> Option<Vec<u8>> {
    let content_type = parse_content_type("");
    match Body::new(body, &content_type, &Some("base64".to_owned())) {
        Body::Base64(encoded) => encoded.get_decoded().ok(),
        _ => None,
    }
}

/// Returns the range of the first uuencoded file, from its line `begin 644 name` to the end of its line `end`.
fn uuencoded(body: &[u8]) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&body[from..], b"begin ") {
        let start = from + found;
        from = start + 6;
        let is_line_start = start == 0 || body[start - 1] == b'\n';
        if is_line_start && let Some(length) = uuencoded_bytes(&body[start..]) {
            return Some(start..start + length);
        }
    }
    None
}

/// Returns the length of the uuencoded file at the start of `bytes`, or `None` if `bytes` do not begin with a
/// complete one.
fn uuencoded_bytes(bytes: &[u8]) -> Option<usize> {
    let mut lines = lines(bytes);
    let first = lines.next()?;
    let mode: Vec<u8> = first[6..].iter().copied().take(5).collect();
    let digits = mode
        .iter()
        .take_while(|byte| (b'0'..b'8').contains(byte))
        .count();
    if !(3..=4).contains(&digits) || mode.get(digits) != Some(&b' ') {
        return None;
    }
    let mut length = first.len();
    for line in lines {
        length += line.len();
        let line = line.trim_ascii_end();
        if line == b"end" {
            return Some(length);
        }
        let is_data = line.is_empty()
            || (line.len() <= 1 + 64 && line.iter().all(|byte| (b' '..=b'`').contains(byte)));
        if !is_data {
            return None;
        }
    }
    None
}

fn uudecode(file: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    for line in lines(file).skip(1) {
        let line = line.trim_ascii_end();
        let Some((&count, digits)) = line.split_first().filter(|_| line != b"end") else {
            continue;
        };
        let value = |at: usize| {
            digits
                .get(at)
                .map_or(0, |digit| digit.wrapping_sub(32) & 63)
        };
        let start = output.len();
        for at in (0..digits.len()).step_by(4) {
            let [a, b, c, d] = [value(at), value(at + 1), value(at + 2), value(at + 3)];
            output.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
        }
        output.truncate(start + usize::from(count.wrapping_sub(32) & 63));
    }
    output
}
