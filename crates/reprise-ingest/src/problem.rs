//! What was skipped or damaged, told apart by kind: broken input is data, not failure.

use std::collections::BTreeMap;
use std::fmt;

use crate::limits::RecordLimit;
use crate::record::RecordKind;

/// Why a record is not (or not wholly) a page of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The URL is a crawler trap (see [`reprise_url::trap`]).
    Trap,
    /// A file without text: it has a file fingerprint but no chunks.
    NotText,
    /// A revisit record: the same payload was archived before.
    RevisitIdentical,
    /// A revisit record: the server answered that nothing has changed.
    RevisitNotModified,
    /// A revisit record with a profile of neither kind.
    RevisitOther,
    /// A record of a name look-up.
    Dns,
    /// A record without a URL, or a row without `url` or `id`.
    NoUrl,
    /// Bytes that are no record, a record header that makes no sense, or a corrupt compressed stream.
    Malformed,
    /// A row of JSONL or Parquet that is not an object with `html` or `text`.
    BadRow,
    /// A record or HTTP header over the header limit.
    HeaderTooLarge,
    /// A body over the body limit.
    TooLarge,
    /// A body that expands by more than the ratio limit.
    Bomb,
    /// More content encodings on top of one another than the nesting limit; or a mail with parts
    /// deeper inside, which is kept without these.
    Nesting,
    /// A file, or a part of one, that could not be read at all.
    Unreadable,
    /// The record ends before its stated length, or its stream breaks off in it; what is there was kept.
    Truncated,
    /// The record's stated length is wrong; its real end was found.
    BadLength,
    /// No empty line ends the HTTP header; what looks like the body was kept.
    BadHeader,
    /// Chunked transfer coding breaks off; what is there was kept.
    BadChunking,
    /// A content encoding breaks off or is not what it says; what could be decoded was kept.
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

    /// The name in JSON, in the `problems` table and in the closing tally.
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

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<ProblemKind> {
        ProblemKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }

    /// Returns the limit that a problem of this kind exceeds, if it is about a limit.
    pub fn limit(self) -> Option<RecordLimit> {
        match self {
            ProblemKind::TooLarge => Some(RecordLimit::Body),
            ProblemKind::HeaderTooLarge => Some(RecordLimit::Header),
            ProblemKind::Bomb => Some(RecordLimit::Ratio),
            ProblemKind::Nesting => Some(RecordLimit::Nesting),
            _ => None,
        }
    }

    /// Was the page kept, though damaged? All other kinds were skipped.
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

    /// Does each occurrence get a row in the `problems` table? Records that archives hold by
    /// design (revisits, images, name look-ups) are only counted.
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

/// One record that was skipped or damaged, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Where the record begins in its source.
    pub offset: u64,
    /// The record's URL, as far as it is known.
    pub url: Option<String>,
    /// What was found, in a few words; may be empty.
    pub detail: String,
    /// What kind of record it is, where a whole one was stepped over for its size: it was seen all the same.
    pub record: Option<RecordKind>,
}

impl Problem {
    /// A problem at a place, with a few words on what was found.
    pub fn new(kind: ProblemKind, offset: u64, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            offset,
            url: None,
            detail: detail.into(),
            record: None,
        }
    }

    /// The same problem, of the record with this URL.
    #[must_use]
    pub fn of(mut self, url: &str) -> Problem {
        self.url = Some(url.to_owned());
        self
    }
}

/// The first problem of its kind, with the source it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Name of the source.
    pub source: String,
    /// The problem itself.
    pub problem: Problem,
}

/// How often each kind of problem occurred, with the first example of each.
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

    /// Counts `count` problems of which `example` is the first.
    pub fn add_many(&mut self, count: u64, example: Example) {
        self.kinds
            .entry(example.problem.kind)
            .and_modify(|(sum, _)| *sum += count)
            .or_insert((count, example));
    }

    /// Adds a later tally to this one; examples seen first stay.
    pub fn merge(&mut self, later: Tally) {
        for (_, (count, example)) in later.kinds {
            self.add_many(count, example);
        }
    }

    /// Count and first example of every kind that occurred.
    pub fn iter(&self) -> impl Iterator<Item = (ProblemKind, u64, &Example)> {
        self.kinds
            .iter()
            .map(|(kind, (count, example))| (*kind, *count, example))
    }

    /// How often one kind occurred.
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |(count, _)| *count)
    }
}
