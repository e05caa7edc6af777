//! From a body's bytes to text: byte order mark, HTTP charset, what the body says of itself, then detection.
//!
//! The byte order mark goes before the HTTP header, as in the WHATWG standard and every browser: a
//! body that begins with one is in that encoding whatever its server says. A leading mark stays in
//! the text, so that byte spans of UTF-8 pages are those of the body.
//!
//! Encodings that browsers refuse to decode (ISO-2022-KR, HZ and their like) are taken as not named: all that is
//! in one would be the same single character.

mod declared;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use reprise_text::Content;

pub(crate) use declared::named;

/// The byte order mark that some programs put before any text in UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";
/// How much of a body the detector sees; more does not change its mind.
const DETECT_BYTES: usize = 128 << 10;
/// How much of it comes before the first byte beyond ASCII: letters are judged by their neighbours too.
const BEFORE_BYTES: usize = 64;
/// So many characters beyond ASCII must be whole for each place at which a text in UTF-8 is broken.
const WHOLE_FOR_BROKEN: usize = 8;

/// The text of a body, and the name of the encoding it was in.
pub(crate) fn decode<'b>(
    body: &'b [u8],
    content_type: Option<&[u8]>,
    content: Content,
) -> (Cow<'b, str>, &'static str) {
    // UTF-8 that is valid needs no second pass, whoever says it is UTF-8.
    let valid = simdutf8::basic::from_utf8(body).ok();
    let encoding = declared::find(body, content_type, content)
        .unwrap_or_else(|| detect(body, valid.is_some()));
    if encoding == UTF_8 {
        let text = valid.map_or_else(|| String::from_utf8_lossy(body), Cow::Borrowed);
        return (text, UTF_8.name());
    }
    let (text, _) = encoding.decode_without_bom_handling(body);
    (text, encoding.name())
}

fn detect(body: &[u8], is_utf8: bool) -> &'static Encoding {
    // Both are valid UTF-8 as well, but UTF-16 is full of zeros and ISO-2022-JP of escapes.
    if is_utf8 && memchr::memchr2(0, 0x1b, body).is_none() {
        return UTF_8;
    }
    if let Some(encoding) = utf16_without_mark(body) {
        return encoding;
    }
    if !is_utf8 && is_nearly_utf8(body) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let start = detected_from(body);
    let end = body.len().min(start + DETECT_BYTES);
    detector.feed(&body[start..end], end == body.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// Is it UTF-8 with a last character that is cut off, or with few broken ones among many? A text in another encoding
/// has hardly ever one character that is whole in UTF-8, and never many.
fn is_nearly_utf8(body: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    let mut last: &[u8] = &[];
    for chunk in body.utf8_chunks() {
        whole += chunk
            .valid()
            .chars()
            .filter(|letter| !letter.is_ascii())
            .count();
        last = chunk.invalid();
        broken += usize::from(!last.is_empty());
    }
    let is_cut = str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    whole > 0 && whole >= (broken - usize::from(is_cut)) * WHOLE_FOR_BROKEN
}

/// Where the detector begins: a long body may begin with any number of bytes that tell nothing.
fn detected_from(body: &[u8]) -> usize {
    let Some(latest) = body.len().checked_sub(DETECT_BYTES) else {
        return 0;
    };
    let first = body.iter().position(|byte| !byte.is_ascii());
    let first = first.or_else(|| memchr::memchr(0x1b, body)).unwrap_or(0);
    first.saturating_sub(BEFORE_BYTES).min(latest)
}

/// ASCII letters in UTF-16 are every second byte zero; nothing else that is text looks so.
pub(crate) fn utf16_without_mark(body: &[u8]) -> Option<&'static Encoding> {
    let start = &body[..body.len().min(512) & !1];
    let pairs = start.len() / 2;
    let zeros = |offset: usize| {
        start
            .iter()
            .skip(offset)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    if pairs < 8 {
        None
    } else if odd * 10 >= pairs * 6 && even * 20 < pairs {
        Some(UTF_16LE)
    } else if even * 10 >= pairs * 6 && odd * 20 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
