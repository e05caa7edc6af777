//! HTTP responses as real servers send them and crawlers store them.
//!
//! The usual HTTP crates refuse what breaks the grammar. An archive holds answers that a browser
//! did show, so this parser takes all of them: bare line feeds or carriage returns, missing reason
//! phrases, header lines without a colon, folded ones, a header without an end, no header at all.

mod chunked;

use crate::frame::skip_line_breaks;
use crate::limits::Limits;
use crate::warc::{blank_line, fields, line_ends, lines};

pub(crate) use chunked::{Dechunked, dechunk};

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
    /// Was the body found by its own first line, and not behind an empty one?
    pub(crate) is_open: bool,
    /// Does the answer itself come behind it: is it `100 Continue` and its like, or a proxy's word that it is connected?
    is_before_answer: bool,
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
    if !begins(block) {
        return Response::Parsed(ResponseHead::default(), block);
    }
    let mut rest = &block[skip_line_breaks(block)..];
    loop {
        let block = rest;
        let window = &block[..block.len().min(limits.header_bytes)];
        let (head_bytes, is_open) = match head_length(window) {
            Some(found) => found,
            None if block.len() > limits.header_bytes => return Response::HeaderTooLarge,
            // The whole block is header: an answer without a body.
            None => (block.len(), false),
        };
        let (head, body) = block.split_at(head_bytes);
        let head = ResponseHead {
            is_open,
            ..parse_head(head)
        };
        if head.is_before_answer && is_http(body) {
            rest = body;
            continue;
        }
        return Response::Parsed(head, body);
    }
}

/// Does a block begin like HTTP? Line breaks may be left over of what a server sent before.
pub(crate) fn begins(block: &[u8]) -> bool {
    is_http(&block[skip_line_breaks(block)..])
}

/// Does a block begin with a status line?
fn is_http(block: &[u8]) -> bool {
    let start = block.get(..5);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) || block.starts_with(b"ICY ")
}

/// Length of a header with the empty line that ends it, or up to a body that follows without one, and whether that is
/// so.
fn head_length(bytes: &[u8]) -> Option<(usize, bool)> {
    if let Some(end) = end_by_returns(bytes) {
        return Some((end, false));
    }
    let mut ends = line_ends(bytes);
    let ended = ends.find_map(|(at, after)| match blank_line(after) {
        Some(length) => Some((at + length, false)),
        None => (begins_body(after) && !is_odd_line(after)).then_some((at, true)),
    });
    // Servers put lines into their headers that are no fields; these end one only if nothing else does.
    ended.or_else(|| {
        let odd = line_ends(bytes).find(|(_, after)| !may_be_field(after))?;
        Some((odd.0, true))
    })
}

/// Does a line begin with what no field begins with: markup, JSON, a byte order mark, bytes that are no text?
fn begins_body(line: &[u8]) -> bool {
    matches!(line, [b'<' | b'{' | b'[' | 0..=8 | 14..=31 | 128.., ..])
}

/// Where a header ends whose lines end with CR alone.
fn end_by_returns(bytes: &[u8]) -> Option<usize> {
    let line = &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())];
    let end = memchr::memmem::find(line, b"\r\r")? + 2;
    // CR CR LF is a line end too.
    (bytes.get(end) != Some(&b'\n')).then_some(end)
}

/// Is a line one that somebody put into a header, though it begins as a body does? Then fields follow it, and nothing
/// but fields, to an empty line.
fn is_odd_line(line: &[u8]) -> bool {
    let mut following = line_ends(line).map(|(_, after)| after);
    following.next().is_some_and(is_field_line)
        && following
            .find(|after| blank_line(after).is_some() || !may_be_field(after))
            .is_some_and(|after| blank_line(after).is_some())
}

/// Is what follows a field, or part of one: folded, or cut off in its name?
fn may_be_field(after: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', after);
    let line = &after[..end.unwrap_or(after.len())];
    let is_part = matches!(line, [b' ' | b'\t', ..]);
    let is_cut = end.is_none() && line.iter().all(|&byte| is_name_byte(byte));
    is_part || is_cut || is_field(line)
}

/// Do these bytes begin with a field?
fn is_field_line(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', bytes);
    is_field(&bytes[..end.unwrap_or(bytes.len())])
}

/// Does a line begin with a name and a colon?
fn is_field(line: &[u8]) -> bool {
    // A colon may also begin the name: some archives hold the fields of HTTP/2 as they are.
    let line = line.strip_prefix(b":").unwrap_or(line);
    memchr::memchr(b':', line).is_some_and(|colon| {
        let name = line[..colon].trim_ascii_end();
        !name.is_empty() && name.iter().all(|&byte| is_name_byte(byte))
    })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn parse_head(head: &[u8]) -> ResponseHead<'_> {
    if end_by_returns(head).is_some() {
        let mut lines = head.split(|&byte| byte == b'\r');
        let mut parsed = ResponseHead::begun_by(lines.next().unwrap_or_default());
        for line in lines {
            if let Some(colon) = memchr::memchr(b':', line) {
                parsed.take(line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
            }
        }
        return parsed;
    }
    let mut parsed = ResponseHead::begun_by(lines(head).next().unwrap_or_default());
    for (name, value) in fields(head) {
        parsed.take(name, value);
    }
    parsed
}

impl<'a> ResponseHead<'a> {
    /// What the first line of a header says.
    fn begun_by(line: &[u8]) -> ResponseHead<'a> {
        let status = status(line);
        let reason = line.trim_ascii_end();
        let is_connected = (reason.len().checked_sub(CONNECTED.len()))
            .is_some_and(|at| reason[at..].eq_ignore_ascii_case(CONNECTED));
        ResponseHead {
            status,
            is_before_answer: status.is_some_and(|status| status < 200) || is_connected,
            ..ResponseHead::default()
        }
    }

    /// Notes a field, if it is used.
    fn take(&mut self, name: &[u8], value: &'a [u8]) {
        if name.eq_ignore_ascii_case(b"content-type") {
            if self.content_type.is_none() && !value.is_empty() {
                self.content_type = Some(value);
            }
        } else if name.eq_ignore_ascii_case(b"content-encoding") {
            self.content_encoding.push(value);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
                if coding.eq_ignore_ascii_case(b"chunked") {
                    self.is_chunked = true;
                } else {
                    self.transfer_encoding.push(coding);
                }
            }
        }
    }
}

/// What a proxy says before it hands on the answer.
const CONNECTED: &[u8] = b"connection established";

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

#[cfg(test)]
mod tests {
    use super::{Response, parse};
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
        check(
            "HTTP/1.1 200 Connection established\r\nVia: p\r\n\r\nHTTP/1.1 404 No\r\nContent-Type: a/b\r\n\r\nhi",
            Some(404),
            "a/b",
            "hi",
        );
        check(
            "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 is a protocol",
            Some(200),
            "",
            "HTTP/1.1 is a protocol",
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
        check(
            "HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html;\r\n\tcharset=utf-8\r\n\r\nhi",
            Some(200),
            "text/html;\r\n\tcharset=utf-8",
            "hi",
        );
        check(
            "HTTP/1.1 200 OK\r\r\nContent-Type: a/b\r\r\n\r\r\nhi",
            Some(200),
            "a/b",
            "hi",
        );
        check(
            "HTTP/1.1 200 OK\rContent-Type: a/b\rX: y\r\rhi\r\nthere\n\n",
            Some(200),
            "a/b",
            "hi\r\nthere\n\n",
        );
        check(
            "\r\n\nHTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nhi",
            Some(200),
            "a/b",
            "hi",
        );
        check("\r\n<html>", None, "", "\r\n<html>");
    }

    #[test]
    fn odd_lines_end_no_header() {
        for odd in [
            "[warn] a: b",
            "<meta>: x",
            "Šárka: é",
            "<br />",
            "{",
            "\u{1}",
        ] {
            let block = format!(
                "HTTP/1.1 200 OK\r\n{odd}\r\nA: b\r\n c\r\nContent-Type: a/b\r\n\r\nhi\n\n"
            );
            let Response::Parsed(head, body) = parse(block.as_bytes(), &LIMITS) else {
                panic!("header too large");
            };
            assert_eq!((body, head.is_open), (b"hi\n\n".as_slice(), false), "{odd}");
            assert_eq!(head.content_type, Some(b"a/b".as_slice()), "{odd}");
        }
    }

    #[test]
    fn codings_in_folded_fields() {
        let block = b"HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip\r\nTransfer-Encoding:\r\n\tbr,\r\n chunked\r\n\r\n";
        let Response::Parsed(head, body) = parse(block, &LIMITS) else {
            panic!("header too large");
        };
        assert_eq!(head.content_encoding, [b"gzip"]);
        assert_eq!(head.transfer_encoding, [b"br"]);
        assert!(head.is_chunked && !head.is_open && body.is_empty());
    }

    #[test]
    fn headers_without_an_end() {
        let check = |block: &str, body: &str, is_open: bool| {
            let Response::Parsed(head, found) = parse(block.as_bytes(), &LIMITS) else {
                panic!("header too large");
            };
            let found = String::from_utf8_lossy(found);
            assert_eq!((&*found, head.is_open), (body, is_open), "{block:?}");
        };
        let head = "HTTP/1.1 200 OK\r\nX: y\r\n";
        for body in [
            "<html><p>one\n\n<p>two",
            "{\"a\": 1}\n\n",
            "\u{feff}<p>one\n\ntwo",
            "\u{1}\u{2}: \n\n",
            "one two\nthree",
            "<html>\n <p>one\n\n<p>two",
            "<p>one\nNote: two\nthree\n\nfour",
            "<p>one\nNote: two",
        ] {
            check(&format!("{head}{body}"), body, true);
        }
        let long = format!("<p>{}", "x".repeat(300));
        check(&format!("{head}{long}"), &long, true);
        // All header: it breaks off, or ends with the block.
        for rest in ["Con", "Content-Type: te", " folded", ""] {
            check(&format!("{head}{rest}"), "", false);
        }
        check(
            &format!("{head}no field\r\n:status: 200\r\n\r\nhi"),
            "hi",
            false,
        );
    }

    #[test]
    fn long_headers_are_refused() {
        let block = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "y".repeat(300));
        assert_eq!(parse(block.as_bytes(), &LIMITS), Response::HeaderTooLarge);
    }
}
