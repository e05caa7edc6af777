//! The parts of a multipart body, which are separated by lines with its boundary.

use super::fields::lines;

/// Returns the parts in order, or nothing if the boundary does not occur. The text before the first and after
/// the closing boundary belongs to no part. Without a closing boundary, the last part ends with the body.
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

/// Returns the delimiter that a line is. Only white space may follow a boundary, because one boundary may be
/// the beginning of another.
fn delimiter(line: &[u8], boundary: &[u8]) -> Option<Delimiter> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary)?;
    match rest.trim_ascii() {
        b"" => Some(Delimiter::Open),
        b"--" => Some(Delimiter::Close),
        _ => None,
    }
}

/// Removes the line break before a boundary, which is part of the boundary.
fn without_line_end(part: &[u8]) -> &[u8] {
    let part = part.strip_suffix(b"\n").unwrap_or(part);
    part.strip_suffix(b"\r").unwrap_or(part)
}
