//! The parts of a message, and the choice of those that are its text.

use std::borrow::Cow;

use mailparse::{DispositionType, parse_content_disposition, parse_content_type};
use reprise_text::Content;

use super::fields::Fields;
use super::multipart::parts;
use super::text::Piece;
use super::transfer;
use crate::limits::RecordLimits;
use crate::{charset, media};

/// The deepest nesting, whatever the limit: every level is a recursive call.
const NESTING_MAX: usize = 16;

/// The texts of a message.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) texts: Vec<Piece>,
    /// Media type and charset of the first text.
    first: Option<(String, &'static str)>,
    /// The media type of the first part that is not text.
    other: Option<String>,
    /// True if parts exceed the nesting limit.
    pub(super) is_too_deep: bool,
}

impl Found {
    pub(super) fn media_type(&self) -> &str {
        let first = self.first.as_ref().map(|(media_type, _)| media_type);
        first
            .or(self.other.as_ref())
            .map_or("message/rfc822", String::as_str)
    }

    pub(super) fn charset(&self) -> &'static str {
        self.first.as_ref().map_or("", |(_, charset)| charset)
    }

    fn has_html(&self) -> bool {
        self.texts
            .iter()
            .any(|piece| matches!(piece, Piece::Html(_)))
    }

    fn has_text(&self) -> bool {
        let is_blank = |text: &str| text.trim().is_empty();
        self.texts.iter().any(|piece| match piece {
            Piece::Subject(_) => false,
            Piece::Plain(text) | Piece::Html(text) => !is_blank(text),
        })
    }

    fn append(&mut self, other: Found) {
        self.texts.extend(other.texts);
        self.first = self.first.take().or(other.first);
        self.other = self.other.take().or(other.other);
        self.is_too_deep |= other.is_too_deep;
    }

    fn not_text(&mut self, media_type: &str) {
        self.other.get_or_insert_with(|| media_type.to_owned());
    }
}

/// Returns the texts of a message.
pub(super) fn texts_of(message: &[u8], limits: &RecordLimits) -> Found {
    let nesting = limits.nesting.min(NESTING_MAX);
    let levels = Levels {
        nesting,
        messages: nesting,
        multiparts: nesting,
    };
    let mut found = Found::default();
    levels.message(message, &mut found);
    found
}

/// The levels that are left: messages in messages, and in each of them multiparts in multiparts.
#[derive(Clone, Copy)]
struct Levels {
    nesting: usize,
    messages: usize,
    multiparts: usize,
}

/// The role of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// A whole message, which is read even if it calls itself an attachment.
    Whole,
    /// A part of a multipart.
    Part,
    /// A part of a digest, which is a message by default.
    InDigest,
}

impl Levels {
    fn message(self, message: &[u8], found: &mut Found) {
        let (fields, body) = Fields::split(message);
        if let Some(subject) = fields.decoded("subject") {
            let subject = subject.trim();
            if !subject.is_empty() {
                found.texts.push(Piece::Subject(subject.to_owned()));
            }
        }
        self.entity(&fields, body, Standing::Whole, found);
    }

    fn entity(self, fields: &Fields<'_>, body: &[u8], standing: Standing, found: &mut Found) {
        let declared = fields.decoded("content-type");
        let media = parse_content_type(declared.as_deref().unwrap_or_default());
        let media_type = match media.mimetype.trim() {
            "" if standing == Standing::InDigest => "message/rfc822",
            named if named.contains('/') => named,
            // For example `Content-Type: text`.
            _ => "text/plain",
        };
        if let Some(kind) = media_type.strip_prefix("multipart/") {
            let boundary = media
                .params
                .get("boundary")
                .map_or("", |value| value.trim());
            return self.multipart(kind, boundary, body, found);
        }
        let is_attached = standing != Standing::Whole && is_attachment(fields);
        let encoding = fields.decoded("content-transfer-encoding");
        match media_type {
            "message/rfc822" | "message/global" | "message/news" => {
                self.inner_message(&transfer::decode(body, encoding.as_deref()), found);
            }
            _ if is_attached => found.not_text(media_type),
            _ if media_type.starts_with("text/") || media_type.starts_with("message/") => {
                let body = transfer::decode(body, encoding.as_deref());
                let label = media.params.get("charset").map(String::as_str);
                text(media_type, label, body, found);
            }
            _ => found.not_text(media_type),
        }
    }

    fn inner_message(self, message: &[u8], found: &mut Found) {
        match self.messages.checked_sub(1) {
            Some(messages) => Levels {
                messages,
                multiparts: self.nesting,
                ..self
            }
            .message(message, found),
            None => found.is_too_deep = true,
        }
    }

    fn multipart(self, kind: &str, boundary: &str, body: &[u8], found: &mut Found) {
        let Some(multiparts) = self.multiparts.checked_sub(1) else {
            found.is_too_deep = true;
            return;
        };
        let inside = Levels { multiparts, ..self };
        let standing = if kind == "digest" {
            Standing::InDigest
        } else {
            Standing::Part
        };
        let mut children = parts(body, boundary.as_bytes()).peekable();
        if boundary.is_empty() || children.peek().is_none() {
            // The boundary is missing or wrong. All of the body as text is better than nothing.
            return text("text/plain", None, Cow::Borrowed(body), found);
        }
        let children = children.map(|part| {
            let mut child = Found::default();
            let (fields, body) = Fields::split(part);
            inside.entity(&fields, body, standing, &mut child);
            child
        });
        if kind == "alternative" {
            found.append(best_of(children));
        } else {
            children.for_each(|child| found.append(child));
        }
    }
}

/// Returns the last alternative with HTML, or else the first with text, or else the first.
fn best_of(alternatives: impl Iterator<Item = Found>) -> Found {
    let mut is_too_deep = false;
    let mut best: Option<((bool, bool), Found)> = None;
    for next in alternatives {
        is_too_deep |= next.is_too_deep;
        // Examine each alternative once: the best one so far may be long, and there may be many.
        let has_text = next.has_text();
        let rank = (has_text, has_text && next.has_html());
        let is_better = |(kept, _): &(_, Found)| rank > *kept || rank == (true, true);
        if best.as_ref().is_none_or(is_better) {
            best = Some((rank, next));
        }
    }
    Found {
        is_too_deep,
        ..best.map(|(_, found)| found).unwrap_or_default()
    }
}

fn is_attachment(fields: &Fields<'_>) -> bool {
    fields.decoded("content-disposition").is_some_and(|value| {
        parse_content_disposition(&value).disposition == DispositionType::Attachment
    })
}

/// Adds a part as text, unless its bytes are not text.
fn text(media_type: &str, label: Option<&str>, body: Cow<'_, [u8]>, found: &mut Found) {
    let content_type = label
        .filter(|label| !is_ascii(label))
        .map(|label| format!("{media_type}; charset={label}"));
    let declared = content_type.as_deref().unwrap_or(media_type).as_bytes();
    let media = media::classify(Some(declared), &body);
    let Some(content) = media.content else {
        return found.not_text(media_type);
    };
    let is_html = content == Content::Html;
    let body = if is_html {
        body
    } else {
        transfer::without_uuencoded(body)
    };
    let (text, charset) = charset::decode(&body, Some(declared), content);
    found
        .first
        .get_or_insert((media.media_type.into_owned(), charset));
    found.texts.push(if is_html {
        Piece::Html(text.into_owned())
    } else {
        Piece::Plain(text.into_owned())
    });
}

/// Returns true for labels of ASCII. Mail programs declare ASCII without looking, so the charset is detected.
fn is_ascii(label: &str) -> bool {
    [
        "us-ascii",
        "ascii",
        "ansi_x3.4-1968",
        "unknown-8bit",
        "default",
    ]
    .iter()
    .any(|name| label.trim().eq_ignore_ascii_case(name))
}
