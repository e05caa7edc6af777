//! Mail: reads the id, the date and the text of a message.
//!
//! The text of a mail is what its reader sees:
//!
//! - the subject, as the first line of plain text or as the `title` of HTML;
//! - of several alternatives, the HTML one, or else the first with text;
//! - every other text part that is not an attachment, in order, including messages inside the message.
//!
//! If one part is HTML, the whole text is HTML, and plain parts become `pre` elements.
//!
//! Mail programs break every rule, so this module finds the structure (header, parts) by rules that cannot
//! fail. The crate `mailparse` decodes single fields and transfer encodings.

mod fields;
mod mbox;
mod multipart;
mod parts;
mod sniff;
mod text;
mod transfer;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use reprise_text::Content;

use crate::date;
use crate::limits::RecordLimits;
use fields::Fields;

pub(crate) use mbox::{find_mail, next_frame, skip_to_mail, unquote};
pub(crate) use sniff::{is_mail, is_mbox};

/// The parts of a message that Reprise uses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mail {
    /// `mid:` and the message id, if it is usable.
    pub(crate) url: Option<String>,
    /// Milliseconds since 1970.
    pub(crate) date: Option<i64>,
    /// The media type of the first text, or of the first part of a mail without text.
    pub(crate) media_type: String,
    /// The charset of the first text.
    pub(crate) charset: &'static str,
    pub(crate) text: Option<(Content, String)>,
    /// True if parts exceed the nesting limit.
    pub(crate) is_too_deep: bool,
}

impl Mail {
    /// Reads a message. Returns `None` if the decoder of its fields panics.
    pub(crate) fn read(message: &[u8], limits: &RecordLimits) -> Option<Mail> {
        // `mailparse` asserts properties that hostile fields do not have.
        catch_unwind(AssertUnwindSafe(|| Mail::read_all(message, limits))).ok()
    }

    fn read_all(message: &[u8], limits: &RecordLimits) -> Mail {
        let message = with_line_feeds(strip_from_line(message));
        let (fields, _) = Fields::split(&message);
        let found = parts::texts_of(&message, limits);
        Mail {
            url: fields.raw("message-id").and_then(|id| mid_url(&id)),
            date: fields
                .raw("date")
                .and_then(|date| date::parse_mail(&String::from_utf8_lossy(&date))),
            media_type: found.media_type().to_owned(),
            charset: found.charset(),
            is_too_deep: found.is_too_deep,
            text: text::join(&found.texts),
        }
    }
}

/// Removes the line that an mbox puts before a message.
fn strip_from_line(message: &[u8]) -> &[u8] {
    let is_from_line = message.starts_with(b"From ") && !fields::is_field(message);
    match memchr::memchr(b'\n', message) {
        Some(end) if is_from_line => &message[end + 1..],
        _ => message,
    }
}

/// Replaces the carriage returns of a message whose lines end with CR alone, as on old Macintoshes.
fn with_line_feeds(message: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', message).is_some() || memchr::memchr(b'\r', message).is_none() {
        return Cow::Borrowed(message);
    }
    let mut lines = message.to_vec();
    for byte in &mut lines {
        if *byte == b'\r' {
            *byte = b'\n';
        }
    }
    Cow::Owned(lines)
}

/// Returns the URL of a message id, by RFC 2392: without angle brackets, and with escapes for bytes that are
/// not allowed in a URL or have a meaning in it.
fn mid_url(field: &[u8]) -> Option<String> {
    const ID_BYTES_MAX: usize = 998;
    let field = field.trim_ascii();
    let id = match memchr::memchr(b'<', field) {
        Some(start) => {
            let rest = &field[start + 1..];
            rest[..memchr::memchr(b'>', rest)?].trim_ascii()
        }
        None => field,
    };
    let is_usable = !id.is_empty()
        && id.len() <= ID_BYTES_MAX
        && !id.iter().any(|byte| *byte <= b' ' || *byte == 0x7f);
    is_usable.then(|| {
        let mut url = "mid:".to_owned();
        for &byte in id {
            if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
                url.push(char::from(byte));
            } else {
                url.push('%');
                for digit in [byte >> 4, byte & 15] {
                    url.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        }
        url
    })
}
