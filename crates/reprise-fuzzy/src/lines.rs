//! Files of digests in the format that ssdeep prints, and reads with `-m`, `-k` and `-x`.
//!
//! The first line is [`HEADER`]. Every other line is a digest, a comma and a name in quotation marks.
//! A quotation mark within the name is preceded by a backslash. Nothing else is escaped, not even a
//! backslash. Every name without line breaks survives writing and reading. Names are bytes.
//!
//! ```
//! use reprise_fuzzy::{Digest, lines};
//!
//! let mut file = format!("{}\n", lines::HEADER).into_bytes();
//! file.extend(lines::write(&Digest::of(b"some bytes"), br#"a "name""#)?);
//! let (number, line) = lines::read(&file)?.next().unwrap();
//! assert_eq!((number, line?.name.as_deref()), (2, Some(&br#"a "name""#[..])));
//! # Ok::<(), lines::LineError>(())
//! ```

use std::error::Error;
use std::fmt::{self, Display};

use crate::digest::{Digest, DigestError};

/// The first line of a file of digests.
pub const HEADER: &str = "ssdeep,1.1--blocksize:hash:hash,filename";

/// The first line that older versions of ssdeep wrote. The other lines have the same format.
const OLD_HEADER: &str = "ssdeep,1.0--blocksize:hash:hash,filename";

/// A line of a file of digests.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    /// The digest.
    pub digest: Digest,
    /// The name, if the line has one.
    pub name: Option<Vec<u8>>,
}

/// The reason why a line cannot be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LineError {
    /// The first line is not [`HEADER`].
    Header,
    /// The text before the comma is not a digest.
    Digest(DigestError),
    /// The name is not in quotation marks.
    Quotes,
    /// The name to write contains a line break, so it could not be read back.
    LineBreak,
}

/// Reads the lines of a file that are not empty, with their numbers. The header is line 1.
///
/// A line that cannot be read gives an error, and the following lines are still read. A file without
/// a header is refused.
pub fn read(
    file: &[u8],
) -> Result<impl Iterator<Item = (usize, Result<Line, LineError>)>, LineError> {
    let mut lines = file.split(|&byte| byte == b'\n').map(without_return);
    let header = lines.next().unwrap_or_default();
    if ![HEADER, OLD_HEADER].map(str::as_bytes).contains(&header) {
        return Err(LineError::Header);
    }
    let numbered = (2..).zip(lines).filter(|(_, line)| !line.is_empty());
    Ok(numbered.map(|(number, line)| (number, parse(line))))
}

/// Reads one line, without its line break.
pub fn parse(line: &[u8]) -> Result<Line, LineError> {
    let comma = line.iter().position(|&byte| byte == b',');
    let (digest, name) = match comma {
        Some(comma) => (&line[..comma], Some(unquote(&line[comma + 1..])?)),
        None => (line, None),
    };
    let digest = String::from_utf8_lossy(digest);
    let digest = digest.parse().map_err(LineError::Digest)?;
    Ok(Line { digest, name })
}

/// Returns the line that ssdeep prints for a digest and a name, with its line break.
///
/// A name with a line break is an error. ssdeep prints such a name unchanged and cannot read the file
/// again. Worse, the name can contain a line that looks like that of another file.
pub fn write(digest: &Digest, name: &[u8]) -> Result<Vec<u8>, LineError> {
    if name.iter().any(|&byte| matches!(byte, b'\n' | b'\r')) {
        return Err(LineError::LineBreak);
    }
    let mut line = format!("{digest},\"").into_bytes();
    for &byte in name {
        if byte == b'"' {
            line.push(b'\\');
        }
        line.push(byte);
    }
    line.extend(b"\"\n");
    Ok(line)
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the name in quotation marks, without the backslashes before quotation marks.
fn unquote(quoted: &[u8]) -> Result<Vec<u8>, LineError> {
    let name = quoted
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    let name = name.ok_or(LineError::Quotes)?;
    let escapes = |place: usize| name[place] == b'\\' && name.get(place + 1) == Some(&b'"');
    Ok((0..name.len())
        .filter(|&place| !escapes(place))
        .map(|place| name[place])
        .collect())
}

impl Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "the first line is not {HEADER}"),
            Self::Digest(_) => f.write_str("the line does not begin with a digest"),
            Self::Quotes => f.write_str("the name is not in quotation marks"),
            Self::LineBreak => f.write_str("the name contains a line break"),
        }
    }
}

impl Error for LineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Digest(error) => Some(error),
            _ => None,
        }
    }
}
