//! Framing: finds the start and end of the records in a stream, even if it is damaged.

use std::io;
use std::ops::Range;

use crate::limits::RecordLimits;
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, Record, RecordKind};
use crate::stream_view::{StreamView, is_bomb};
use crate::{arc, mail, overlong, warc};

/// How records follow one another in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// WARC, WET and WAT.
    Warc,
    /// ARC, the older format of the Internet Archive.
    Arc,
    /// One JSON object per line.
    Lines,
    /// Messages with a line `From ` before each.
    Mbox,
}

/// The first item in a view.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A record: its header, its content block, and the position of the next item.
    Record {
        head: Range<usize>,
        block: Range<usize>,
        end: usize,
        damage: Option<(ProblemKind, String)>,
    },
    /// A record that exceeds the limits and ends after `end` bytes.
    Oversize {
        head: Range<usize>,
        start: usize,
        end: u64,
    },
    /// Bytes that are not a record. A record may begin at `end`.
    Garbage {
        kind: ProblemKind,
        start: usize,
        end: usize,
        detail: &'static str,
    },
    /// At least this number of bytes is needed to decide.
    NeedMore(usize),
    /// Only white space is left.
    End,
}

impl Framing {
    /// Returns the frame at the start of `bytes`. `at_end` means that no bytes follow.
    pub(crate) fn next(self, bytes: &[u8], at_end: bool, limits: &RecordLimits) -> Frame {
        match self {
            Framing::Warc => warc::next_frame(bytes, at_end, limits),
            Framing::Arc => arc::next_frame(bytes, at_end, limits),
            Framing::Lines => next_line(bytes, at_end, limits),
            Framing::Mbox => mail::next_frame(bytes, at_end, limits),
        }
    }

    /// Returns the problem of bytes that are not a record, or of a record that exceeds a limit.
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

    /// Returns true if a record may begin with these bytes.
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

    /// Returns true if the last record in `bytes` is complete.
    pub(crate) fn is_whole(self, bytes: &[u8], limits: &RecordLimits) -> bool {
        let mut rest = bytes;
        loop {
            rest = match self.next(rest, true, limits) {
                // The header of the last record breaks off.
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

    /// Returns the first position in `bytes`, after the first byte, at which a record may begin.
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

/// Returns the position of the first byte that is not white space.
pub(crate) fn memchr_non_space(bytes: &[u8]) -> Option<usize> {
    bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n' | b' ' | b'\t'))
}

/// Returns the number of bytes of the line breaks at the start of `bytes`.
pub(crate) fn skip_line_breaks(bytes: &[u8]) -> usize {
    let is_break = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(is_break).count()
}

/// Returns the longest line that is read. It is a multiple of the record size, because Python writes a
/// character of two bytes as an escape of six, and because ignored columns take space too.
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
        // Ask for a quarter more, so that a long line is not searched again after every small read.
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

/// An item of a source.
pub(crate) enum Event<'a> {
    /// A record, from which a page can be made.
    Record(Record<'a>),
    /// Bytes that cannot be read.
    Problem(Problem),
}

/// A function that returns true if reading can stop at this position.
pub(crate) type Until<'u> = &'u dyn Fn(u64) -> bool;

/// Reads to the end.
pub(crate) const ALL: Until<'static> = &|_| false;

/// Reads records until `until` returns true, or to the end.
///
/// `place` returns the place of a record in its source, from its position in the stream and its length.
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
        // Do not stop inside garbage: the next reader would report the rest of it as a second problem.
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
                // A long run of garbage comes in several pieces, but is one problem.
                if !view.is_in_garbage {
                    let at = place(here + start as u64, (end - start) as u64);
                    let problem = framing.garbage(kind, at.offset, detail, limits);
                    visit(Event::Problem(problem));
                }
                view.advance(end as u64)?;
                view.is_in_garbage = may_continue(view, framing)?;
                continue;
            }
        }
        view.is_in_garbage = false;
    }
    Ok(())
}

/// Returns true if more garbage may follow the bytes that were just skipped. The rest of a line or mail that extends
/// beyond the view is skipped as well.
fn may_continue(view: &mut StreamView<'_>, framing: Framing) -> io::Result<bool> {
    match framing {
        Framing::Warc | Framing::Arc => return Ok(true),
        Framing::Lines => skip_line(view)?,
        Framing::Mbox => mail::skip_to_mail(view)?,
    }
    Ok(false)
}

/// Reads records like [`read_frames`], from a stream that may break off: first the records before the error,
/// then returns the error.
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
        // The position at which a bomb is noticed is arbitrary, so an incomplete record is not used.
        Err(error) if is_bomb(error) => {
            let _ = read_frames(view, framing, limits, ALL, place, visit);
            view.abandon();
        }
        // A later run may read on, so an incomplete record is not used.
        Err(error) if error.raw_os_error().is_some() => {}
        // The view ends at the error, so this reads only the bytes in memory.
        Err(_) => read_frames(view, framing, limits, until, place, visit)?,
        Ok(()) => {}
    }
    result
}

/// Returns the damage of a mail at which its stream breaks off. A mail states no length, so only its stream can
/// tell. An incomplete line is not read at all, and WARC and ARC state a length.
fn cut_off(view: &StreamView<'_>, framing: Framing, end: usize) -> Option<(ProblemKind, String)> {
    let is_last = view.at_end() && view.breaks_off() && end == view.ahead().len();
    (framing == Framing::Mbox && is_last).then(|| {
        let detail = "the stream breaks off inside the mail".to_owned();
        (ProblemKind::Truncated, detail)
    })
}

/// Moves to the next byte that is not white space. The separator belongs to neither record, and a reader must
/// start at the position where the previous one stopped.
pub(crate) fn skip_space(view: &mut StreamView<'_>) -> io::Result<()> {
    skip_to(view, memchr_non_space)
}

/// Moves to the next line break.
fn skip_line(view: &mut StreamView<'_>) -> io::Result<()> {
    skip_to(view, |bytes| memchr::memchr(b'\n', bytes))
}

/// Moves to the first position that `find` returns, or to the end.
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
