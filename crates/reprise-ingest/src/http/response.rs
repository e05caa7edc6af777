//! Splits a stored response into head and body.
//!
//! Some stored heads have no empty line at their end. A whole response is known here, so the body is then found by its
//! first line.

use super::head::{Head, end_by_returns};
use crate::fields::{blank_line, line_ends};
use crate::frame::skip_line_breaks;
use crate::limits::RecordLimits;

/// A response, split into head and body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Response<'a> {
    /// Head and body. The body still has its transfer encoding.
    Parsed {
        head: Head<'a>,
        /// True if the body was found by its first line, because no empty line ends the head.
        is_open: bool,
        body: &'a [u8],
    },
    /// The head is larger than the limit.
    HeaderTooLarge,
}

/// Splits a response. A block that does not begin like HTTP is all body.
pub(crate) fn parse<'a>(block: &'a [u8], limits: &RecordLimits) -> Response<'a> {
    if !begins(block) {
        return Response::Parsed {
            head: Head::new(&[]),
            is_open: false,
            body: block,
        };
    }
    let mut rest = &block[skip_line_breaks(block)..];
    loop {
        let block = rest;
        let window = &block[..block.len().min(limits.header_bytes)];
        let (head_bytes, is_open) = match head_length(window) {
            Some(found) => found,
            None if block.len() > limits.header_bytes => return Response::HeaderTooLarge,
            // The whole block is the head of a response without a body.
            None => (block.len(), false),
        };
        let (head, body) = block.split_at(head_bytes);
        let head = Head::new(head);
        if is_interim(&head) && is_http(body) {
            rest = body;
            continue;
        }
        return Response::Parsed {
            head,
            is_open,
            body,
        };
    }
}

/// Returns true if a block begins like HTTP. Line breaks may remain from the previous response of the server.
pub(crate) fn begins(block: &[u8]) -> bool {
    is_http(&block[skip_line_breaks(block)..])
}

/// Returns true if a block begins with a status line.
fn is_http(block: &[u8]) -> bool {
    let start = block.get(..5);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) || block.starts_with(b"ICY ")
}

/// Returns true if the final response follows: after `100 Continue` and the like, or after the response with which a
/// proxy reports that it is connected.
fn is_interim(head: &Head<'_>) -> bool {
    const CONNECTED: &[u8] = b"connection established";
    let line = head.status_line();
    let reason = line.len().checked_sub(CONNECTED.len());
    let is_connected = reason.is_some_and(|at| line[at..].eq_ignore_ascii_case(CONNECTED));
    head.status().is_some_and(|status| status < 200) || is_connected
}

/// Returns the length of a head with the empty line that ends it, and false. If a body follows without an empty line,
/// returns the start of the body and true.
fn head_length(bytes: &[u8]) -> Option<(usize, bool)> {
    if let Some(end) = end_by_returns(bytes) {
        return Some((end, false));
    }
    let mut ends = line_ends(bytes);
    let ended = ends.find_map(|(at, after)| match blank_line(after) {
        Some(length) => Some((at + length, false)),
        None => (begins_body(after) && !is_odd_line(after)).then_some((at, true)),
    });
    // Servers put lines into their heads that are not fields. Such a line ends the head only if nothing else does.
    ended.or_else(|| {
        let odd = line_ends(bytes).find(|(_, after)| !may_be_field(after))?;
        Some((odd.0, true))
    })
}

/// Returns true if a line begins with a byte that no field begins with: markup, JSON, a byte order mark, binary data.
fn begins_body(line: &[u8]) -> bool {
    matches!(line, [b'<' | b'{' | b'[' | 0..=8 | 14..=31 | 128.., ..])
}

/// Returns true if a line that begins like a body is part of the head: only fields follow it, up to an empty line.
fn is_odd_line(line: &[u8]) -> bool {
    let mut following = line_ends(line).map(|(_, after)| after);
    following.next().is_some_and(is_field_line)
        && following
            .find(|after| blank_line(after).is_some() || !may_be_field(after))
            .is_some_and(|after| blank_line(after).is_some())
}

/// Returns true if these bytes begin with a field, a continuation of one, or the cut-off name of one.
fn may_be_field(after: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', after);
    let line = &after[..end.unwrap_or(after.len())];
    let is_part = matches!(line, [b' ' | b'\t', ..]);
    let is_cut = end.is_none() && line.iter().all(|&byte| is_name_byte(byte));
    is_part || is_cut || is_field(line)
}

/// Returns true if these bytes begin with a field.
fn is_field_line(bytes: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', bytes);
    is_field(&bytes[..end.unwrap_or(bytes.len())])
}

/// Returns true if a line begins with a name and a colon.
pub(super) fn is_field(line: &[u8]) -> bool {
    // Some archives store the pseudo-fields of HTTP/2, whose names begin with a colon.
    let line = line.strip_prefix(b":").unwrap_or(line);
    memchr::memchr(b':', line).is_some_and(|colon| {
        let name = line[..colon].trim_ascii_end();
        !name.is_empty() && name.iter().all(|&byte| is_name_byte(byte))
    })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{Response, parse};
    use crate::http::Head;
    use crate::limits::RecordLimits;

    const LIMITS: RecordLimits = RecordLimits {
        body_bytes: 1000,
        header_bytes: 200,
        ratio: 100,
        nesting: 2,
    };

    fn parsed(block: &str) -> (Option<u16>, String, bool, String) {
        match parse(block.as_bytes(), &LIMITS) {
            Response::Parsed { head, body, .. } => (
                head.status(),
                String::from_utf8_lossy(head.field("content-type").unwrap_or_default())
                    .into_owned(),
                head.encodings().is_chunked,
                String::from_utf8_lossy(body).into_owned(),
            ),
            Response::HeaderTooLarge => panic!("header too large"),
        }
    }

    fn split(block: &str) -> (Head<'_>, bool, &[u8]) {
        match parse(block.as_bytes(), &LIMITS) {
            Response::Parsed {
                head,
                is_open,
                body,
            } => (head, is_open, body),
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
    fn odd_lines_do_not_end_a_head() {
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
            let (head, is_open, body) = split(&block);
            assert_eq!((body, is_open), (b"hi\n\n".as_slice(), false), "{odd}");
            assert_eq!(head.field("content-type"), Some(&b"a/b"[..]), "{odd}");
        }
    }

    #[test]
    fn encodings_in_folded_fields() {
        let block = "HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip\r\nTransfer-Encoding:\r\n\tbr,\r\n chunked\r\n\r\n";
        let (head, is_open, body) = split(block);
        let encodings = head.encodings();
        assert_eq!(encodings.content, [b"gzip"]);
        assert_eq!(encodings.transfer, [b"br"]);
        assert!(encodings.is_chunked && !is_open && body.is_empty());
    }

    #[test]
    fn heads_without_an_end() {
        let check = |block: &str, body: &str, is_open: bool| {
            let (_, found_open, found) = split(block);
            let found = String::from_utf8_lossy(found);
            assert_eq!((&*found, found_open), (body, is_open), "{block:?}");
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
    fn long_heads_are_refused() {
        let block = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "y".repeat(300));
        assert_eq!(parse(block.as_bytes(), &LIMITS), Response::HeaderTooLarge);
    }
}
