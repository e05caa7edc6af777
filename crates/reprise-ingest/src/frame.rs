//! Framing: where the next record of a stream begins and ends, also in damaged streams.

use std::io;
use std::ops::Range;

use crate::limits::RecordLimits;
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, Record, RecordKind};
use crate::stream_view::{StreamView, is_bomb};
use crate::{arc, mail, overlong, warc};

/// How the records of a source follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// WARC, WET, WAT.
    Warc,
    /// The Internet Archive's older ARC.
    Arc,
    /// One JSON object a line.
    Lines,
    /// Messages with a line `From ` before each.
    Mbox,
}

/// What stands at the start of a view.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A record: its header and its content block, and where the next one is looked for.
    Record {
        head: Range<usize>,
        block: Range<usize>,
        end: usize,
        damage: Option<(ProblemKind, String)>,
    },
    /// A record over the limits, which ends `end` bytes from here.
    Oversize {
        head: Range<usize>,
        start: usize,
        end: u64,
    },
    /// Something that is no record; a record may begin at `end`.
    Garbage {
        kind: ProblemKind,
        start: usize,
        end: usize,
        detail: &'static str,
    },
    /// At least this many bytes are needed to decide.
    NeedMore(usize),
    /// Only white space is left.
    End,
}

impl Framing {
    /// The frame at the start of `bytes`; `at_end` says that no byte follows them.
    pub(crate) fn next(self, bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
        match self {
            Framing::Warc => warc::next_frame(bytes, at_end, limits),
            Framing::Arc => arc::next_frame(bytes, at_end, limits),
            Framing::Lines => next_line(bytes, at_end, limits),
            Framing::Mbox => mail::next_frame(bytes, at_end, limits),
        }
    }

    /// What to say of bytes of which no record is made.
    fn garbage(
        self,
        kind: ProblemKind,
        offset: u64,
        detail: &str,
        limits: &RecordLimits,
    ) -> Problem {
        let detail = match kind {
            ProblemKind::TooLarge if self == Framing::Lines => {
                let line = format!("{detail} of more than {} bytes", line_bytes_max(limits));
                limits.over_body(line)
            }
            ProblemKind::TooLarge => limits.over_body(detail),
            ProblemKind::HeaderTooLarge => limits.over_header(detail),
            _ => return Problem::new(kind, offset, detail),
        };
        let mut problem = Problem::new(kind, offset, detail);
        problem.record = Some(match self {
            Framing::Warc | Framing::Arc => RecordKind::Other,
            Framing::Lines => RecordKind::Row,
            Framing::Mbox => RecordKind::Mail,
        });
        problem
    }

    /// Could a record begin with these bytes?
    pub(crate) fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Framing::Warc => {
                warc::is_version_line(&bytes[memchr_non_space(bytes).unwrap_or(bytes.len())..])
            }
            Framing::Arc => {
                arc::parse_line(&bytes[memchr_non_space(bytes).unwrap_or(bytes.len())..]).is_some()
            }
            Framing::Lines | Framing::Mbox => true,
        }
    }

    /// Do the records in `bytes` end where the bytes end?
    pub(crate) fn is_whole(self, bytes: &[u8], limits: &RecordLimits) -> bool {
        let mut rest = bytes;
        loop {
            rest = match self.next(rest, true, limits) {
                // A header that breaks off.
                Frame::Garbage { end, .. } if end == rest.len() && self.begins_record(rest) => {
                    return false;
                }
                Frame::Record {
                    damage: None, end, ..
                }
                | Frame::Garbage { end, .. } => &rest[end..],
                Frame::End => return true,
                Frame::Record {
                    damage: Some(_), ..
                }
                | Frame::Oversize { .. }
                | Frame::NeedMore(_) => {
                    return false;
                }
            };
        }
    }

    /// First place in `bytes`, after the first byte, where a record could begin.
    pub(crate) fn find_record(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Framing::Warc => warc::find_version_line(bytes, 1),
            Framing::Arc => arc::find_line(bytes, 1),
            Framing::Lines => memchr::memchr(b'\n', bytes)
                .map(|end| end + 1)
                .filter(|&start| start < bytes.len()),
            Framing::Mbox => mail::find_mail(bytes),
        }
    }
}

/// Index of the first byte that is no line break or blank.
pub(crate) fn memchr_non_space(bytes: &[u8]) -> Option<usize> {
    bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n' | b' ' | b'\t'))
}

/// Number of line breaks that `bytes` begin with, in bytes.
pub(crate) fn skip_line_breaks(bytes: &[u8]) -> usize {
    let is_break = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(is_break).count()
}

/// The longest line that is read. Escapes make a text three times as long where each character of two bytes becomes one of
/// six, as Python writes them; and columns that are ignored take room too.
fn line_bytes_max(limits: &RecordLimits) -> usize {
    limits.record_bytes().saturating_mul(4)
}

fn next_line(bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
    let Some(start) = memchr_non_space(bytes) else {
        return if at_end {
            Frame::End
        } else {
            Frame::NeedMore(bytes.len() + 1)
        };
    };
    let line_bytes_max = line_bytes_max(limits);
    match memchr::memchr(b'\n', &bytes[start..]) {
        Some(length) if length <= line_bytes_max => Frame::Record {
            head: start..start,
            block: start..start + length,
            end: start + length + 1,
            damage: None,
        },
        None if at_end && bytes.len() - start <= line_bytes_max => Frame::Record {
            head: start..start,
            block: start..bytes.len(),
            end: bytes.len(),
            damage: None,
        },
        // A part of itself more, lest a long line is searched again for every little that is read of it.
        None if !at_end && bytes.len() - start <= line_bytes_max => {
            Frame::NeedMore(bytes.len() + bytes.len() / 4 + 1)
        }
        found => Frame::Garbage {
            kind: ProblemKind::TooLarge,
            start,
            end: found.map_or(bytes.len(), |length| start + length),
            detail: "a line",
        },
    }
}

/// What reading a source yields.
pub(crate) enum Event<'a> {
    /// A record, ready to become a page.
    Record(Record<'a>),
    /// Something that could not be read.
    Problem(Problem),
}

/// Is it enough to have read up to this position?
pub(crate) type Until<'u> = &'u dyn Fn(u64) -> bool;

/// Nothing is enough: everything is read.
pub(crate) const ALL: Until<'static> = &|_| false;

/// Reads records until it is enough, or to the end.
///
/// `place` tells where a record lies in its source, from its stream position and length.
pub(crate) fn read_frames(
    view: &mut StreamView<'_>,
    framing: Framing,
    limits: &RecordLimits,
    until: Until<'_>,
    place: &dyn Fn(u64, u64) -> Place,
    visit: &mut dyn FnMut(Event<'_>),
) -> io::Result<()> {
    loop {
        skip_space(view)?;
        // Whoever begins where another stops takes what is no record there for a new stretch of it.
        if !view.is_in_garbage && until(view.position()) {
            break;
        }
        let frame = framing.next(view.ahead(), view.at_end(), limits);
        let here = view.position();
        match frame {
            Frame::End => {
                view.advance(view.ahead().len() as u64)?;
                break;
            }
            Frame::NeedMore(want) => {
                view.fill(want)?;
                continue;
            }
            Frame::Record {
                head,
                block,
                end,
                damage,
            } => {
                let start = head.start as u64;
                let damage = damage.or_else(|| cut_off(view, framing, end));
                let record = Record {
                    place: place(here + start, end as u64 - start),
                    framing,
                    head: &view.ahead()[head],
                    block: &view.ahead()[block],
                    damage,
                };
                visit(Event::Record(record));
                view.advance(end as u64)?;
            }
            Frame::Oversize { head, start, end } => {
                overlong::read(view, framing, limits, (head, start, end), place, visit)?;
            }
            Frame::Garbage {
                kind,
                start,
                end,
                detail,
            } => {
                // A long run of garbage comes in several pieces, and is one problem.
                if !view.is_in_garbage {
                    let at = place(here + start as u64, (end - start) as u64);
                    visit(Event::Problem(
                        framing.garbage(kind, at.offset, detail, limits),
                    ));
                }
                view.advance(end as u64)?;
                match framing {
                    Framing::Warc | Framing::Arc => {
                        view.is_in_garbage = true;
                        continue;
                    }
                    // The rest of a line, or mail, that goes on beyond the view is none of its own.
                    Framing::Lines => skip_line(view)?,
                    Framing::Mbox => mail::skip_to_mail(view)?,
                }
            }
        }
        view.is_in_garbage = false;
    }
    Ok(())
}

/// [`read_frames`] from a stream that may break off: what was unpacked before the error is read
/// too, and the error comes last.
pub(crate) fn read_frames_to_break(
    view: &mut StreamView<'_>,
    framing: Framing,
    limits: &RecordLimits,
    until: Until<'_>,
    place: &dyn Fn(u64, u64) -> Place,
    visit: &mut dyn FnMut(Event<'_>),
) -> io::Result<()> {
    let result = read_frames(view, framing, limits, until, place, visit);
    match &result {
        // Where it was noticed is chance, so nothing is made of a record that is not whole by then.
        Err(error) if is_bomb(error) => {
            let _ = read_frames(view, framing, limits, ALL, place, visit);
            view.abandon();
        }
        // Another time it may go on: nothing is made of a record that is not all there.
        Err(error) if error.raw_os_error().is_some() => {}
        // The view has come to its end by the error, so this reads only what is in memory.
        Err(_) => read_frames(view, framing, limits, until, place, visit)?,
        Ok(()) => {}
    }
    result
}

/// A mail is as long as it is, so that only its stream can tell that it is cut off. Of a line nothing
/// is made unless it is whole, and WARC and ARC state a length.
fn cut_off(view: &StreamView<'_>, framing: Framing, end: usize) -> Option<(ProblemKind, String)> {
    let is_last = view.at_end() && view.breaks_off() && end == view.ahead().len();
    (framing == Framing::Mbox && is_last).then(|| {
        let detail = "the stream breaks off in it".to_owned();
        (ProblemKind::Truncated, detail)
    })
}

/// Steps to the next byte that is no line break or blank: what separates records belongs to none,
/// and the position where one reader stops must be where the next one starts.
pub(crate) fn skip_space(view: &mut StreamView<'_>) -> io::Result<()> {
    skip_to(view, memchr_non_space)
}

/// Steps to the next line break.
fn skip_line(view: &mut StreamView<'_>) -> io::Result<()> {
    skip_to(view, |bytes| memchr::memchr(b'\n', bytes))
}

/// Steps to the first byte that `find` finds, or to the end.
fn skip_to(view: &mut StreamView<'_>, find: impl Fn(&[u8]) -> Option<usize>) -> io::Result<()> {
    loop {
        let found = find(view.ahead());
        view.advance(found.unwrap_or(view.ahead().len()) as u64)?;
        if found.is_some() || view.at_end() {
            return Ok(());
        }
        view.fill(1)?;
    }
}
