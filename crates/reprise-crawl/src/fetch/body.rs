//! Where a body ends: by its stated length, by its chunks, or with the connection.

use super::head::Head;

/// Longest line that states a chunk's size, and longest trailer line.
const LINE_BYTES_MAX: usize = 4096;

/// How the end of a body is found.
#[derive(Debug)]
pub(crate) enum Framing {
    Length(u64),
    Chunks(Chunks),
    Connection,
}

/// The end of a body, as far as it can be told by now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// After so many bytes, which are there.
    At(usize),
    /// Not yet there.
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

    /// Looks for the end in what has come of the body so far; called again with more.
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

    /// Is the end of the connection the proper end of the body?
    pub(crate) fn ends_with_connection(&self) -> bool {
        match self {
            Framing::Length(_) => false,
            Framing::Chunks(chunks) => chunks.step == Step::Lost,
            Framing::Connection => true,
        }
    }
}

/// How far a chunked body has been followed.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    at: usize,
    step: Step,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Step {
    /// At the line with the size of a chunk.
    #[default]
    Size,
    /// At the line after the last chunk.
    Trailer,
    /// Behind the last line.
    Done,
    /// The sizes make no sense: only the end of the connection is left.
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
                // Within a chunk.
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

    /// Takes the line of a chunk's size, or the line break that ends the chunk before.
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
    fn chunks() {
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
    fn lengths() {
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
        /// The end does not depend on how the bytes come in.
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
