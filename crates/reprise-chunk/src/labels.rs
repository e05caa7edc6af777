//! Labels: the content to look for.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::hash::BuildHasher;
use std::str::FromStr;

use reprise_fingerprint::Fingerprint;

/// The kind of content that a label stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Level {
    /// A chunk of a page.
    Chunk,
    /// A whole file.
    File,
}

impl Level {
    /// Returns the name used in flags, JSON and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Chunk => "chunk",
            Level::File => "file",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown level {found:?}; use chunk or file")]
pub struct ParseLevelError {
    found: String,
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        match text {
            "chunk" => Ok(Level::Chunk),
            "file" => Ok(Level::File),
            _ => Err(ParseLevelError {
                found: text.to_owned(),
            }),
        }
    }
}

/// A fingerprint to look for, and the page that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The kind of content: a chunk or a file.
    pub level: Level,
    /// The number of characters of a chunk's normal form, or of bytes of a file.
    pub chars: u64,
    /// The numbers of occurrences, pages and sites of a label from blind discovery, otherwise `None`.
    pub counts: Option<[u64; 3]>,
    /// The name given by the analyst.
    pub name: String,
    /// The URL of the page that the label comes from.
    pub url: String,
    /// The site of that page.
    pub site: String,
    /// The fetch time of that page, in milliseconds since 1970.
    pub fetched: Option<i64>,
}

impl Label {
    /// Creates a label without provenance.
    pub fn new(fingerprint: Fingerprint, level: Level) -> Label {
        Label {
            fingerprint,
            level,
            chars: 0,
            counts: None,
            name: String::new(),
            url: String::new(),
            site: String::new(),
            fetched: None,
        }
    }

    /// Compares two labels for the order of a label file: by fingerprint, level, fetch time (unknown
    /// last), site, URL and name.
    pub fn order(&self, other: &Label) -> std::cmp::Ordering {
        let key = |label: &Label| {
            let fetched = label.fetched.unwrap_or(i64::MAX);
            (label.fingerprint, label.level, fetched)
        };
        key(self).cmp(&key(other)).then_with(|| {
            (&self.site, &self.url, &self.name).cmp(&(&other.site, &other.url, &other.name))
        })
    }
}

/// Finds labels by fingerprint.
pub trait LabelLookup {
    /// The error of a lookup.
    type Error;

    /// Returns the labels with this fingerprint and level, earliest fetched first.
    fn find(&mut self, fingerprint: &Fingerprint, level: Level) -> Result<Vec<Label>, Self::Error>;
}

/// Finds labels in memory.
impl<S: BuildHasher> LabelLookup for HashMap<Fingerprint, Vec<Label>, S> {
    type Error = Infallible;

    fn find(&mut self, fingerprint: &Fingerprint, level: Level) -> Result<Vec<Label>, Infallible> {
        let all = self.get(fingerprint).map_or(&[][..], Vec::as_slice);
        let mut found: Vec<Label> = (all.iter())
            .filter(|label| label.level == level)
            .cloned()
            .collect();
        found.sort_by(Label::order);
        Ok(found)
    }
}
