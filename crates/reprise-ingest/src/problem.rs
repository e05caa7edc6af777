//! Problems: records that were skipped or damaged, by kind. Broken input is data, not a failure.

use std::collections::BTreeMap;
use std::fmt;

use crate::limits::RecordLimit;
use crate::record::RecordKind;

/// The reason why a record did not become a complete page of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The URL is a crawler trap (see [`reprise_url::trap`]).
    Trap,
    /// The file has no text: it has a file fingerprint but no chunks.
    NotText,
    /// A revisit record: the same payload was archived before.
    RevisitIdentical,
    /// A revisit record: the server reported that nothing has changed.
    RevisitNotModified,
    /// A revisit record with another profile.
    RevisitOther,
    /// A record of a DNS look-up.
    Dns,
    /// A record without a URL, or a row without `url` or `id`.
    NoUrl,
    /// Bytes that are not a record, an invalid record header, or a corrupt compressed stream.
    Malformed,
    /// A row of JSONL or Parquet that is not an object with `html` or `text`.
    BadRow,
    /// A record header or HTTP header that exceeds the header limit.
    HeaderTooLarge,
    /// A body that exceeds the body limit.
    TooLarge,
    /// A body that exceeds the ratio limit.
    Bomb,
    /// More content encodings than the nesting limit; or a mail with deeper parts, which is kept without these
    /// parts.
    Nesting,
    /// A file, or a part of one, that could not be read.
    Unreadable,
    /// The record ends before its stated length, or its stream breaks off. The existing part was kept.
    Truncated,
    /// The stated length of the record is wrong. Its real end was found.
    BadLength,
    /// No empty line ends the HTTP header. The apparent body was kept.
    BadHeader,
    /// Chunked transfer coding breaks off. The existing part was kept.
    BadChunking,
    /// A content encoding breaks off or is wrongly named. The decoded part was kept.
    BadEncoding,
}

impl ProblemKind {
    /// All kinds, in the order of a tally.
    pub const ALL: [ProblemKind; 19] = [
        ProblemKind::Trap,
        ProblemKind::NotText,
        ProblemKind::RevisitIdentical,
        ProblemKind::RevisitNotModified,
        ProblemKind::RevisitOther,
        ProblemKind::Dns,
        ProblemKind::NoUrl,
        ProblemKind::Malformed,
        ProblemKind::BadRow,
        ProblemKind::HeaderTooLarge,
        ProblemKind::TooLarge,
        ProblemKind::Bomb,
        ProblemKind::Nesting,
        ProblemKind::Unreadable,
        ProblemKind::Truncated,
        ProblemKind::BadLength,
        ProblemKind::BadHeader,
        ProblemKind::BadChunking,
        ProblemKind::BadEncoding,
    ];

    /// Returns the name in JSON, in the `problems` table and in the tally.
    pub fn as_str(self) -> &'static str {
        match self {
            ProblemKind::Trap => "trap",
            ProblemKind::NotText => "not_text",
            ProblemKind::RevisitIdentical => "revisit_identical",
            ProblemKind::RevisitNotModified => "revisit_not_modified",
            ProblemKind::RevisitOther => "revisit_other",
            ProblemKind::Dns => "dns",
            ProblemKind::NoUrl => "no_url",
            ProblemKind::Malformed => "malformed",
            ProblemKind::BadRow => "bad_row",
            ProblemKind::HeaderTooLarge => "header_too_large",
            ProblemKind::TooLarge => "too_large",
            ProblemKind::Bomb => "bomb",
            ProblemKind::Nesting => "nesting",
            ProblemKind::Unreadable => "unreadable",
            ProblemKind::Truncated => "truncated",
            ProblemKind::BadLength => "bad_length",
            ProblemKind::BadHeader => "bad_header",
            ProblemKind::BadChunking => "bad_chunking",
            ProblemKind::BadEncoding => "bad_encoding",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<ProblemKind> {
        ProblemKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }

    /// Returns the limit that problems of this kind exceed, so that a surface can name its option for it.
    pub fn limit(self) -> Option<RecordLimit> {
        match self {
            ProblemKind::TooLarge => Some(RecordLimit::Body),
            ProblemKind::HeaderTooLarge => Some(RecordLimit::Header),
            ProblemKind::Bomb => Some(RecordLimit::Ratio),
            ProblemKind::Nesting => Some(RecordLimit::Nesting),
            _ => None,
        }
    }

    /// Returns true if the damaged page was kept. Records of all other kinds were skipped.
    pub fn is_damage(self) -> bool {
        matches!(
            self,
            ProblemKind::Truncated
                | ProblemKind::BadLength
                | ProblemKind::BadHeader
                | ProblemKind::BadChunking
                | ProblemKind::BadEncoding
        )
    }

    /// Returns true if each problem gets a row in the `problems` table. Records that are normal in archives
    /// (revisits, images, DNS look-ups) are only counted.
    pub fn is_listed(self) -> bool {
        !matches!(
            self,
            ProblemKind::NotText
                | ProblemKind::RevisitIdentical
                | ProblemKind::RevisitNotModified
                | ProblemKind::RevisitOther
                | ProblemKind::Dns
        )
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A record that was skipped or damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The offset of the record in its source.
    pub offset: u64,
    /// The URL of the record, if it is known.
    pub url: Option<String>,
    /// A few words about the problem, or an empty text.
    pub detail: String,
    /// The kind of record, if a whole record was skipped because of its size. It counts as found.
    pub record: Option<RecordKind>,
}

impl Problem {
    /// Creates a problem with an offset and a few words about it.
    pub fn new(kind: ProblemKind, offset: u64, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            offset,
            url: None,
            detail: detail.into(),
            record: None,
        }
    }

    /// Adds the URL of the record.
    #[must_use]
    pub fn of(mut self, url: &str) -> Problem {
        self.url = Some(url.to_owned());
        self
    }
}

/// The first problem of its kind, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of the source.
    pub source: String,
    /// The problem.
    pub problem: Problem,
}

/// The number of problems of each kind, with the first example of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    kinds: BTreeMap<ProblemKind, (u64, Example)>,
}

impl Tally {
    /// Counts one problem.
    pub fn add(&mut self, source: &str, problem: Problem) {
        self.add_many(
            1,
            Example {
                source: source.to_owned(),
                problem,
            },
        );
    }

    /// Counts `count` problems, of which `example` is the first.
    pub fn add_many(&mut self, count: u64, example: Example) {
        self.kinds
            .entry(example.problem.kind)
            .and_modify(|(sum, _)| *sum += count)
            .or_insert((count, example));
    }

    /// Adds a later tally to this one, and keeps the earlier examples.
    pub fn merge(&mut self, later: Tally) {
        for (_, (count, example)) in later.kinds {
            self.add_many(count, example);
        }
    }

    /// Returns the kinds that occurred, each with its number and first example.
    pub fn iter(&self) -> impl Iterator<Item = (ProblemKind, u64, &Example)> {
        self.kinds
            .iter()
            .map(|(kind, (count, example))| (*kind, *count, example))
    }

    /// Returns the number of problems of one kind.
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |(count, _)| *count)
    }
}
