//! The file that says which documents are ham and which are spam.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use reprise_imatch::Class;
use reprise_store::PageRef;

use crate::corpus::Corpus;
use crate::error::Error;

/// An error in a file of classes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassesError {
    /// A line has another form.
    #[error("{}, line {line}: expected a URL, a tab, and ham or spam", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
    },
    /// A URL has two classes.
    #[error("{}, line {line}: the URL is classified as both ham and spam", path.display())]
    Both {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
    },
    /// No document is in the file.
    #[error(
        "no URL in {} is the URL of one of these documents; URLs must be exactly those in the table `pages`",
        path.display()
    )]
    NoneKnown {
        /// The file.
        path: PathBuf,
    },
}

/// The classes of URLs.
pub(super) struct Classes {
    by_url: HashMap<Vec<u8>, Class>,
}

impl Classes {
    /// Reads lines of a URL, a tab, and `ham` or `spam`.
    pub(super) fn read(path: &Path) -> Result<Classes, Error> {
        let bytes = fs::read(path).map_err(Error::reading(path))?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let mut by_url = HashMap::new();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let path = || path.to_owned();
            let tab = line.iter().rposition(|&byte| byte == b'\t');
            let columns = tab.map(|tab| (line[..tab].to_vec(), &line[tab + 1..]));
            let (url, class) = match columns {
                Some((url, b"ham" | b"good")) => (url, Class::Good),
                Some((url, b"spam" | b"bad")) => (url, Class::Bad),
                _ => {
                    let (path, line) = (path(), number);
                    return Err(ClassesError::Line { path, line }.into());
                }
            };
            let other = by_url.insert(url, class);
            if other.is_some_and(|other| other != class) {
                let (path, line) = (path(), number);
                return Err(ClassesError::Both { path, line }.into());
            }
        }
        Ok(Classes { by_url })
    }

    /// Finds the pages of a corpus that have a class.
    pub(super) fn of(&self, corpus: &Corpus) -> Result<HashMap<PageRef, Class>, Error> {
        let mut found = HashMap::new();
        corpus.for_each_url(|page, url| {
            if let Some(&class) = self.by_url.get(url) {
                found.insert(page, class);
            }
            Ok::<_, Error>(())
        })?;
        Ok(found)
    }
}
