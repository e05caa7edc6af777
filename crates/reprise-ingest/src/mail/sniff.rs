//! Recognises mail by its first lines, for files whose name does not tell.

use super::fields::{field_name, lines};
use super::mbox::is_separator;

/// Fields that only mail (and news) has.
const TRACES: [&str; 7] = [
    "received",
    "return-path",
    "delivered-to",
    "message-id",
    "mime-version",
    "dkim-signature",
    "newsgroups",
];
/// Fields of which any text may have one, but hardly three.
const USUAL: [&str; 6] = ["from", "to", "subject", "date", "cc", "reply-to"];

/// Returns true if a file begins with the line that separates messages in an mbox.
pub(crate) fn is_mbox(start: &[u8]) -> bool {
    is_separator(start, true, true) == Some(true)
}

/// Returns true if a file begins with the header of a message. The fields decide, up to an empty line or to the
/// end of `start`. A line that is not a field means that the file is not mail.
pub(crate) fn is_mail(start: &[u8]) -> bool {
    let mut seen = [false; TRACES.len() + USUAL.len()];
    let mut has_field = false;
    let mut at = 0;
    for line in lines(start) {
        at += line.len();
        let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
        if line.trim_ascii().is_empty() && !is_folded {
            break;
        }
        if is_folded && has_field {
            continue;
        }
        let Some(name) = field_name(line) else {
            // The last line may be cut off.
            if at == start.len() && has_field {
                break;
            }
            return false;
        };
        has_field = true;
        let names = TRACES.iter().chain(&USUAL);
        for (known, seen) in names.zip(&mut seen) {
            *seen |= name.eq_ignore_ascii_case(known.as_bytes());
        }
    }
    let (traces, usual) = seen.split_at(TRACES.len());
    let count = |seen: &[bool]| seen.iter().filter(|seen| **seen).count();
    let (traces, usual) = (count(traces), count(usual));
    usual >= 3 || (traces >= 1 && traces + usual >= 2)
}
