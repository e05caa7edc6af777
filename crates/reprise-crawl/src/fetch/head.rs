//! The header of a response: what the crawler needs of it, from whatever a server sends.

use std::time::Duration;

use reprise_ingest::parse_date;

/// Longest `ETag` or `Last-Modified` that is sent back.
const VALIDATOR_BYTES_MAX: usize = 256;

/// The parts of a response's header that decide what happens next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is what a line of the header says"
)]
pub(crate) struct Head {
    /// Bytes up to the end of the blank line.
    pub(crate) bytes: usize,
    pub(crate) status: u16,
    pub(crate) content_length: Option<u64>,
    /// It has a `Content-Length` that is no number, or two that differ.
    pub(crate) has_bad_length: bool,
    pub(crate) is_chunked: bool,
    pub(crate) keeps_alive: bool,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// `X-Generator`, where a program names itself in the header.
    pub(crate) generator: Option<String>,
    /// `X-Robots-Tag: nofollow`.
    pub(crate) nofollow: bool,
}

impl Head {
    /// The header at the start of `block`, once its blank line is there.
    pub(crate) fn parse(block: &[u8]) -> Option<Head> {
        let bytes = memchr::memchr_iter(b'\n', block).find_map(|at| match &block[at + 1..] {
            [b'\n', ..] => Some(at + 2),
            [b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        })?;
        Head::parse_all(&block[..bytes])
    }

    /// All of `block` as a header.
    pub(crate) fn parse_all(block: &[u8]) -> Option<Head> {
        if Head::is_not_http(block) {
            return None;
        }
        let mut lines = block.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let (status, keeps_alive) = status_line(lines.next()?)?;
        let mut head = Head {
            bytes: block.len(),
            status,
            keeps_alive,
            ..Head::default()
        };
        for line in lines {
            let Some(colon) = memchr::memchr(b':', line) else {
                continue;
            };
            let name = line[..colon].trim_ascii().to_ascii_lowercase();
            let value = line[colon + 1..].trim_ascii();
            if name == b"content-length" {
                let length = length(value);
                head.has_bad_length |= length.is_none()
                    || head.content_length.is_some_and(|seen| Some(seen) != length);
                head.content_length = length;
            } else {
                head.field(&name, value);
            }
        }
        if head.has_bad_length || head.is_chunked {
            head.content_length = None;
        }
        Some(head)
    }

    /// Can what has come so far not be the start of a status line?
    pub(crate) fn is_not_http(block: &[u8]) -> bool {
        let begins = |with: &[u8]| {
            let length = with.len().min(block.len());
            block[..length].eq_ignore_ascii_case(&with[..length])
        };
        !begins(b"HTTP/") && !begins(b"ICY ")
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        let text = || String::from_utf8_lossy(value).into_owned();
        let has_word = |word: &str| {
            value
                .split(|&byte| byte == b',')
                .any(|part| part.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
        };
        match name {
            b"transfer-encoding" => self.is_chunked |= has_word("chunked"),
            b"connection" => {
                if has_word("close") {
                    self.keeps_alive = false;
                } else if has_word("keep-alive") {
                    self.keeps_alive = true;
                }
            }
            b"location" if self.location.is_none() && !value.is_empty() => {
                self.location = Some(text());
            }
            b"retry-after" => self.retry_after = retry_after(value),
            b"etag" => self.etag = validator(value),
            b"last-modified" => self.last_modified = validator(value),
            b"x-generator" => self.generator = Some(text()),
            b"x-robots-tag" => self.nofollow |= has_word("nofollow") || has_word("none"),
            _ => {}
        }
    }

    /// Where a redirect leads, as the server spells it.
    pub(crate) fn redirect(&self) -> Option<&str> {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
            .then_some(self.location.as_deref())
            .flatten()
    }
}

/// Status, and whether the version keeps connections open by itself.
fn status_line(line: &[u8]) -> Option<(u16, bool)> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let version = words.next()?;
    let status = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (100..1000)
        .contains(&status)
        .then_some((status, version.eq_ignore_ascii_case(b"HTTP/1.1")))
}

fn length(value: &[u8]) -> Option<u64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// What may be sent back in a request: one line of visible characters.
fn validator(value: &[u8]) -> Option<String> {
    let is_fit = !value.is_empty()
        && value.len() <= VALIDATOR_BYTES_MAX
        && value.iter().all(|byte| (b' '..=b'~').contains(byte));
    is_fit.then(|| String::from_utf8_lossy(value).into_owned())
}

/// Seconds, or a date such as `Wed, 21 Oct 2015 07:28:00 GMT`.
fn retry_after(value: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(value).ok()?;
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let words: Vec<&str> = text
        .split([' ', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    let [_, day, month, year, time, ..] = words.as_slice() else {
        return None;
    };
    let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let month = months
        .iter()
        .position(|name| month.eq_ignore_ascii_case(name))?
        + 1;
    let at = parse_date(format!("{year}-{month:02}-{day:0>2}T{time}Z").as_bytes())?;
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()?
        .as_millis() as i64;
    Some(Duration::from_millis(u64::try_from(at - now).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Head, retry_after};

    fn head(text: &str) -> Head {
        Head::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text:?} is a header"))
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
    fn lengths_that_contradict() {
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
    fn what_is_no_header() {
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
        assert_eq!(retry_after(b"soon"), None);
    }
}
