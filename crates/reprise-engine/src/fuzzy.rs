//! Fuzzy hashes of files, and lists of them.

use std::fs;
use std::path::Path;

use reprise_fuzzy::{Digest, Index, lines};
use reprise_ingest::{Item, read_file};

use crate::convert::{ConvertOptions, plain_of};
use crate::defaults;
use crate::error::Error;

/// The error for a file that has no digest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DigestFileError {
    /// The file has no plain text.
    #[error("the file has no plain text")]
    NoText,
    /// The file cannot be converted to plain text.
    #[error(transparent)]
    Convert(#[from] reprise_convert::ConvertError),
}

/// Computes the digest of a file's plain text, so that the same document in two formats has about the
/// same digest. `name` is the name of the file, which helps to recognise its format.
pub fn digest_text(
    name: &str,
    bytes: &[u8],
    options: &ConvertOptions,
) -> Result<Digest, DigestFileError> {
    let converter = options.converter();
    let mut found = None;
    read_file(name, bytes, &defaults::READ_BACK_LIMITS, &mut |item| {
        if let Item::Page(page) = item {
            found = plain_of(&page, &converter);
        }
    });
    let plain = found.ok_or(DigestFileError::NoText)??;
    Ok(Digest::of(plain.normal().as_bytes()))
}

/// A file of digests, as Reprise and ssdeep write it.
pub struct DigestList {
    index: Index,
    names: Vec<String>,
}

/// A digest of a list that is similar to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestMatch<'l> {
    /// The name in the list.
    pub name: &'l str,
    /// The score, from 1 to 100.
    pub score: u8,
}

impl DigestList {
    /// Reads a list. Calls `see` with the number of each line that is left out, and why.
    pub fn read(
        path: &Path,
        mut see: impl FnMut(u64, lines::LineError),
    ) -> Result<DigestList, Error> {
        let bytes = fs::read(path).map_err(Error::reading(path))?;
        let lines = lines::read(&bytes).map_err(|source| Error::DigestList {
            path: path.to_owned(),
            source,
        })?;
        let mut list = DigestList {
            index: Index::new(),
            names: Vec::new(),
        };
        for (number, line) in lines {
            match line {
                Ok(line) => {
                    list.index.insert(&line.digest);
                    let name = line.name.unwrap_or_default();
                    list.names.push(String::from_utf8_lossy(&name).into());
                }
                Err(error) => see(number as u64, error),
            }
        }
        Ok(list)
    }

    /// Finds the digests with at least a score.
    pub fn matches(&self, digest: &Digest, score: u8) -> impl Iterator<Item = DigestMatch<'_>> {
        let found = self.index.matches(digest, score).into_iter();
        found.map(|found| DigestMatch {
            name: &self.names[found.id as usize],
            score: found.score,
        })
    }
}
