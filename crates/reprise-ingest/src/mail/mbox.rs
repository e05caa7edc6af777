//! Mbox: messages one after another, each after a line `From sender date`.
//!
//! Writers disagree about such lines inside a message. Most quote them (`>From `), some state the length of the
//! body instead, some do neither. So a line separates messages if a mail program may have written it and the
//! header of a message follows. A stated length is accepted if it leads to such a line or to the end of the
//! file. Some programs write no date: after an empty line, an address is enough.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::fields::{Fields, is_field, lines};
use crate::charset::BOM;
use crate::frame::{Frame, skip_line_breaks};
use crate::limits::RecordLimits;
use crate::problem::ProblemKind;
use crate::stream_view::StreamView;

/// The longest separating line, in bytes.
const LINE_BYTES_MAX: usize = 1000;
/// The number of bytes needed of the line after it.
const NEXT_BYTES: usize = 100;
/// The number of bytes needed to recognise a separating line.
const SEPARATOR_BYTES: usize = LINE_BYTES_MAX + NEXT_BYTES;
/// The most bytes of line breaks between a body of stated length and the next message.
const BREAK_BYTES_MAX: usize = 16;

/// Returns true if these bytes, at the start of a line, begin with a separating line. Returns `None` if more
/// bytes are needed, never with `at_end`. `is_apart` means that an empty line or nothing is before them.
pub(crate) fn is_separator(bytes: &[u8], at_end: bool, is_apart: bool) -> Option<bool> {
    const MARK: &[u8] = b"From ";
    if !bytes.starts_with(MARK) {
        return (at_end || bytes.len() >= MARK.len() || !MARK.starts_with(bytes)).then_some(false);
    }
    let start = &bytes[..bytes.len().min(LINE_BYTES_MAX)];
    let unknown = if at_end { Some(false) } else { None };
    let Some(end) = memchr::memchr(b'\n', start) else {
        return if bytes.len() < LINE_BYTES_MAX {
            unknown
        } else {
            Some(false)
        };
    };
    let line = start[MARK.len()..end].trim_ascii();
    let is_written = line.is_empty()
        || line.starts_with(b"-")
        || has_time(line)
        || (is_apart && is_address(line));
    if !is_written {
        return Some(false);
    }
    let next = &bytes[end + 1..];
    let next = &next[..next.len().min(NEXT_BYTES)];
    let line_end = memchr::memchr(b'\n', next);
    let next_line = &next[..line_end.unwrap_or(next.len())];
    if is_field(next_line) || next_line.starts_with(b">From ") {
        return Some(true);
    }
    if line_end.is_some() || next.len() == NEXT_BYTES {
        return Some(false);
    }
    unknown
}

/// Returns true if a line contains a time of day and a year, as in `Mon Jan  1 00:00:00 2024` or
/// `2024-01-01T00:00:00Z`.
fn has_time(line: &[u8]) -> bool {
    let is_time = line
        .windows(4)
        .any(|four| matches!(four, [a, b':', c, d] if [a, c, d].iter().all(|byte| byte.is_ascii_digit())));
    let mut numbers = line.split(|byte| !byte.is_ascii_digit());
    is_time && numbers.any(|number| number.len() == 4)
}

/// Returns true for a single word with an `@` in it.
fn is_address(line: &[u8]) -> bool {
    let mut parts = line.split(|&byte| byte == b'@');
    let [Some(name), Some(host), None] = [parts.next(), parts.next(), parts.next()] else {
        return false;
    };
    !name.is_empty() && !host.is_empty() && !line.iter().any(u8::is_ascii_whitespace)
}

/// Returns the position of the first separating line after a line break. Returns `Err` with the position of a
/// line that needs more bytes to decide.
fn find_separator(bytes: &[u8], from: usize, at_end: bool) -> Result<Option<usize>, usize> {
    for found in memchr::memmem::find_iter(&bytes[from..], b"\nFrom ") {
        let start = from + found + 1;
        let before = &bytes[..start];
        let is_apart = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
        match is_separator(&bytes[start..], at_end, is_apart) {
            Some(true) => return Ok(Some(start)),
            Some(false) => {}
            None => return Err(start),
        }
    }
    Ok(None)
}

/// Returns the first position in `bytes`, after the first byte, at which a message may begin.
pub(crate) fn find_mail(bytes: &[u8]) -> Option<usize> {
    find_separator(bytes, 0, false).ok().flatten()
}

/// Returns the frame of the message at the start of `bytes`. A byte order mark before it is skipped.
pub(crate) fn next_frame(bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
    if !at_end && BOM.starts_with(bytes) {
        return Frame::NeedMore(BOM.len() + 1);
    }
    let message = bytes.strip_prefix(BOM).filter(|rest| !rest.is_empty());
    let Some(message) = message else {
        return next_message(bytes, at_end, limits);
    };
    let behind = |range: Range<usize>| range.start + BOM.len()..range.end + BOM.len();
    match next_message(message, at_end, limits) {
        Frame::Record {
            head,
            block,
            end,
            damage,
        } => Frame::Record {
            head: behind(head),
            block: behind(block),
            end: end + BOM.len(),
            damage,
        },
        Frame::NeedMore(want) => Frame::NeedMore(want + BOM.len()),
        // The other frames contain no positions that count from the start.
        frame => frame,
    }
}

/// Returns the frame of a message. Its head is the separating line. Its block is the rest, without the empty
/// line before the next message.
fn next_message(bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
    if bytes.is_empty() && at_end {
        return Frame::End;
    }
    let garbage = |kind, detail| Frame::Garbage {
        kind,
        start: 0,
        end: 0,
        detail,
    };
    match is_separator(bytes, at_end, true) {
        None => return Frame::NeedMore(SEPARATOR_BYTES),
        Some(false) => return garbage(ProblemKind::Malformed, "bytes that are not a mail"),
        Some(true) => {}
    }
    let head = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    let frame = |block, end| Frame::Record {
        head: 0..head,
        block: head..block,
        end,
        damage: None,
    };
    let most = limits.record_bytes();
    match stated_end(bytes, head, at_end, limits) {
        Stated::At { block, end } => return frame(block, end),
        Stated::NeedMore(want) => return Frame::NeedMore(want),
        Stated::Nowhere => {}
    }
    let end = match find_separator(bytes, head, at_end) {
        Ok(Some(end)) => end,
        Ok(None) if at_end => bytes.len(),
        // Ask for twice as much, so that a long message is not searched again after every small read.
        Ok(None) | Err(_) if bytes.len() <= most + SEPARATOR_BYTES => {
            return Frame::NeedMore(bytes.len() * 2);
        }
        Ok(None) | Err(_) => usize::MAX,
    };
    if end > most {
        return garbage(ProblemKind::TooLarge, "a mail");
    }
    frame(without_empty_line(&bytes[..end]).max(head), end)
}

/// The end of a message by its stated length.
enum Stated {
    /// The body ends at `block`, and the next message begins at `end`.
    At { block: usize, end: usize },
    /// This number of bytes is needed to decide.
    NeedMore(usize),
    /// No length is stated, or it does not lead to a message.
    Nowhere,
}

fn stated_end(bytes: &[u8], head: usize, at_end: bool, limits: &RecordLimits) -> Stated {
    let header_bytes = limits.header_bytes.min(limits.body_bytes);
    if bytes.len() - head < header_bytes && !at_end {
        // Wait for more of the header only if it has not ended yet.
        let start = &bytes[head..];
        if !has_empty_line(start) {
            return Stated::NeedMore((bytes.len() * 2).min(head + header_bytes));
        }
    }
    let start = &bytes[head..bytes.len().min(head + header_bytes)];
    if !has_empty_line(start) {
        return Stated::Nowhere;
    }
    let (fields, body) = Fields::split(start);
    let body = head + start.len() - body.len();
    let block = fields
        .raw("content-length")
        .and_then(|value| std::str::from_utf8(&value).ok()?.parse::<usize>().ok())
        .and_then(|length| body.checked_add(length))
        .filter(|block| *block <= limits.record_bytes());
    let Some(block) = block else {
        return Stated::Nowhere;
    };
    let want = block + BREAK_BYTES_MAX + SEPARATOR_BYTES;
    if bytes.len() < want && !at_end {
        return Stated::NeedMore(want);
    }
    let Some(rest) = bytes.get(block..) else {
        return Stated::Nowhere;
    };
    let breaks = skip_line_breaks(&rest[..rest.len().min(BREAK_BYTES_MAX)]);
    let end = block + breaks;
    let is_line_start = bytes[end - 1] == b'\n';
    let is_end = (end == bytes.len() && at_end)
        || (is_line_start && is_separator(&bytes[end..], at_end, breaks > 0) == Some(true));
    if is_end {
        Stated::At { block, end }
    } else {
        Stated::Nowhere
    }
}

fn has_empty_line(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\n")
        || bytes.starts_with(b"\r\n")
        || memchr::memmem::find(bytes, b"\n\n").is_some()
        || memchr::memmem::find(bytes, b"\n\r\n").is_some()
}

/// Returns the length of a message without the empty line that ends it in an mbox.
fn without_empty_line(message: &[u8]) -> usize {
    for end in [b"\r\n\r\n".as_slice(), b"\n\n"] {
        if message.ends_with(end) {
            return message.len() - end.len() / 2;
        }
    }
    message.len()
}

/// Moves to the next message.
pub(crate) fn skip_to_mail(view: &mut StreamView<'_>) -> io::Result<()> {
    loop {
        let ahead = view.ahead();
        let (step, is_found) = match find_separator(ahead, 0, view.at_end()) {
            Ok(Some(start)) => (start, true),
            // Keep the line break before the line, so that the line is found again.
            Err(start) => (start - 1, false),
            Ok(None) if view.at_end() => (ahead.len(), true),
            // A separating line may begin in the last bytes.
            Ok(None) => (ahead.len().saturating_sub(8), false),
        };
        view.advance(step as u64)?;
        if is_found {
            return Ok(());
        }
        view.fill(view.ahead().len().max(SEPARATOR_BYTES) + 1)?;
    }
}

/// Restores a message as it was before it was put into an mbox: quoted lines that begin with `From ` lose one
/// `>`.
pub(crate) fn unquote(block: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(block, b">From ").is_none() {
        return Cow::Borrowed(block);
    }
    let mut message = Vec::with_capacity(block.len());
    for line in lines(block) {
        let quotes = line.iter().take_while(|byte| **byte == b'>').count();
        let is_quoted = quotes > 0 && line[quotes..].starts_with(b"From ");
        message.extend_from_slice(&line[usize::from(is_quoted)..]);
    }
    Cow::Owned(message)
}
