//! Files of lines: a header that names format and version, fields, then rows.

/// Why bytes are not the file they should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The first line names another format, or a version that this program does not know.
    #[error("the file does not begin with the line {expected:?}")]
    Header {
        /// What the first line should be.
        expected: &'static str,
    },
    /// A line is not what should stand there.
    #[error("line {line}: {what}")]
    Line {
        /// Counted from one.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file has another number of rows than it says: it was cut short, or edited.
    #[error("the file should have {expected} rows, found {found}")]
    Count {
        /// What the file says.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Contexts of another lexicon.
    #[error("the contexts belong to another lexicon")]
    Lexicon,
}

/// The lines of a file, one after the other.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    /// The lines behind the header.
    pub(crate) fn new(file: &'a [u8], header: &'static str) -> Result<Self, FileError> {
        let rest = file
            .strip_prefix(header.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"\n"))
            .ok_or(FileError::Header { expected: header })?;
        Ok(Self { rest, line: 1 })
    }

    /// The next line without its line feed.
    pub(crate) fn next(&mut self) -> Result<Option<&'a str>, FileError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| self.bad("a line without its line feed"))?;
        let line = str::from_utf8(&self.rest[..end]).map_err(|_| self.bad("not UTF-8"))?;
        self.rest = &self.rest[end + 1..];
        Ok(Some(line))
    }

    /// The value of the next line, which begins with a name and a space.
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
            .ok_or_else(|| self.bad(&format!("expected a value of {name:?}")))
    }

    /// The same for a number, or whatever else is written in one way only.
    pub(crate) fn number<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, FileError> {
        self.field(name, |text| text.parse().ok())
    }

    /// The error of the line that was read last.
    pub(crate) fn bad(&self, what: &str) -> FileError {
        FileError::Line {
            line: self.line,
            what: what.to_owned(),
        }
    }
}
