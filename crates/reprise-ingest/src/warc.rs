//! WARC 0.x, 1.0 and 1.1: the frame of a record and its header fields.
//!
//! A stated length is accepted if it leads to a record, to the end, or to padding. If it leads to something
//! else, and another record seems to begin in the block, then either the length is too large, or the block is a
//! document that quotes records. It is a document if the blank line between records follows it and the quoted
//! records end inside it. Records that were swallowed by a wrong length extend beyond its end.

use std::borrow::Cow;

use memchr::memmem;

use crate::date;
use crate::fields::{blank_line, fields, fields_in, line_ends};
use crate::frame::{Frame, memchr_non_space};
use crate::limits::RecordLimits;
use crate::problem::ProblemKind;
use crate::record::{RecordHead, RecordKind};

/// The longest text that is searched across the end of a buffer: a line break and `WARC/1.0`.
pub(crate) const LOOK_BACK: usize = 16;

/// The number of zeros at the end of a file that count as padding, not as a problem.
const PADDING_BYTES_MAX: usize = 64 << 10;

/// The number of quoted records that are followed to their end. Following more would take long if each block
/// contains many.
const SHOWN_MAX: usize = 64;
/// The number of bytes in which the header of a quoted record must end.
const SHOWN_HEAD_BYTES: usize = 16 << 10;

/// Returns true if `bytes` begin with `WARC/` and a version.
pub(crate) fn is_version_line(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WARC/") && bytes.get(5).is_some_and(u8::is_ascii_digit)
}

/// Returns the position of the first version line at or after `from`: one at the start of a line, or, if the
/// line break before it is damaged, one that a WARC field follows.
pub(crate) fn find_version_line(bytes: &[u8], from: usize) -> Option<usize> {
    version_lines(bytes, from).next()
}

fn version_lines(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> {
    memmem::find_iter(bytes.get(from..).unwrap_or_default(), b"WARC/")
        .map(move |at| at + from)
        .filter(|&at| is_version_line(&bytes[at..]))
        .filter(|&at| at == 0 || begins_line(&bytes[..at]) || is_header(&bytes[at..]))
}

/// Returns true if a line begins after these bytes. Some editors write a byte order mark before the first line.
fn begins_line(before: &[u8]) -> bool {
    before.ends_with(b"\n") || before == b"\xef\xbb\xbf"
}

/// Returns true if a WARC field follows the version line.
fn is_header(bytes: &[u8]) -> bool {
    let line = &bytes[..bytes.len().min(LOOK_BACK)];
    memchr::memchr(b'\n', line).is_some_and(|end| bytes[end + 1..].starts_with(b"WARC-"))
}

/// Returns the position of the first version line after an empty line, at or after `from`.
pub(crate) fn find_separate(bytes: &[u8], from: usize) -> Option<usize> {
    memmem::find_iter(bytes.get(from..)?, b"WARC/")
        .map(|at| at + from)
        .filter(|&at| is_version_line(&bytes[at..]))
        .find(|&at| bytes[..at].ends_with(b"\n\r\n") || bytes[..at].ends_with(b"\n\n"))
}

/// Returns the frame at the start of `bytes`.
pub(crate) fn next_frame(bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
    let Some(start) = memchr_non_space(bytes) else {
        return if at_end {
            Frame::End
        } else {
            Frame::NeedMore(bytes.len() + 1)
        };
    };
    let rest = &bytes[start..];
    if rest.len() < LOOK_BACK && !at_end {
        return Frame::NeedMore(bytes.len() + LOOK_BACK);
    }
    if !is_version_line(rest) {
        return padding(bytes, start, at_end)
            .unwrap_or_else(|| garbage(bytes, start, at_end, "bytes that are not a record"));
    }
    let mut lines = line_ends(&rest[..rest.len().min(limits.header_bytes)]);
    // Note the line with the length on the way, so that the header is not searched again.
    let mut length_line = None;
    let head_bytes = lines.find_map(|(at, after)| {
        if length_line.is_none() && is_length_line(after) {
            length_line = Some(start + at);
        }
        match blank_line(after) {
            Some(length) => Some(Some(at + length)),
            // A header does not continue into the next one. If many did, each would be searched for its end up
            // to the limit.
            None => is_version_line(after).then_some(None),
        }
    });
    let Some(head_bytes) = head_bytes else {
        if rest.len() > limits.header_bytes {
            let mut frame = garbage(bytes, start, at_end, "a record header");
            if let Frame::Garbage { kind, end, .. } = &mut frame {
                *kind = ProblemKind::HeaderTooLarge;
                // Of the headers that begin inside it, only the last may have an end. Skip the others, because
                // each would be searched for it.
                let seen = start + limits.header_bytes.saturating_sub(2 * LOOK_BACK);
                *end = version_lines(bytes, *end)
                    .take_while(|&at| at < seen)
                    .last()
                    .unwrap_or(*end);
            }
            return frame;
        }
        if at_end {
            return garbage(bytes, start, at_end, "a record header that breaks off");
        }
        // Ask for twice as much, so that a long header is not searched again after every small read.
        return Frame::NeedMore(bytes.len() * 2);
    };
    let Some(head_bytes) = head_bytes else {
        return garbage(bytes, start, at_end, "a record header without an end");
    };
    let head = start..start + head_bytes;
    let length = length_line.and_then(|line| stated_length(&bytes[line..head.end]));
    let Some(length) = length else {
        return record_without_length(bytes, head, at_end, limits);
    };
    if length > limits.record_bytes() as u64 {
        let end = (head.end as u64).saturating_add(length);
        return Frame::Oversize { head, start, end };
    }
    let block = head.end..head.end + length as usize;
    // More bytes are needed to check that the next record begins after this one.
    if bytes.len() < block.end + LOOK_BACK && !at_end {
        return Frame::NeedMore(block.end + LOOK_BACK);
    }
    checked_record(bytes, head, block)
}

/// Returns the frame of a record that states no length: it extends to the next record, or to the end. Any line
/// that may begin a record ends it, because a search for a better one, up to the largest record, would take
/// very long if there are many.
fn record_without_length(
    bytes: &[u8],
    head: std::ops::Range<usize>,
    at_end: bool,
    limits: &RecordLimits,
) -> Frame {
    let seen = bytes
        .len()
        .min(head.end.saturating_add(limits.record_bytes()));
    let next = find_version_line(&bytes[..seen], head.end);
    if next.is_none() && seen == bytes.len() && !at_end {
        return Frame::NeedMore(bytes.len() + 1);
    }
    if next.is_none() && seen < bytes.len() {
        let detail = "a record header without a length";
        return garbage(bytes, head.start, at_end, detail);
    }
    let end = next.unwrap_or(bytes.len());
    let block_end = bytes[..end].trim_ascii_end().len().max(head.end);
    let detail = format!("no length stated, {} bytes found", block_end - head.end);
    Frame::Record {
        block: head.end..block_end,
        head,
        end,
        damage: Some((ProblemKind::BadLength, detail)),
    }
}

/// Returns the frame of a record, after checking its stated length.
pub(crate) fn checked_record(
    bytes: &[u8],
    head: std::ops::Range<usize>,
    block: std::ops::Range<usize>,
) -> Frame {
    let after = bytes.get(block.end..);
    if after.is_some_and(is_followed) {
        return Frame::Record {
            head,
            end: block.end,
            block,
            damage: None,
        };
    }
    let there = block.end.min(bytes.len());
    // If the block contains the next record, the length is too large.
    let seen = bytes.len().min(block.end.saturating_add(LOOK_BACK));
    let swallowed = find_separate(&bytes[..seen], block.start)
        .filter(|&at| at < there)
        .filter(|&at| !after.is_some_and(is_separated) || lead_beyond(&bytes[..there], at));
    let stated = block.len();
    let (end, damage) = match swallowed {
        Some(next) => {
            let trimmed = bytes[..next].trim_ascii_end().len().max(block.start);
            let detail = format!("{stated} bytes stated, {} found", trimmed - block.start);
            (next, Some((trimmed, ProblemKind::BadLength, detail)))
        }
        None if there < block.end => {
            let detail = format!("{stated} bytes stated, {} found", there - block.start);
            (there, Some((there, ProblemKind::Truncated, detail)))
        }
        // Something else follows, and is reported as garbage.
        None => (block.end, None),
    };
    match damage {
        Some((block_end, kind, detail)) => Frame::Record {
            head,
            block: block.start..block_end,
            end,
            damage: Some((kind, detail)),
        },
        None => Frame::Record {
            head,
            block,
            end,
            damage: None,
        },
    }
}

/// Returns true if a record, nothing, or padding follows. Examines only bytes that are certainly in memory: the
/// result must not depend on how many more happen to be.
pub(crate) fn is_followed(after: &[u8]) -> bool {
    let after = &after[..after.len().min(LOOK_BACK)];
    let Some(at) = memchr_non_space(after) else {
        return true;
    };
    let rest = &after[at..];
    is_version_line(rest)
        || b"WARC/".starts_with(rest)
        || (is_separated(after) && rest.iter().all(|&byte| byte == 0))
}

/// Returns true if the separator of records is here.
fn is_separated(after: &[u8]) -> bool {
    after.starts_with(b"\r\n\r\n") || after.starts_with(b"\n\n")
}

/// Returns true if the records that begin at `from`, one after the other, extend beyond the end of these bytes.
fn lead_beyond(bytes: &[u8], from: usize) -> bool {
    let mut at = from;
    for _ in 0..SHOWN_MAX {
        let rest = &bytes[at..];
        if !is_version_line(rest) {
            return false;
        }
        let head = line_ends(&rest[..rest.len().min(SHOWN_HEAD_BYTES)])
            .find_map(|(line, after)| blank_line(after).map(|length| line + length));
        let Some(head) = head else {
            return true;
        };
        let mut fields = fields(&rest[..head]);
        let length = fields.find(|(name, _)| name.eq_ignore_ascii_case(LENGTH));
        let Some(length) = length.and_then(|(_, value)| length_of(value)) else {
            return false;
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Some(behind) = rest.get(head.saturating_add(length)..) else {
            return true;
        };
        let space = memchr_non_space(behind).unwrap_or(behind.len());
        at = bytes.len() - behind.len() + space;
    }
    true
}

/// Returns the frame for zeros at the end, which tape and disk images add as padding.
pub(crate) fn padding(bytes: &[u8], start: usize, at_end: bool) -> Option<Frame> {
    let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let rest = &bytes[start..];
    // The result must not depend on the number of bytes in memory.
    let seen = &rest[..rest.len().min(PADDING_BYTES_MAX + 1)];
    if seen.len() > PADDING_BYTES_MAX || !seen.iter().all(is_padding) {
        return None;
    }
    Some(if at_end {
        Frame::End
    } else {
        Frame::NeedMore(bytes.len() * 2)
    })
}

fn garbage(bytes: &[u8], start: usize, at_end: bool, detail: &'static str) -> Frame {
    let end = find_version_line(bytes, start + 1).unwrap_or_else(|| {
        // A record begins a line, so the next search starts with one if possible.
        match memchr::memrchr(b'\n', &bytes[start + 1..]) {
            _ if at_end => bytes.len(),
            Some(at) => start + 1 + at + 1,
            None => bytes.len().saturating_sub(LOOK_BACK).max(start + 1),
        }
    });
    Frame::Garbage {
        kind: ProblemKind::Malformed,
        start,
        end,
        detail,
    }
}

const LENGTH: &[u8] = b"content-length";

/// Returns true if a line that states the length begins here.
fn is_length_line(bytes: &[u8]) -> bool {
    let name = bytes.get(..LENGTH.len());
    name.is_some_and(|name| name.eq_ignore_ascii_case(LENGTH))
        && bytes[LENGTH.len()..].trim_ascii_start().starts_with(b":")
}

/// Returns the length that the first of these lines states.
fn stated_length(lines: &[u8]) -> Option<u64> {
    let (_, value) = fields_in(b'\n', lines).next()?;
    length_of(value)
}

fn length_of(value: &[u8]) -> Option<u64> {
    str::from_utf8(value).ok()?.parse().ok()
}

/// Parses the header fields that Reprise uses.
pub(crate) fn parse_head(head: &[u8]) -> RecordHead<'_> {
    let mut parsed = RecordHead {
        kind: RecordKind::Other,
        url: None,
        date: None,
        ip: None,
        content_type: None,
        profile: None,
        types: 0,
        is_segment: false,
    };
    for (name, value) in fields(head) {
        if name.eq_ignore_ascii_case(b"warc-type") {
            parsed.types += 1;
            parsed.kind = record_kind(value);
        } else if name.eq_ignore_ascii_case(b"warc-segment-number") {
            parsed.is_segment = true;
        } else if name.eq_ignore_ascii_case(b"warc-target-uri") {
            parsed.url = target_url(value);
        } else if name.eq_ignore_ascii_case(b"warc-date") {
            parsed.date = date::parse(value);
        } else if name.eq_ignore_ascii_case(b"warc-ip-address") {
            parsed.ip = std::str::from_utf8(value).ok().filter(|ip| !ip.is_empty());
        } else if name.eq_ignore_ascii_case(b"content-type") {
            parsed.content_type = Some(value);
        } else if name.eq_ignore_ascii_case(b"warc-profile") {
            parsed.profile = Some(without_brackets(value));
        }
    }
    parsed
}

fn record_kind(value: &[u8]) -> RecordKind {
    let is = |name: &str| value.eq_ignore_ascii_case(name.as_bytes());
    [
        RecordKind::Response,
        RecordKind::Resource,
        RecordKind::Conversion,
        RecordKind::Revisit,
        RecordKind::Request,
        RecordKind::Metadata,
        RecordKind::Warcinfo,
    ]
    .into_iter()
    .find(|kind| is(kind.as_str()))
    .unwrap_or(RecordKind::Other)
}

/// Removes the angle brackets that most writers put around ids, and some (older wget) around URLs.
pub(crate) fn without_brackets(value: &[u8]) -> &[u8] {
    value
        .strip_prefix(b"<")
        .and_then(|inner| inner.strip_suffix(b">"))
        .map_or(value, <[u8]>::trim_ascii)
}

fn target_url(value: &[u8]) -> Option<Cow<'_, str>> {
    let value = without_brackets(value);
    // A folded value contains line breaks and spaces, which a URL cannot contain.
    if memchr::memchr(b'\n', value).is_some() {
        let value: Vec<u8> = (value.iter().copied())
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        return Some(Cow::Owned(String::from_utf8_lossy(&value).into_owned()));
    }
    match str::from_utf8(value) {
        Ok("") => None,
        Ok(url) => Some(Cow::Borrowed(url)),
        Err(_) => Some(String::from_utf8_lossy(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_head;

    #[test]
    fn urls_in_fields() {
        let check = |value: &str, expected: &str| {
            let head = format!("WARC/1.0\r\nWARC-Target-URI: {value}\r\nWARC-Profile: {value}\r\n");
            let head = parse_head(head.as_bytes());
            assert_eq!(head.url.as_deref(), Some(expected), "{value}");
            assert_eq!(head.profile, Some(expected.as_bytes()), "{value}");
        };
        check("http://a/b", "http://a/b");
        check("  http://a/b \t", "http://a/b");
        check("<http://a/b>", "http://a/b");
        check("<http://a/b > ", "http://a/b");
        check("<http://a/b", "<http://a/b");
    }
}
