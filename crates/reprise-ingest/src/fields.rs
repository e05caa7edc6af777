//! Header fields: `name: value` lines, as WARC and HTTP write them.
//!
//! A value may be folded: lines that begin with a space or a tab continue the value of the line before.

/// Returns the length of the empty line at the start of `bytes`, if there is one.
///
/// Lines end with LF or CR LF. Some writers turn CR LF into CR CR LF.
pub(crate) fn blank_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        [b'\r', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

/// Returns the end of each line, and the bytes after it.
pub(crate) fn line_ends(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    memchr::memchr_iter(b'\n', bytes).map(|at| (at + 1, &bytes[at + 1..]))
}

/// Returns the lines of a header, without their line feeds.
pub(crate) fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines_by(b'\n', head)
}

/// Returns the lines of a header, which end with `line_end`.
pub(crate) fn lines_by(line_end: u8, head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(line_end, head)
        .chain([head.len()])
        .map(move |end| &head[std::mem::replace(&mut start, end + 1)..end])
}

/// Returns name and value of the fields after the first line of a header. A folded value keeps its line breaks.
pub(crate) fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    fields_after_first_line(b'\n', head)
}

/// Returns what [`fields`] returns, for lines that end with `line_end`.
pub(crate) fn fields_after_first_line(
    line_end: u8,
    head: &[u8],
) -> impl Iterator<Item = (&[u8], &[u8])> {
    let first = memchr::memchr(line_end, head).map_or(head.len(), |end| end + 1);
    fields_in(line_end, &head[first..])
}

/// Returns name and value of the fields in these lines, which end with `line_end`.
pub(crate) fn fields_in(line_end: u8, head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut lines = lines_by(line_end, head).peekable();
    std::iter::from_fn(move || {
        loop {
            let mut line = lines.next()?;
            while let Some(more) = lines.next_if(|next| matches!(next, [b' ' | b'\t', ..])) {
                // Both are adjacent slices of the header: join them.
                let start = line.as_ptr() as usize - head.as_ptr() as usize;
                let end = more.as_ptr() as usize - head.as_ptr() as usize + more.len();
                line = &head[start..end];
            }
            if let Some(colon) = memchr::memchr(b':', line) {
                return Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()));
            }
        }
    })
}
