//! ARC, the format before WARC: one header line, then as many bytes as it says.

use std::ops::Range;

use crate::date;
use crate::frame::{Frame, memchr_non_space};
use crate::limits::Limits;
use crate::problem::ProblemKind;
use crate::record::{RecordHead, RecordKind};

/// Fields behind the date in a header line of version 1 (media type, length) and version 2.
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
    // The URL may hold spaces, so the fields are counted from the right.
    FIELDS_BEHIND_DATE.into_iter().find_map(|behind| {
        let date = fields.len().checked_sub(behind + 1)?;
        let is_date =
            (8..=17).contains(&fields[date].len()) && fields[date].iter().all(u8::is_ascii_digit);
        if date < 2 || !is_date {
            return None;
        }
        let length = std::str::from_utf8(fields.last()?).ok()?.parse().ok()?;
        let url_bytes: usize = fields[..date - 1].iter().map(|field| field.len() + 1).sum();
        Some(Line {
            url: &line[..url_bytes - 1],
            ip: fields[date - 1],
            date: fields[date],
            media_type: fields[date + 1],
            length,
        })
        .filter(|line| line.url.contains(&b':'))
    })
}

/// The header fields of the ARC line at the start of `bytes`, if there is one.
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
        content_type: Some(line.media_type),
        profile: None,
        types: 1,
        is_segment: false,
    })
}

/// First header line that begins a line at or after `from`.
pub(crate) fn find_line(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes.get(from.saturating_sub(1)..)?)
        .map(|at| at + from.saturating_sub(1) + 1)
        .find(|&at| split_line(&bytes[at..]).is_some())
}

/// The frame at the start of `bytes`.
pub(crate) fn next_frame(bytes: &[u8], at_end: bool, limits: &Limits) -> Frame {
    let Some(start) = memchr_non_space(bytes) else {
        return if at_end {
            Frame::End
        } else {
            Frame::NeedMore(bytes.len() + 1)
        };
    };
    let rest = &bytes[start..];
    let line_end = memchr::memchr(b'\n', &rest[..rest.len().min(limits.header_bytes)]);
    let Some(line_end) = line_end else {
        if rest.len() < limits.header_bytes && !at_end {
            return Frame::NeedMore(bytes.len() + 1);
        }
        return garbage(bytes, start, at_end, "a header line that breaks off");
    };
    let Some(line) = split_line(rest) else {
        return garbage(bytes, start, at_end, "bytes that are no record");
    };
    let head = start..start + line_end + 1;
    if line.length > limits.record_bytes() as u64 {
        let end = (head.end as u64).saturating_add(line.length);
        return Frame::Oversize { head, start, end };
    }
    let length = line.length as usize;
    let block = head.end..head.end + length;
    if bytes.len() < block.end {
        if !at_end {
            return Frame::NeedMore(block.end);
        }
        return cut_record(bytes, head, block);
    }
    Frame::Record {
        head,
        end: block.end,
        block,
        damage: None,
    }
}

/// A record that states more bytes than there are: it reaches to the next one, or to the end.
pub(crate) fn cut_record(bytes: &[u8], head: Range<usize>, stated: Range<usize>) -> Frame {
    let (end, kind) = match find_line(bytes, head.end + 1) {
        Some(next) => (next, ProblemKind::BadLength),
        None => (bytes.len(), ProblemKind::Truncated),
    };
    let there = match kind {
        ProblemKind::BadLength => bytes[..end].trim_ascii_end().len().max(head.end),
        _ => end,
    };
    let detail = format!("{} bytes stated, {} there", stated.len(), there - head.end);
    Frame::Record {
        block: head.end..there,
        head,
        end,
        damage: Some((kind, detail)),
    }
}

fn garbage(bytes: &[u8], start: usize, at_end: bool, detail: &'static str) -> Frame {
    // Only whole lines can be judged; the last one may go on beyond the buffer.
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
