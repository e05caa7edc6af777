//! Records whose stated length exceeds the limits. If the length is right, the record is skipped. If the data
//! ends before, or no record follows, the length is wrong, and the next record is searched.

use std::io;
use std::ops::Range;

use crate::frame::{Event, Frame, Framing};
use crate::limits::RecordLimits;
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, Record};
use crate::stream_view::{StreamView, is_bomb};
use crate::{arc, warc};

/// The number of bytes before a line that are needed to decide whether a record begins with it.
const BEFORE_LINE_BYTES: usize = 4;

/// Reads the record at the start of the view. The tuple is the range of its header, the start of the record,
/// and its end by the stated length.
pub(crate) fn read(
    view: &mut StreamView<'_>,
    framing: Framing,
    limits: &RecordLimits,
    (head, start, end): (Range<usize>, usize, u64),
    place: &dyn Fn(u64, u64) -> Place,
    visit: &mut dyn FnMut(Event<'_>),
) -> io::Result<()> {
    let (before, here) = (view.position(), view.position() + start as u64);
    let at = place(here, end - start as u64);
    let too_large = Event::Problem(oversize(
        framing,
        &view.ahead()[head.clone()],
        at,
        limits.over_body(format_args!("a record of {} bytes", end - start as u64)),
    ));
    // If possible, look ahead without moving: after a move, the bytes in memory would have to be read again for
    // each wrong length.
    let is_true = match view.look_beyond(end)? {
        Some(mut there) => Ok(is_followed(&mut there, framing, limits)? && view.step_over(end)?),
        None => view.step_over(end).and_then(|is_there| {
            Ok(is_there && (is_followed(view, framing, limits)? || !view.step_back(before)?))
        }),
    };
    // The caller reports the bomb.
    if is_true.as_ref().is_err_and(is_bomb) {
        return is_true.map(|_| ());
    }
    if !matches!(is_true, Ok(false)) {
        visit(too_large);
        return is_true.map(|_| ());
    }
    view.fill(head.end.saturating_add(limits.record_bytes() + 64))?;
    let stated = head.end..usize::try_from(end).unwrap_or(usize::MAX);
    let found = if framing == Framing::Warc {
        warc::checked_record(view.ahead(), head.clone(), stated)
    } else {
        let next = arc::find_line(view.ahead(), head.end + 1);
        arc::cut_record(view.ahead(), head.clone(), stated, next)
    };
    let Frame::Record {
        block, end, damage, ..
    } = found
    else {
        visit(too_large);
        return view.advance(head.end as u64);
    };
    let is_end_known = end < view.ahead().len() || view.at_end();
    if is_end_known && block.len() <= limits.record_bytes() {
        visit(Event::Record(Record {
            place: place(here, (end - start) as u64),
            framing,
            head: &view.ahead()[head],
            block: &view.ahead()[block],
            damage,
        }));
        return view.advance(end as u64);
    }
    visit(too_large);
    if is_end_known {
        return view.advance(end as u64);
    }
    skip_to_record(view, framing, limits)
}

/// Returns true if a record or nothing follows.
fn is_followed(
    view: &mut StreamView<'_>,
    framing: Framing,
    limits: &RecordLimits,
) -> io::Result<bool> {
    let mut want = warc::LOOK_BACK;
    loop {
        view.fill(want)?;
        let after = &view.ahead()[..view.ahead().len().min(want)];
        match framing {
            Framing::Warc => return Ok(warc::is_followed(after)),
            _ => match arc::is_followed(after, view.at_end(), limits) {
                Some(is_followed) => return Ok(is_followed),
                None => want *= 2,
            },
        }
    }
}

/// Moves to the next record, and keeps only a line that may begin one in memory.
fn skip_to_record(
    view: &mut StreamView<'_>,
    framing: Framing,
    limits: &RecordLimits,
) -> io::Result<()> {
    loop {
        let ahead = view.ahead();
        let found = match framing {
            Framing::Warc => warc::find_separate(ahead, 1),
            _ => arc::find_line(ahead, 1),
        };
        if let Some(at) = found {
            return view.advance(at as u64);
        }
        let length = ahead.len();
        if view.at_end() {
            return view.advance(length as u64);
        }
        // The last line may begin a record, and extend beyond the view.
        let line = memchr::memrchr(b'\n', ahead).unwrap_or(length);
        let seen = line
            .max(length.saturating_sub(limits.header_bytes))
            .saturating_sub(BEFORE_LINE_BYTES);
        view.advance(seen as u64)?;
        view.fill(view.ahead().len() + 1)?;
    }
}

fn oversize(framing: Framing, head: &[u8], place: Place, detail: String) -> Problem {
    let mut problem = Problem::new(ProblemKind::TooLarge, place.offset, detail);
    let parsed = match framing {
        Framing::Warc => Some(warc::parse_head(head)),
        Framing::Arc => arc::parse_line(head),
        Framing::Lines | Framing::Mbox => None,
    };
    problem.record = parsed.as_ref().map(|head| head.kind);
    match parsed.and_then(|head| head.url) {
        Some(url) => problem.of(&url),
        None => problem,
    }
}
