//! Chunked transfer coding, even if it breaks off, or if the header names it but the crawler has removed it.

use super::response::is_field;
use crate::fields::lines;
use crate::frame::skip_line_breaks;

/// How the removal of chunked transfer coding ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Dechunked {
    /// All chunks were there, including the empty last one.
    Whole,
    /// The body is not chunked: the crawler stored it decoded. Nothing was written.
    NotChunked,
    /// The size or the end of a chunk is wrong. The rest was kept unchanged.
    Broken,
}

/// The largest chunk that a server sends.
const CHUNK_BYTES_MAX: usize = 64 << 20;

/// The longest line that can be a chunk size with an extension.
const EXTENSION_BYTES_MAX: usize = 16 << 10;

/// Appends the body without its chunk sizes to `output`.
pub(crate) fn dechunk(body: &[u8], output: &mut Vec<u8>) -> Dechunked {
    let before = output.len();
    // Some servers write two empty lines after the head.
    let body = &body[skip_line_breaks(body)..];
    let mut rest = body;
    while !rest.is_empty() {
        let is_first = rest.len() == body.len();
        match next_chunk(rest, is_first) {
            Chunk::Data(data, after) => {
                output.extend_from_slice(data);
                rest = after;
            }
            Chunk::Last => return Dechunked::Whole,
            Chunk::Odd(kept) => {
                // Lines of numbers look like chunk sizes at first.
                if lines(body).all(is_number) {
                    output.truncate(before);
                    return Dechunked::NotChunked;
                }
                output.extend_from_slice(kept);
                return Dechunked::Broken;
            }
            Chunk::Chance => return Dechunked::NotChunked,
        }
    }
    if body.is_empty() {
        Dechunked::NotChunked
    } else {
        Dechunked::Broken
    }
}

/// The next item of a body.
enum Chunk<'b> {
    /// The data of a chunk, and the bytes after it.
    Data(&'b [u8], &'b [u8]),
    /// The last chunk, which is empty.
    Last,
    /// Bytes that are not a chunk, or only the beginning of one; the part that is kept.
    Odd(&'b [u8]),
    /// A text whose first line happens to look like a size, such as "fade" or "12".
    Chance,
}

fn next_chunk(rest: &[u8], is_first: bool) -> Chunk<'_> {
    let Some((size, after)) = chunk_size(rest) else {
        let is_cut_size = memchr::memchr(b'\n', rest).is_none() && is_number(rest);
        return match is_first {
            true => Chunk::Chance,
            false if is_cut_size => Chunk::Odd(&[]),
            false => Chunk::Odd(rest),
        };
    };
    let line = &rest[..rest.len() - after.len()];
    let is_well_ended = line.ends_with(b"\r\n");
    if size == 0 {
        return match is_first {
            true if is_empty_body(line, after) => Chunk::Last,
            true => Chunk::Chance,
            false if is_trailer(after) => Chunk::Last,
            false => Chunk::Odd(rest),
        };
    }
    let Some((data, behind)) = after.split_at_checked(size) else {
        let is_chance = !is_well_ended || size > CHUNK_BYTES_MAX;
        if is_first && is_chance && size > after.len().saturating_mul(2) {
            return Chunk::Chance;
        }
        return Chunk::Odd(after);
    };
    match after_line_break(behind) {
        Some(next) => Chunk::Data(data, next),
        None if is_first && !is_well_ended => Chunk::Chance,
        None => Chunk::Odd(after),
    }
}

/// Returns the size on the line at the start of `bytes`, and the bytes after that line.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    // A line with a size, its padding and its extensions is usually short.
    let short = &bytes[..bytes.len().min(256)];
    let line_end = memchr::memchr(b'\n', short).or_else(|| {
        let line_end = memchr::memchr(b'\n', &bytes[..bytes.len().min(EXTENSION_BYTES_MAX)])?;
        // Extensions contain no spaces, unlike prose.
        let is_extended = memchr::memchr(b';', short).is_some()
            && memchr::memchr(b' ', &bytes[..line_end]).is_none();
        is_extended.then_some(line_end)
    })?;
    let line = bytes[..line_end].trim_ascii();
    let digits = line.split(|&byte| byte == b';').next()?.trim_ascii();
    if digits.is_empty() || !is_number(digits) {
        return None;
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let digits = &digits[zeros.min(digits.len() - 1)..];
    if digits.len() > 8 {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((size, &bytes[line_end + 1..]))
}

/// Returns true if a line is a hexadecimal number or empty.
fn is_number(line: &[u8]) -> bool {
    line.trim_ascii().iter().all(u8::is_ascii_hexdigit)
}

/// Returns the bytes after the line break that ends a chunk. The body may break off there.
fn after_line_break(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => Some(rest),
        [] | [b'\r'] => Some(&[]),
        _ => None,
    }
}

/// Returns true if an empty first chunk is the whole body. A line with a zero may also be a text, or its
/// beginning.
fn is_empty_body(line: &[u8], after: &[u8]) -> bool {
    let is_ended = line.ends_with(b"\r\n") || after.starts_with(b"\n");
    let is_nothing = |line: &[u8]| line.trim_ascii().is_empty() || is_field(line);
    is_ended && lines(after).all(is_nothing)
}

/// Returns true if only fields follow the last chunk, up to an empty line or to the end.
fn is_trailer(after: &[u8]) -> bool {
    lines(after)
        .take_while(|line| !line.trim_ascii().is_empty())
        .all(is_field)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Dechunked, dechunk};

    proptest! {
        /// Any chunks are joined, and of a body that is cut off, the beginning is kept.
        #[test]
        fn chunks_are_joined(
            pieces in proptest::collection::vec(("[w-z\r\n<>]{1,40}", 0_usize..12), 1..8),
            end in any::<proptest::sample::Index>(),
        ) {
            let mut body = String::new();
            for (data, zeros) in &pieces {
                let size = format!("{:x}", data.len());
                body.extend([&"0".repeat(*zeros), &size, "\r\n", data, "\r\n"]);
            }
            body.push_str("0\r\n\r\n");
            let data: String = pieces.iter().map(|(data, _)| data.as_str()).collect();
            let mut output = Vec::new();
            prop_assert_eq!(dechunk(body.as_bytes(), &mut output), Dechunked::Whole);
            prop_assert_eq!(&output, data.as_bytes());
            output.clear();
            dechunk(&body.as_bytes()[..end.index(body.len())], &mut output);
            prop_assert!(data.as_bytes().starts_with(&output), "{:?}", output);
        }

        #[test]
        fn any_bytes_are_chunked_or_not(body in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut output = Vec::new();
            let how = dechunk(&body, &mut output);
            prop_assert!(output.len() <= body.len());
            prop_assert!(how != Dechunked::NotChunked || output.is_empty());
        }
    }

    #[test]
    fn chunked_bodies() {
        let check = |body: &str, expected: &str, how: Dechunked| {
            let mut output = Vec::new();
            assert_eq!(dechunk(body.as_bytes(), &mut output), how, "{body:?}");
            assert_eq!(String::from_utf8(output).unwrap(), expected, "{body:?}");
        };
        let (whole, broken) = (|| Dechunked::Whole, || Dechunked::Broken);
        check("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", whole());
        check("3;name=x\r\nabc\r\n0\r\nTrailer: y\r\n\r\n", "abc", whole());
        check("0003  \nabc\n0\n\n", "abc", whole());
        check("000000000003\r\nabc\r\n000000000\r\n\r\n", "abc", whole());
        check("2\r\n12\r\n0\r\n\r\n", "12", whole());
        check("3\r\nabc\r\n0\r\n\r\nthe next answer", "abc", whole());
        check("\r\n3\r\nabc\r\n0\r\n\r\n", "abc", whole());
        let extension = "x".repeat(1000);
        check(
            &format!("3;x={extension}\r\nabc\r\n0;{extension}\r\n\r\n"),
            "abc",
            whole(),
        );
        check("3\r\nxyz\r\n0", "xyz", broken());
        check("3\r\nxyz\r\n1f", "xyz", broken());
        check("0\r\n\r\n", "", whole());
        check("0\n\n", "", whole());
        check("4000\r\ncut off", "cut off", broken());
        check("3\r\nabc\r\n5\r\nxy", "abcxy", broken());
        check("3\r\nabc\r\nxyz", "abcxyz", broken());
        check("3\r\nabc\r\n", "abc", broken());
        check("3\r\nabc\r", "abc", broken());
        check("3\r\nabc\r\n0\r\nmore", "abc0\r\nmore", broken());
        check("3\r\nwxyz\r\n0\r\n\r\n", "wxyz\r\n0\r\n\r\n", broken());
        check("3\r\nxyz\r\n1\r\nde\r\n", "xyzde\r\n", broken());
    }

    #[test]
    fn bodies_that_are_not_chunked_are_unchanged() {
        let check = |body: &str| {
            let mut output = Vec::new();
            let how = dechunk(body.as_bytes(), &mut output);
            assert_eq!((how, output), (Dechunked::NotChunked, vec![]), "{body:?}");
        };
        check("<html>");
        check("");
        check("fade\nto black");
        check("fadedcafe\r\nand more");
        check("+3\r\nabc\r\n0\r\n\r\n");
        check("3\nthings to do");
        check("0\n");
        check("0\n1\n2\n3\n4\n");
        check("0\r\n1\r\n2\r\n3");
        check("10\n20\n30\n40\n50\n60\n70\n80\n");
        check("10\r\n20\r\n30\r\n40\r\n50\r\n60\r\n70\r\n80\r\n");
        check("2\n10\n0\n5\n");
        check("2\n10\n4000\n5\n");
        check("12345\r\n");
        check("\r\n\r\n");
        check("\n3\nthings to do");
        check(&format!("3; {}\r\nabc\r\n", "prose ".repeat(50)));
    }
}
