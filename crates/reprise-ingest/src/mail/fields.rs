//! The header of a message or of a part: its end and its fields.

use std::borrow::Cow;

use reprise_text::Content;

use crate::charset;

/// The number of bytes of a line that are searched for a field name.
const NAME_BYTES_MAX: usize = 100;
/// The number of bytes of a field that are decoded. Decoding takes quadratic time, and a mail may have many
/// fields.
const DECODED_BYTES_MAX: usize = 4 << 10;

/// The fields of one header.
pub(super) struct Fields<'a> {
    head: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Splits a message or part into header and body. The header ends with an empty line, or before a line that
    /// is not a field.
    pub(super) fn split(entity: &'a [u8]) -> (Fields<'a>, &'a [u8]) {
        let mut at = 0;
        for line in lines(entity) {
            if line.trim_ascii_end().is_empty() && !is_continuation(line) {
                let (head, body) = (&entity[..at], &entity[at + line.len()..]);
                return (Fields { head }, body);
            }
            if !is_continuation(line) && !is_field(line) && !is_from_line(line) {
                break;
            }
            at += line.len();
        }
        let (head, body) = entity.split_at(at);
        (Fields { head }, body)
    }

    /// Returns the value of the first field with this name, unfolded but not decoded.
    pub(super) fn raw(&self, name: &str) -> Option<Cow<'a, [u8]>> {
        let field = self.find(name)?;
        let value = &field[memchr::memchr(b':', field)? + 1..];
        let value = value.trim_ascii();
        if memchr::memchr2(b'\r', b'\n', value).is_none() {
            return Some(Cow::Borrowed(value));
        }
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        Some(
            value
                .iter()
                .copied()
                .filter(|byte| !is_break(byte))
                .collect(),
        )
    }

    /// Returns the value of the first field with this name, unfolded and with its encoded words decoded.
    pub(super) fn decoded(&self, name: &str) -> Option<String> {
        let raw = self.raw(name)?;
        let raw = &raw[..raw.len().min(DECODED_BYTES_MAX)];
        // Some fields contain bytes beyond ASCII without encoding. Their charset must be detected.
        let (text, _) = charset::decode(raw, None, Content::Plain);
        let field = ["x: ", &text].concat().into_bytes();
        let (header, _) = mailparse::parse_header(&field).ok()?;
        Some(header.get_value())
    }

    /// Returns the first field with this name, with its folded lines.
    fn find(&self, name: &str) -> Option<&'a [u8]> {
        let mut at = 0;
        let mut start = None;
        for line in lines(self.head) {
            if !is_continuation(line) {
                if let Some(start) = start {
                    return Some(&self.head[start..at]);
                }
                start = is_named(line, name).then_some(at);
            }
            at += line.len();
        }
        start.map(|start| &self.head[start..at])
    }
}

/// Returns the lines with their line breaks.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(length);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

fn is_continuation(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// Returns true for a separating line of an outer mbox, which some writers leave at the top of a header.
fn is_from_line(line: &[u8]) -> bool {
    line.starts_with(b">From ") || line.starts_with(b"From ")
}

/// Returns true if a line begins with a name and a colon.
pub(super) fn is_field(line: &[u8]) -> bool {
    field_name(line).is_some()
}

fn is_named(line: &[u8], name: &str) -> bool {
    field_name(line).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns the name before the colon. White space between the two is allowed.
pub(super) fn field_name(line: &[u8]) -> Option<&[u8]> {
    let start = &line[..line.len().min(NAME_BYTES_MAX)];
    let name = start[..memchr::memchr(b':', start)?].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    is_name.then_some(name)
}
