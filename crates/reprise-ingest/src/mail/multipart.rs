//! The parts of a multipart body, between lines with its boundary.

use super::fields::lines;

/// The parts, in order; none where the boundary does not occur. What stands before the first and
/// behind the closing boundary belongs to none; where that one is missing, the last part ends with the body.
pub(super) fn parts<'a>(body: &'a [u8], boundary: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut lines = lines(body);
    let mut at = 0;
    let mut start = None;
    let mut is_closed = false;
    std::iter::from_fn(move || {
        while !is_closed {
            let Some(line) = lines.next() else {
                is_closed = true;
                return start.map(|start| &body[start..]);
            };
            let before = at;
            at += line.len();
            let Some(delimiter) = delimiter(line, boundary) else {
                continue;
            };
            is_closed = delimiter == Delimiter::Close;
            let part = start.map(|start| without_line_end(&body[start..before]));
            start = Some(at);
            if part.is_some() {
                return part;
            }
        }
        None
    })
}

#[derive(PartialEq, Eq)]
enum Delimiter {
    Open,
    Close,
}

/// Only blanks may follow a boundary: one may be the beginning of another.
fn delimiter(line: &[u8], boundary: &[u8]) -> Option<Delimiter> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary)?;
    match rest.trim_ascii() {
        b"" => Some(Delimiter::Open),
        b"--" => Some(Delimiter::Close),
        _ => None,
    }
}

/// The line break before a boundary is part of the boundary.
fn without_line_end(part: &[u8]) -> &[u8] {
    let part = part.strip_suffix(b"\n").unwrap_or(part);
    part.strip_suffix(b"\r").unwrap_or(part)
}
