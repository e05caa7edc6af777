//! Reads files of lines: a header that names the format and its version, then fields, then rows.

/// The reason why a lexicon or contexts cannot be read from a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The first line names another format or an unknown version.
    #[error("the file does not begin with the line {expected:?}")]
    Header {
        /// The expected first line.
        expected: &'static str,
    },
    /// A line is wrong.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// A description of the problem.
        what: String,
    },
    /// The number of rows differs from the one in the file: the file was truncated or edited.
    #[error("the file should have {expected} rows, found {found}")]
    Count {
        /// The number that the file states.
        expected: usize,
        /// The number of rows in the file.
        found: usize,
    },
    /// The contexts belong to another lexicon.
    #[error("the contexts belong to another lexicon")]
    Lexicon,
}

/// Reads the lines of a file one by one.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    /// Checks the header and starts with the line after it.
    pub(crate) fn new(file: &'a [u8], header: &'static str) -> Result<Self, FileError> {
        let rest = file
            .strip_prefix(header.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"\n"))
            .ok_or(FileError::Header { expected: header })?;
        Ok(Self { rest, line: 1 })
    }

    /// Returns the next line without its line feed, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<&'a str>, FileError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| self.bad("the line has no line feed at its end"))?;
        let line =
            str::from_utf8(&self.rest[..end]).map_err(|_| self.bad("the line is not UTF-8"))?;
        self.rest = &self.rest[end + 1..];
        Ok(Some(line))
    }

    /// Parses the value of the next line, which must begin with a name and a space.
    pub(crate) fn field<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, FileError> {
        let line = self.next()?.unwrap_or_default();
        let value = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '));
        value
            .and_then(parse)
            .ok_or_else(|| self.bad(&format!("expected {name:?} and a valid value")))
    }

    /// Parses the value of the next line as a number, or as another type that implements `FromStr`.
    pub(crate) fn number<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, FileError> {
        self.field(name, |text| text.parse().ok())
    }

    /// Returns an error for the line that was read last.
    pub(crate) fn bad(&self, what: &str) -> FileError {
        FileError::Line {
            line: self.line,
            what: what.to_owned(),
        }
    }
}
