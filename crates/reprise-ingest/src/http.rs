//! HTTP responses as real servers send them and crawlers store them.
//!
//! The usual HTTP crates refuse what breaks the grammar. An archive holds answers that a browser
//! did show, so this parser takes all of them: bare line feeds, missing reason phrases, header
//! lines without a colon, no header at all.

use crate::limits::Limits;
use crate::warc::{head_length, lines};

/// The parts of a response's header that Reprise uses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ResponseHead<'a> {
    pub(crate) status: Option<u16>,
    pub(crate) content_type: Option<&'a [u8]>,
    /// The `Content-Encoding` lines.
    pub(crate) content_encoding: Vec<&'a [u8]>,
    /// What `Transfer-Encoding` names beside `chunked`.
    pub(crate) transfer_encoding: Vec<&'a [u8]>,
    pub(crate) is_chunked: bool,
}

/// A response cut into header and body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Response<'a> {
    /// Header and body, the body still transfer-encoded.
    Parsed(ResponseHead<'a>, &'a [u8]),
    /// The header is longer than allowed.
    HeaderTooLarge,
}

/// Cuts a response. A block that does not begin like HTTP is all body.
pub(crate) fn parse<'a>(block: &'a [u8], limits: &Limits) -> Response<'a> {
    let mut block = block;
    loop {
        if !is_http(block) {
            return Response::Parsed(ResponseHead::default(), block);
        }
        let window = &block[..block.len().min(limits.header_bytes)];
        let head_bytes = match head_length(window) {
            Some(length) => length,
            None if block.len() > limits.header_bytes => return Response::HeaderTooLarge,
            // The whole block is header: an answer without a body.
            None => block.len(),
        };
        let (head, body) = block.split_at(head_bytes);
        let head = parse_head(head);
        // `100 Continue` and its like come before the answer.
        if head.status.is_some_and(|status| status < 200) && is_http(body) {
            block = body;
            continue;
        }
        return Response::Parsed(head, body);
    }
}

/// Does a block begin like HTTP?
fn is_http(block: &[u8]) -> bool {
    let start = block.get(..5);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) || block.starts_with(b"ICY ")
}

fn parse_head(head: &[u8]) -> ResponseHead<'_> {
    let mut lines = lines(head);
    let mut parsed = ResponseHead {
        status: lines.next().and_then(status),
        ..ResponseHead::default()
    };
    for line in lines {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-type") {
            if parsed.content_type.is_none() && !value.is_empty() {
                parsed.content_type = Some(value);
            }
        } else if name.eq_ignore_ascii_case(b"content-encoding") {
            parsed.content_encoding.push(value);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
                if coding.eq_ignore_ascii_case(b"chunked") {
                    parsed.is_chunked = true;
                } else {
                    parsed.transfer_encoding.push(coding);
                }
            }
        }
    }
    parsed
}

fn status(line: &[u8]) -> Option<u16> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    words.next()?;
    std::str::from_utf8(words.next()?)
        .ok()?
        .parse()
        .ok()
        .filter(|status| (100..1000).contains(status))
}

/// How the removal of chunked transfer coding went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Dechunked {
    /// All chunks up to the last, empty one were there.
    Whole,
    /// The body is not chunked at all: the crawler stored it decoded. Nothing was written.
    NotChunked,
    /// A chunk's size or end is wrong; what follows was kept as it is.
    Broken,
}

/// No server sends more at a time.
const CHUNK_BYTES_MAX: usize = 64 << 20;

/// Appends the body without its chunk sizes to `output`.
pub(crate) fn dechunk(body: &[u8], output: &mut Vec<u8>) -> Dechunked {
    let mut rest = body;
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            if rest.len() == body.len() {
                return Dechunked::NotChunked;
            }
            output.extend_from_slice(rest);
            return Dechunked::Broken;
        };
        if size == 0 {
            return Dechunked::Whole;
        }
        let Some(data) = after.get(..size) else {
            // The first size may be chance: text such as "fade" or "12" reads as hexadecimal.
            let line = &rest[..rest.len() - after.len()];
            let is_chance = !line.ends_with(b"\r\n") || size > CHUNK_BYTES_MAX;
            if rest.len() == body.len() && is_chance && size > after.len().saturating_mul(2) {
                return Dechunked::NotChunked;
            }
            output.extend_from_slice(after);
            return Dechunked::Broken;
        };
        output.extend_from_slice(data);
        rest = &after[size..];
        rest = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.strip_prefix(b"\n"))
            .unwrap_or(rest);
        if rest.is_empty() {
            return Dechunked::Broken;
        }
    }
}

/// The size on the line at the start of `bytes`, and what follows the line.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    // A size with all its padding and extensions is short.
    let line_end = memchr::memchr(b'\n', &bytes[..bytes.len().min(256)])?;
    let line = bytes[..line_end].trim_ascii();
    let digits = line.split(|&byte| byte == b';').next()?.trim_ascii();
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((size, &bytes[line_end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::{Dechunked, Response, dechunk, parse};
    use crate::limits::Limits;

    const LIMITS: Limits = Limits {
        body_bytes: 1000,
        header_bytes: 200,
        ratio: 100,
        nesting: 2,
    };

    fn parsed(block: &str) -> (Option<u16>, String, bool, String) {
        match parse(block.as_bytes(), &LIMITS) {
            Response::Parsed(head, body) => (
                head.status,
                String::from_utf8_lossy(head.content_type.unwrap_or_default()).into_owned(),
                head.is_chunked,
                String::from_utf8_lossy(body).into_owned(),
            ),
            Response::HeaderTooLarge => panic!("header too large"),
        }
    }

    #[test]
    fn real_servers() {
        let check = |block: &str, status: Option<u16>, media: &str, body: &str| {
            let (s, m, _, b) = parsed(block);
            assert_eq!(
                (s, m.as_str(), b.as_str()),
                (status, media, body),
                "{block:?}"
            );
        };
        check(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhi",
            Some(200),
            "text/html",
            "hi",
        );
        check(
            "HTTP/1.0 404\ncontent-type:text/plain\n\nhi",
            Some(404),
            "text/plain",
            "hi",
        );
        check(
            "http/1.1  200  OK\r\nno colon here\r\n\r\nhi",
            Some(200),
            "",
            "hi",
        );
        check("HTTP/1.1 OK\r\n\r\nhi", None, "", "hi");
        check(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nhi",
            Some(200),
            "a/b",
            "hi",
        );
        check("HTTP/1.1 204 No Content\r\nDate: x", Some(204), "", "");
        check(
            "ICY 200 OK\r\nContent-Type: audio/mpeg\r\n\r\nx",
            Some(200),
            "audio/mpeg",
            "x",
        );
        check("<html>no header", None, "", "<html>no header");
        check(
            "HTTP/1.1 200 OK\r\nContent-Type:\r\nContent-Type: a/b\r\n\n\nx",
            Some(200),
            "a/b",
            "\nx",
        );
        check("", None, "", "");
    }

    #[test]
    fn long_headers_are_refused() {
        let block = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "y".repeat(300));
        assert_eq!(parse(block.as_bytes(), &LIMITS), Response::HeaderTooLarge);
    }

    #[test]
    fn chunked_bodies() {
        let check = |body: &str, expected: &str, how: Dechunked| {
            let mut output = Vec::new();
            assert_eq!(dechunk(body.as_bytes(), &mut output), how, "{body:?}");
            assert_eq!(String::from_utf8(output).unwrap(), expected, "{body:?}");
        };
        check(
            "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "abcde",
            Dechunked::Whole,
        );
        check(
            "3;name=x\r\nabc\r\n0\r\nTrailer: y\r\n\r\n",
            "abc",
            Dechunked::Whole,
        );
        check("0003  \nabc\n0\n\n", "abc", Dechunked::Whole);
        check("<html>", "", Dechunked::NotChunked);
        check("", "", Dechunked::NotChunked);
        check("fade\nto black", "", Dechunked::NotChunked);
        check("fadedcafe\r\nand more", "", Dechunked::NotChunked);
        check("4000\r\ncut off", "cut off", Dechunked::Broken);
        check("3\r\nabc\r\n5\r\nde", "abcde", Dechunked::Broken);
        check("3\r\nabc\r\nxyz", "abcxyz", Dechunked::Broken);
        check("3\r\nabc\r\n", "abc", Dechunked::Broken);
    }
}
