//! The head of a response: the status line and the fields.

use std::borrow::Cow;

use crate::fields::{blank_line, fields_after_first_line, line_ends, lines_by};

/// The head of an HTTP response: everything before the body.
///
/// The parser accepts what real servers send: bare line feeds or carriage returns, missing reason phrases, lines without
/// a colon, folded lines.
///
/// ```
/// use reprise_ingest::http::Head;
///
/// let response = b"HTTP/1.1 200 OK\nContent-Type: text/html;\n charset=utf-8\n\n<p>Hello";
/// let (head, body) = Head::split(response).expect("an empty line ends the head");
/// assert_eq!(head.status(), Some(200));
/// assert_eq!(head.field("content-type"), Some(&b"text/html;\n charset=utf-8"[..]));
/// assert_eq!(body, b"<p>Hello");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    bytes: &'a [u8],
    line_end: u8,
}

impl<'a> Head<'a> {
    /// Takes all of `bytes` as a head. Whether they end with an empty line does not matter.
    pub fn new(bytes: &'a [u8]) -> Head<'a> {
        let line_end = if end_by_returns(bytes).is_some() {
            b'\r'
        } else {
            b'\n'
        };
        Head { bytes, line_end }
    }

    /// Splits a response after the empty line that ends its head. Returns `None` if that line is not in `bytes`.
    ///
    /// Use this for a response that is still arriving: the result does not change when more bytes follow.
    pub fn split(bytes: &'a [u8]) -> Option<(Head<'a>, &'a [u8])> {
        // A line feed after the last byte would make this another kind of line break.
        let by_returns = end_by_returns(bytes).filter(|&end| end < bytes.len());
        let by_feeds = || line_ends(bytes).find_map(|(at, after)| Some(at + blank_line(after)?));
        let (head, body) = bytes.split_at(by_returns.or_else(by_feeds)?);
        Some((Head::new(head), body))
    }

    /// Returns true if a response may begin with these bytes. They may be fewer than a status line has.
    pub fn may_begin(bytes: &[u8]) -> bool {
        let begins = |with: &[u8]| {
            let length = with.len().min(bytes.len());
            bytes[..length].eq_ignore_ascii_case(&with[..length])
        };
        begins(b"HTTP/") || begins(b"ICY ")
    }

    /// Returns the head as it was given, with the empty line that ends it.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the first line, for example `HTTP/1.1 200 OK`.
    pub fn status_line(&self) -> &'a [u8] {
        let line = lines_by(self.line_end, self.bytes).next();
        line.unwrap_or_default().trim_ascii()
    }

    /// Returns the protocol and its version, for example `HTTP/1.1`.
    pub fn version(&self) -> Option<&'a [u8]> {
        words(self.status_line()).next()
    }

    /// Returns the status, if it is a number of three digits.
    pub fn status(&self) -> Option<u16> {
        let status = words(self.status_line()).nth(1)?;
        let status = str::from_utf8(status).ok()?.parse().ok()?;
        (100..1000).contains(&status).then_some(status)
    }

    /// Returns the fields in the order of the head.
    pub fn fields(&self) -> impl Iterator<Item = Field<'a>> {
        fields_after_first_line(self.line_end, self.bytes)
            .map(|(name, value)| Field { name, value })
    }

    /// Returns the value of the first field with this name that is not empty.
    pub fn field(&self, name: &str) -> Option<&'a [u8]> {
        self.fields()
            .find(|field| field.is(name) && !field.value.is_empty())
            .map(|field| field.value)
    }

    /// Returns the encodings that the head names for the body.
    pub fn encodings(&self) -> Encodings<'a> {
        let mut encodings = Encodings::default();
        for field in self.fields() {
            if field.is("content-encoding") {
                encodings.content.extend(field.items());
            } else if field.is("transfer-encoding") {
                for name in field.items() {
                    if name.eq_ignore_ascii_case(b"chunked") {
                        encodings.is_chunked = true;
                    } else {
                        encodings.transfer.push(name);
                    }
                }
            }
        }
        encodings
    }
}

/// A field of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name, as the server spells it.
    pub name: &'a [u8],
    /// The value without the white space around it. A folded value keeps its line breaks.
    pub value: &'a [u8],
}

impl<'a> Field<'a> {
    /// Returns true if the field has this name, in upper or lower case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value on one line: each line break, with the white space around it, becomes a space.
    pub fn unfolded(&self) -> Cow<'a, [u8]> {
        if memchr::memchr2(b'\r', b'\n', self.value).is_none() {
            return Cow::Borrowed(self.value);
        }
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let lines = self.value.split(is_break).map(<[u8]>::trim_ascii);
        let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
        Cow::Owned(lines.join(&b' '))
    }

    /// Returns the items of a comma-separated value, without the white space around them. Empty items are left out.
    pub fn items(&self) -> impl Iterator<Item = &'a [u8]> {
        let items = self.value.split(|&byte| byte == b',');
        items
            .map(<[u8]>::trim_ascii)
            .filter(|item| !item.is_empty())
    }
}

/// The encodings of a body, in the order in which they were applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encodings<'a> {
    /// The items of `Content-Encoding`.
    pub content: Vec<&'a [u8]>,
    /// The items of `Transfer-Encoding`, except `chunked`.
    pub transfer: Vec<&'a [u8]>,
    /// True if `Transfer-Encoding` names `chunked`.
    pub is_chunked: bool,
}

/// Returns the end of a head whose lines end with CR alone.
pub(super) fn end_by_returns(bytes: &[u8]) -> Option<usize> {
    let line = &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())];
    let end = memchr::memmem::find(line, b"\r\r")? + 2;
    // CR CR LF is a single line break, not an empty line.
    (bytes.get(end) != Some(&b'\n')).then_some(end)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Head;

    #[test]
    fn a_head_is_split_after_its_empty_line() {
        let check = |response: &str, body: Option<&str>| {
            let split = Head::split(response.as_bytes());
            let found = split.map(|(_, body)| body);
            assert_eq!(found, body.map(str::as_bytes), "{response:?}");
        };
        check("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Some("body"));
        check("HTTP/1.1 200 OK\nA: b\n\nbody", Some("body"));
        check("HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nbody", Some("body"));
        check("HTTP/1.1 200 OK\rA: b\r\rbody", Some("body"));
        check("HTTP/1.1 200 OK\r\nA: b\r\n", None);
        check("HTTP/1.1 200 OK\rA: b\r\r", None);
        check("", None);
    }

    #[test]
    fn status_lines() {
        let check = |line: &str, version: Option<&str>, status: Option<u16>| {
            let head = Head::new(line.as_bytes());
            assert_eq!(head.version(), version.map(str::as_bytes), "{line:?}");
            assert_eq!(head.status(), status, "{line:?}");
        };
        check("HTTP/1.1 200 OK\r\n", Some("HTTP/1.1"), Some(200));
        check("  HTTP/1.0\t404", Some("HTTP/1.0"), Some(404));
        check("ICY 200 OK", Some("ICY"), Some(200));
        check("HTTP/1.1 OK", Some("HTTP/1.1"), None);
        check("HTTP/1.1 99 Low", Some("HTTP/1.1"), None);
        check("HTTP/1.1 1000 High", Some("HTTP/1.1"), None);
        check("", None, None);
    }

    #[test]
    fn folded_fields() {
        for line_end in ["\r\n", "\n", "\r\r\n", "\r"] {
            let lines = [
                "HTTP/1.1 200 OK",
                "A: one",
                "\t two ",
                " three",
                "B:",
                "b: x",
                "",
                "",
            ];
            let text = lines.join(line_end);
            let head = Head::new(text.as_bytes());
            let fields: Vec<_> = head
                .fields()
                .map(|field| {
                    (
                        String::from_utf8_lossy(field.name).into_owned(),
                        String::from_utf8_lossy(&field.unfolded()).into_owned(),
                    )
                })
                .collect();
            let expected = [("A", "one two three"), ("B", ""), ("b", "x")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()));
            assert_eq!(fields, expected, "{line_end:?}");
            assert_eq!(head.field("b"), Some(&b"x"[..]), "{line_end:?}");
        }
    }

    #[test]
    fn encodings_of_folded_fields() {
        let head = Head::new(
            b"HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip\r\nTransfer-Encoding:\r\n\tbr,,\r\n Chunked\r\n\r\n",
        );
        let encodings = head.encodings();
        assert_eq!(encodings.content, [b"gzip"]);
        assert_eq!(encodings.transfer, [b"br"]);
        assert!(encodings.is_chunked);
    }

    #[test]
    fn beginnings_of_responses() {
        for bytes in [
            &b""[..],
            b"HT",
            b"http/1.1 2",
            b"ICY 200",
            b"HTTP/1.1 200 OK\r\n",
        ] {
            assert!(Head::may_begin(bytes), "{bytes:?}");
        }
        assert!(!Head::may_begin(b"SSH-2.0"));
    }

    proptest! {
        /// A crawler asks after every read: the answer must not change when more bytes arrive.
        #[test]
        fn a_split_does_not_depend_on_later_bytes(
            response in "HTTP/1.1 200 OK(\r\n|\n|\r)([A-Za-z: ]{0,6}(\r\n|\n|\r\r\n|\r)){0,6}[a-z\r\n]{0,8}",
        ) {
            let response = response.as_bytes();
            let first = (0..=response.len())
                .find_map(|end| Some(Head::split(&response[..end])?.0.as_bytes().len()));
            for end in 0..=response.len() {
                let split = Head::split(&response[..end]).map(|(head, _)| head.as_bytes().len());
                prop_assert!(split.is_none() || split == first);
            }
        }
    }
}
