//! Mail: from the bytes of one message to its id, its date and its text.
//!
//! The text of a mail is what its reader sees:
//!
//! - the subject, as the first line of plain text or as the `title` of HTML;
//! - of alternatives the HTML one, or else the first that has text;
//! - every other text part that is not attached, in its order, also of messages inside the message;
//! - no attachments, and nothing that is no text.
//!
//! Where one part is HTML, all of the text is, and plain parts stand in it as `pre`.
//!
//! Mailers break every rule there is, so the structure (header, parts) is found here, by rules that
//! cannot fail; the crate `mailparse` decodes single fields, and bodies by their transfer encoding.

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

/// What one message says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mail {
    /// `mid:` and the message id, where there is one that can be used.
    pub(crate) url: Option<String>,
    /// Milliseconds since 1970.
    pub(crate) date: Option<i64>,
    /// Of its first text, or of its first part where there is no text.
    pub(crate) media_type: String,
    /// Of its first text.
    pub(crate) charset: &'static str,
    pub(crate) text: Option<(Content, String)>,
    /// Were there parts deeper inside than the limit?
    pub(crate) is_too_deep: bool,
}

impl Mail {
    /// Reads a message; `None` where the decoder of its fields gives up on it.
    pub(crate) fn read(message: &[u8], limits: &RecordLimits) -> Option<Mail> {
        // The crate asserts what honest fields keep to.
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

/// A message without the line that an mbox puts before it.
fn strip_from_line(message: &[u8]) -> &[u8] {
    let is_from_line = message.starts_with(b"From ") && !fields::is_field(message);
    match memchr::memchr(b'\n', message) {
        Some(end) if is_from_line => &message[end + 1..],
        _ => message,
    }
}

/// A message whose lines end with CR alone, as old Macintoshes wrote them, with line feeds instead.
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

/// The URL of a message id, by RFC 2392: without its angle brackets, and with everything escaped
/// that is not allowed in a URL or has a meaning in this one.
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
