//! The fields of a response head that the crawler uses. The parser is that of [`reprise_ingest::http`].

use std::time::Duration;

use reprise_ingest::{date, http};

use crate::archive::now;

/// The longest `ETag` or `Last-Modified` that is sent back, in bytes.
const VALIDATOR_BYTES_MAX: usize = 256;

/// The fields of a response head that decide how the crawl continues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is the value of a field"
)]
pub(crate) struct Head {
    /// The length of the head, including the empty line that ends it.
    pub(crate) bytes: usize,
    pub(crate) status: u16,
    pub(crate) content_length: Option<u64>,
    /// True if a `Content-Length` is not a number, or two of them differ.
    pub(crate) has_bad_length: bool,
    pub(crate) is_chunked: bool,
    pub(crate) keeps_alive: bool,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// The value of `X-Generator`, with which a program names itself.
    pub(crate) generator: Option<String>,
    /// True if `X-Robots-Tag` says `nofollow` or `none`.
    pub(crate) nofollow: bool,
}

impl Head {
    /// Parses the head at the start of `block`. Returns `None` until the empty line that ends it has arrived.
    pub(crate) fn parse(block: &[u8]) -> Option<Head> {
        let (head, _) = http::Head::split(block)?;
        Head::of(&head)
    }

    /// Parses all of `block` as a head.
    pub(crate) fn parse_all(block: &[u8]) -> Option<Head> {
        Head::of(&http::Head::new(block))
    }

    fn of(parsed: &http::Head<'_>) -> Option<Head> {
        if Head::is_not_http(parsed.as_bytes()) {
            return None;
        }
        let mut head = Head {
            bytes: parsed.as_bytes().len(),
            status: parsed.status()?,
            keeps_alive: parsed.version()?.eq_ignore_ascii_case(b"HTTP/1.1"),
            ..Head::default()
        };
        for field in parsed.fields() {
            head.take(&field);
        }
        if head.has_bad_length || head.is_chunked {
            head.content_length = None;
        }
        Some(head)
    }

    /// Returns true if no response begins with the bytes that have arrived so far.
    pub(crate) fn is_not_http(block: &[u8]) -> bool {
        !http::Head::may_begin(block)
    }

    fn take(&mut self, field: &http::Field<'_>) {
        let value = field.unfolded();
        let text = || String::from_utf8_lossy(&value).into_owned();
        let has_item = |name: &str| {
            field
                .items()
                .any(|item| item.eq_ignore_ascii_case(name.as_bytes()))
        };
        match field.name.to_ascii_lowercase().as_slice() {
            b"content-length" => {
                let length = length(&value);
                self.has_bad_length |= length.is_none()
                    || self.content_length.is_some_and(|seen| Some(seen) != length);
                self.content_length = length;
            }
            b"transfer-encoding" => self.is_chunked |= has_item("chunked"),
            b"connection" => {
                if has_item("close") {
                    self.keeps_alive = false;
                } else if has_item("keep-alive") {
                    self.keeps_alive = true;
                }
            }
            b"location" if self.location.is_none() && !value.is_empty() => {
                self.location = Some(text());
            }
            b"retry-after" => self.retry_after = retry_after(&value),
            b"etag" => self.etag = validator(&value),
            b"last-modified" => self.last_modified = validator(&value),
            b"x-generator" => self.generator = Some(text()),
            b"x-robots-tag" => self.nofollow |= has_item("nofollow") || has_item("none"),
            _ => {}
        }
    }

    /// Returns the target of a redirect, as the server spells it.
    pub(crate) fn redirect(&self) -> Option<&str> {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
            .then_some(self.location.as_deref())
            .flatten()
    }
}

fn length(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// Returns a value that may be sent back in a request: one line of printable characters.
fn validator(value: &[u8]) -> Option<String> {
    let is_fit = !value.is_empty()
        && value.len() <= VALIDATOR_BYTES_MAX
        && value.iter().all(|byte| (b' '..=b'~').contains(byte));
    is_fit.then(|| String::from_utf8_lossy(value).into_owned())
}

/// Parses a number of seconds, or a date such as `Wed, 21 Oct 2015 07:28:00 GMT`. A date in the past means no wait.
fn retry_after(value: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(value).ok()?;
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let wait = date::parse_mail(text)? - now();
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Head, retry_after};

    fn head(text: &str) -> Head {
        Head::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text:?} is a head"))
    }

    #[test]
    fn real_servers() {
        let found = head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\n\r\nhello");
        assert_eq!(
            (found.bytes, found.status, found.content_length),
            (49, 200, Some(5))
        );
        assert!(found.keeps_alive);
        assert_eq!(found.etag.as_deref(), Some("\"x\""));
        let found = head("HTTP/1.0 301\nLocation: /é\nlocation: /second\n\n");
        assert_eq!(found.redirect(), Some("/é"));
        assert!(!found.keeps_alive);
        assert!(head("HTTP/1.0 200\nConnection: Keep-Alive\n\n").keeps_alive);
        assert!(!head("HTTP/1.1 200\nConnection: close\n\n").keeps_alive);
        assert_eq!(head("ICY 200 OK\r\n\r\n").status, 200);
        assert_eq!(
            head("HTTP/1.1 304 Not Modified\r\nLocation: /x\r\n\r\n").redirect(),
            None
        );
        assert!(head("HTTP/1.1 200\nX-Robots-Tag: noindex, nofollow\n\n").nofollow);
    }

    #[test]
    fn folded_fields_and_odd_line_breaks() {
        let found = head("HTTP/1.1 301 Moved\r\nLocation:\r\n /a\r\nETag: \"x\r\n y\"\r\n\r\n");
        assert_eq!(found.redirect(), Some("/a"));
        assert_eq!(found.etag.as_deref(), Some("\"x y\""));
        let found = head("HTTP/1.1 200 OK\rContent-Length: 4\r\rbody");
        assert_eq!((found.bytes, found.content_length), (35, Some(4)));
    }

    #[test]
    fn contradicting_lengths() {
        assert_eq!(
            head("HTTP/1.1 200\nContent-Length: 5\nContent-Length: 5\n\n").content_length,
            Some(5)
        );
        assert_eq!(
            head("HTTP/1.1 200\nContent-Length: 5\nContent-Length: 6\n\n").content_length,
            None
        );
        assert_eq!(
            head("HTTP/1.1 200\nContent-Length: -5\n\n").content_length,
            None
        );
        let both = head("HTTP/1.1 200\nContent-Length: 5\nTransfer-Encoding: gzip, Chunked\n\n");
        assert!(both.is_chunked && both.content_length.is_none());
    }

    #[test]
    fn bytes_that_are_not_a_head() {
        assert_eq!(Head::parse(b"HTTP/1.1 200 OK\r\nA: b\r\n"), None);
        assert_eq!(Head::parse(b"<html>\n\n"), None);
        assert_eq!(Head::parse(b"HTTP/1.1 OK\n\n"), None);
        assert!(Head::is_not_http(b"SSH-2.0"));
        assert!(
            !Head::is_not_http(b"HT")
                && !Head::is_not_http(b"")
                && !Head::is_not_http(b"http/1.1 2")
        );
    }

    #[test]
    fn times_to_wait() {
        assert_eq!(retry_after(b"120"), Some(Duration::from_mins(2)));
        assert_eq!(
            retry_after(b"Wed, 21 Oct 2015 07:28:00 GMT"),
            Some(Duration::ZERO)
        );
        assert!(
            retry_after(b"Fri, 01 Jan 2100 00:00:00 GMT").unwrap() > Duration::from_secs(1 << 30)
        );
        assert_eq!(
            retry_after(b"Wednesday, 21-Oct-15 07:28:00 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(retry_after(b"soon"), None);
        assert_eq!(retry_after(b"-5"), None);
    }
}
