//! Decodes a body to text. The encoding comes from the byte order mark, the HTTP charset, the body's own
//! declaration, or detection, in this order.
//!
//! The byte order mark comes before the HTTP header, as in the WHATWG standard and in every browser. A leading
//! mark stays in the text, so that byte spans of UTF-8 pages are those of the body.
//!
//! A declaration of an encoding that browsers refuse to decode (ISO-2022-KR, HZ and the like) is ignored: all
//! of the body would become a single replacement character.

mod declared;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use reprise_text::Content;

pub(crate) use declared::named;

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";
/// The number of bytes that the detector sees. More bytes do not change its result.
const DETECT_BYTES: usize = 128 << 10;
/// The number of bytes before the first non-ASCII byte that the detector sees: it judges letters by their
/// neighbours too.
const BEFORE_BYTES: usize = 64;
/// The number of valid non-ASCII characters that a text needs for each invalid place to count as UTF-8.
const WHOLE_FOR_BROKEN: usize = 8;

/// Returns the text of a body, and the name of its encoding.
pub(crate) fn decode<'b>(
    body: &'b [u8],
    content_type: Option<&[u8]>,
    content: Content,
) -> (Cow<'b, str>, &'static str) {
    // Valid UTF-8 needs no second pass, whether it is declared or detected.
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
    // UTF-16 and ISO-2022-JP may be valid UTF-8 too. UTF-16 contains zeros, and ISO-2022-JP contains escapes.
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

/// Returns true if a body is UTF-8 with a cut-off last character, or with few invalid places. A text in another
/// encoding hardly ever contains a valid UTF-8 character, and never many.
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

/// Returns the position at which detection starts: a long body may begin with many bytes that do not tell its
/// encoding.
fn detected_from(body: &[u8]) -> usize {
    let Some(latest) = body.len().checked_sub(DETECT_BYTES) else {
        return 0;
    };
    let first = body.iter().position(|byte| !byte.is_ascii());
    let first = first.or_else(|| memchr::memchr(0x1b, body)).unwrap_or(0);
    first.saturating_sub(BEFORE_BYTES).min(latest)
}

/// Detects UTF-16 without a byte order mark: in ASCII letters, every second byte is zero. No other text looks
/// like this.
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
