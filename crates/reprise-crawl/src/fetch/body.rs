//! Finds the end of a body: by its stated length, by its chunks, or at the end of the connection.

use super::head::Head;

/// The longest line with the size of a chunk, and the longest trailer line, in bytes.
const LINE_BYTES_MAX: usize = 4096;

/// The method to find the end of a body.
#[derive(Debug)]
pub(crate) enum Framing {
    Length(u64),
    Chunks(Chunks),
    Connection,
}

/// The known end of a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The body has this length and has been received completely.
    At(usize),
    /// The end has not been received yet.
    Later,
}

impl Framing {
    pub(crate) fn of(head: &Head) -> Framing {
        if matches!(head.status, 204 | 304) || head.status < 200 {
            Framing::Length(0)
        } else if head.is_chunked {
            Framing::Chunks(Chunks::default())
        } else {
            head.content_length
                .map_or(Framing::Connection, Framing::Length)
        }
    }

    /// Looks for the end in the bytes received so far. The caller passes the same bytes and more each time.
    pub(crate) fn end(&mut self, body: &[u8]) -> End {
        match self {
            Framing::Length(length) => match usize::try_from(*length) {
                Ok(length) if length <= body.len() => End::At(length),
                _ => End::Later,
            },
            Framing::Chunks(chunks) => chunks.end(body),
            Framing::Connection => End::Later,
        }
    }

    /// Returns true if the end of the connection is the regular end of the body.
    pub(crate) fn ends_with_connection(&self) -> bool {
        match self {
            Framing::Length(_) => false,
            Framing::Chunks(chunks) => chunks.step == Step::Lost,
            Framing::Connection => true,
        }
    }
}

/// The position in a chunked body.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    at: usize,
    step: Step,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Step {
    /// Before a line with the size of a chunk.
    #[default]
    Size,
    /// Before a trailer line, after the last chunk.
    Trailer,
    /// After the last line.
    Done,
    /// After an invalid size. Only the end of the connection can end the body.
    Lost,
}

impl Chunks {
    fn end(&mut self, body: &[u8]) -> End {
        loop {
            match self.step {
                Step::Lost => return End::Later,
                Step::Done => return End::At(self.at),
                Step::Size | Step::Trailer => {}
            }
            let Some(rest) = body.get(self.at..) else {
                // The chunk has not been received completely.
                return End::Later;
            };
            let Some(line_end) = memchr::memchr(b'\n', &rest[..rest.len().min(LINE_BYTES_MAX)])
            else {
                if rest.len() >= LINE_BYTES_MAX {
                    self.step = Step::Lost;
                }
                return End::Later;
            };
            let line = rest[..line_end].trim_ascii();
            self.at += line_end + 1;
            match self.step {
                Step::Trailer if line.is_empty() => self.step = Step::Done,
                Step::Trailer | Step::Done | Step::Lost => {}
                Step::Size => self.size(line),
            }
        }
    }

    /// Reads a line with the size of a chunk. An empty line is the line break that ends the chunk before.
    fn size(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        let digits = line
            .split(|&byte| byte == b';')
            .next()
            .unwrap_or_default()
            .trim_ascii();
        let size = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| usize::from_str_radix(digits, 16).ok())
            .filter(|_| digits.len() <= 12);
        match size {
            Some(0) => self.step = Step::Trailer,
            Some(size) => self.at += size,
            None => self.step = Step::Lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Chunks, End, Framing};
    use crate::fetch::Head;

    fn end(body: &str) -> End {
        Chunks::default().end(body.as_bytes())
    }

    #[test]
    fn the_end_by_chunks() {
        assert_eq!(end("3\r\nabc\r\n0\r\n\r\n"), End::At(13));
        assert_eq!(end("3;x=y\nabc\n0\nTrailer: z\n\nnext"), End::At(24));
        assert_eq!(end("3\r\nabc\r\n0\r\n"), End::Later);
        assert_eq!(end("ffffffffffff\r\nabc"), End::Later);
        assert_eq!(end("fffffffffffffffffffffffffffff\r\nabc"), End::Later);
        let mut lost = Framing::Chunks(Chunks::default());
        assert_eq!(lost.end(b"<html>\n</html>"), End::Later);
        assert!(lost.ends_with_connection());
    }

    #[test]
    fn the_end_by_length() {
        let of = |text: &str| Framing::of(&Head::parse(text.as_bytes()).unwrap());
        assert_eq!(
            of("HTTP/1.1 200\nContent-Length: 3\n\n").end(b"abcd"),
            End::At(3)
        );
        assert_eq!(
            of("HTTP/1.1 200\nContent-Length: 3\n\n").end(b"ab"),
            End::Later
        );
        assert_eq!(
            of("HTTP/1.1 304\nContent-Length: 3\n\n").end(b""),
            End::At(0)
        );
        assert!(of("HTTP/1.1 200\n\n").ends_with_connection());
        let huge = format!("HTTP/1.1 200\nContent-Length: {}\n\n", u64::MAX);
        assert_eq!(of(&huge).end(b"ab"), End::Later);
    }

    proptest! {
        /// The end does not depend on how the bytes are split.
        #[test]
        fn the_same_end_in_any_pieces(sizes in proptest::collection::vec(1usize..40, 0..6), cuts in proptest::collection::vec(1usize..9, 1..60)) {
            let mut body = String::new();
            for size in sizes {
                body.extend([format!("{size:x}\r\n"), "z".repeat(size), "\r\n".to_owned()]);
            }
            body.push_str("0\r\n\r\n");
            let whole = body.len();
            body.push_str("more");
            let mut chunks = Chunks::default();
            let mut seen = 0;
            let mut found = End::Later;
            for cut in cuts.into_iter().cycle().take(200) {
                seen = (seen + cut).min(body.len());
                found = chunks.end(&body.as_bytes()[..seen]);
                if found != End::Later {
                    break;
                }
            }
            prop_assert_eq!(found, End::At(whole));
        }
    }
}
