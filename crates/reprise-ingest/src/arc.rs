//! ARC, the format before WARC: a header line that states a length, then that number of bytes.

use std::ops::Range;

use crate::date;
use crate::frame::{Frame, memchr_non_space, skip_line_breaks};
use crate::limits::RecordLimits;
use crate::problem::ProblemKind;
use crate::record::{RecordHead, RecordKind};
use crate::warc;

/// The number of fields after the date in a header line of version 1 (media type, length) and of version 2.
const FIELDS_BEHIND_DATE: [usize; 2] = [2, 7];

struct Line<'a> {
    url: &'a [u8],
    ip: &'a [u8],
    date: &'a [u8],
    media_type: &'a [u8],
    length: u64,
}

fn split_line(bytes: &[u8]) -> Option<Line<'_>> {
    let line = bytes.split(|&byte| byte == b'\n').next()?.trim_ascii_end();
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let length = str::from_utf8(fields.last()?).ok()?.parse().ok()?;
    let is_date = |at: usize| {
        let field = fields[at];
        (8..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
    };
    // The URL may contain spaces, so the fields are counted from the right. If the media type contains spaces
    // too, an address before a date shows which field is the date.
    let usual = (FIELDS_BEHIND_DATE.iter())
        .filter_map(|behind| fields.len().checked_sub(behind + 1))
        .find(|&at| at >= 2 && is_date(at));
    let date = usual.or_else(|| {
        let last = fields.len().checked_sub(4)?;
        (2..=last)
            .rev()
            .find(|&at| is_date(at) && is_address(fields[at - 1]))
    })?;
    let bytes_of = |fields: &[&[u8]]| fields.iter().map(|field| field.len() + 1).sum::<usize>();
    let url_bytes = bytes_of(&fields[..date - 1]);
    let type_start = bytes_of(&fields[..=date]);
    let media_type = if usual.is_some() {
        fields[date + 1]
    } else {
        let type_end = line.len() - fields.last()?.len() - 1;
        line.get(type_start..type_end)?
    };
    Some(Line {
        url: &line[..url_bytes - 1],
        ip: fields[date - 1],
        date: fields[date],
        media_type,
        length,
    })
    .filter(|line| has_scheme(line.url))
}

/// Returns true if these bytes begin with a header line.
fn is_line(bytes: &[u8]) -> bool {
    split_line(bytes).is_some()
}

/// Returns true if these bytes begin with a URL scheme.
fn has_scheme(url: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let scheme = url.split(|&byte| byte == b':').next().unwrap_or_default();
    scheme.len() < url.len()
        && scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(is_part)
}

/// Returns true if a field may be the address of a server.
fn is_address(field: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    field == b"-" || (field.len() >= 3 && field.iter().all(is_part))
}

/// Parses the header line at the start of `bytes`. Returns `None` for any other line.
pub(crate) fn parse_line(bytes: &[u8]) -> Option<RecordHead<'_>> {
    let line = split_line(bytes)?;
    Some(RecordHead {
        kind: if line.url.starts_with(b"filedesc:") {
            RecordKind::Warcinfo
        } else {
            RecordKind::Response
        },
        url: Some(String::from_utf8_lossy(line.url)),
        date: date::parse(line.date),
        ip: std::str::from_utf8(line.ip)
            .ok()
            .filter(|ip| !matches!(*ip, "" | "-" | "0.0.0.0")),
        // If the server named no type, crawlers write `no-type`, `unknown` and the like.
        content_type: Some(line.media_type).filter(|name| name.contains(&b'/')),
        profile: None,
        types: 1,
        is_segment: false,
    })
}

/// Returns the position of the first header line at or after `from`.
pub(crate) fn find_line(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes.get(from.saturating_sub(1)..)?)
        .map(|at| at + from.saturating_sub(1) + 1)
        .find(|&at| is_line(&bytes[at..]))
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
    if rest[0] == 0
        && let Some(frame) = warc::padding(bytes, start, at_end)
    {
        return frame;
    }
    let line_end = memchr::memchr(b'\n', &rest[..rest.len().min(limits.header_bytes)]);
    let Some(line_end) = line_end else {
        if rest.len() < limits.header_bytes && !at_end {
            return Frame::NeedMore(bytes.len() + 1);
        }
        return garbage(bytes, start, at_end, "a header line that breaks off");
    };
    let Some(line) = split_line(rest) else {
        return garbage(bytes, start, at_end, "bytes that are not a record");
    };
    let head = start..start + line_end + 1;
    if line.length > limits.record_bytes() as u64 {
        let end = (head.end as u64).saturating_add(line.length);
        return Frame::Oversize { head, start, end };
    }
    let length = line.length as usize;
    let block = head.end..head.end + length;
    let Some(after) = bytes.get(block.end..) else {
        if !at_end {
            return Frame::NeedMore(block.end);
        }
        let next = find_line(bytes, head.end + 1);
        return cut_record(bytes, head, block, next);
    };
    let Some(is_followed) = is_followed(after, at_end, limits) else {
        // Ask for twice as much, so that a long line is not searched again after every small read.
        return Frame::NeedMore(block.end + 2 * after.len().max(64));
    };
    let next = swallowed(bytes, block.clone(), is_followed);
    if next.is_some() {
        return cut_record(bytes, head, block, next);
    }
    Frame::Record {
        head,
        end: block.end,
        block,
        damage: None,
    }
}

/// Returns the position of another record inside the block of a record, if the stated length is too large.
fn swallowed(bytes: &[u8], block: Range<usize>, is_followed: bool) -> Option<usize> {
    if !is_followed {
        return find_line(bytes, block.start + 1).filter(|&at| at < block.end);
    }
    // Some writers put no line break between records. But if the bytes after the block are the rest of a longer
    // header line, the next record begins with that line.
    let line = block.start + memchr::memrchr(b'\n', &bytes[block.clone()])? + 1;
    let is_within = line < block.end && skip_line_breaks(&bytes[block.end..]) == 0;
    (is_within && is_line(&bytes[line..])).then_some(line)
}

/// Returns true if a record or nothing follows. Returns `None` if more bytes are needed to decide, never with
/// `at_end`.
pub(crate) fn is_followed(after: &[u8], at_end: bool, limits: &RecordLimits) -> Option<bool> {
    let Some(start) = memchr_non_space(after) else {
        return (at_end || after.len() >= limits.header_bytes).then_some(true);
    };
    let rest = &after[start..];
    let line = &rest[..rest.len().min(limits.header_bytes)];
    if memchr::memchr(b'\n', line).is_some() || rest.len() >= limits.header_bytes || at_end {
        return Some(is_line(line));
    }
    None
}

/// Returns the frame of a record that states more bytes than it has, or contains another record. It ends at the
/// next record, or at the end of the bytes.
pub(crate) fn cut_record(
    bytes: &[u8],
    head: Range<usize>,
    stated: Range<usize>,
    next: Option<usize>,
) -> Frame {
    let (there, end, kind) = match next {
        Some(next) => {
            let there = bytes[..next].trim_ascii_end().len().max(head.end);
            (there, next, ProblemKind::BadLength)
        }
        None => (bytes.len(), bytes.len(), ProblemKind::Truncated),
    };
    let detail = format!("{} bytes stated, {} found", stated.len(), there - head.end);
    Frame::Record {
        block: head.end..there,
        head,
        end,
        damage: Some((kind, detail)),
    }
}

fn garbage(bytes: &[u8], start: usize, at_end: bool, detail: &'static str) -> Frame {
    // Only whole lines can be checked: the last one may continue after these bytes.
    let last_line = memchr::memrchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    let end = find_line(bytes, start + 1).unwrap_or(if at_end {
        bytes.len()
    } else {
        last_line.max(start + 1)
    });
    Frame::Garbage {
        kind: ProblemKind::Malformed,
        start,
        end,
        detail,
    }
}
