//! A record of an archive: header fields that matter, and the content block.

use std::borrow::Cow;

use crate::frame::Framing;
use crate::problem::ProblemKind;

/// Where a record lies in its source, so that it can be read back later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Byte offset of the record, or of the compressed member that holds it; the row number in Parquet.
    pub offset: u64,
    /// Bytes from there that hold the record.
    pub length: u64,
    /// Bytes to skip in the decompressed member to reach the record; 0 where it begins the member.
    pub within: u64,
}

/// A record as it was framed, its header not yet parsed.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) place: Place,
    pub(crate) framing: Framing,
    pub(crate) head: &'a [u8],
    pub(crate) block: &'a [u8],
    pub(crate) damage: Option<(ProblemKind, String)>,
}

/// What kind of record it is, by its own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A server's answer, with its HTTP header.
    Response,
    /// A document without an HTTP header.
    Resource,
    /// A document converted from another record, such as the plain text of WET.
    Conversion,
    /// A repeat of something archived before.
    Revisit,
    /// What the crawler asked.
    Request,
    /// About another record.
    Metadata,
    /// About the archive itself.
    Warcinfo,
    /// A row of JSONL or Parquet.
    Row,
    /// A mail.
    Mail,
    /// A plain file.
    File,
    /// Anything else.
    Other,
}

impl RecordKind {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Response => "response",
            RecordKind::Resource => "resource",
            RecordKind::Conversion => "conversion",
            RecordKind::Revisit => "revisit",
            RecordKind::Request => "request",
            RecordKind::Metadata => "metadata",
            RecordKind::Warcinfo => "warcinfo",
            RecordKind::Row => "row",
            RecordKind::Mail => "mail",
            RecordKind::File => "file",
            RecordKind::Other => "other",
        }
    }

    /// All kinds, in the order of a tally.
    pub const ALL: [RecordKind; 11] = [
        RecordKind::Response,
        RecordKind::Resource,
        RecordKind::Conversion,
        RecordKind::Revisit,
        RecordKind::Request,
        RecordKind::Metadata,
        RecordKind::Warcinfo,
        RecordKind::Row,
        RecordKind::Mail,
        RecordKind::File,
        RecordKind::Other,
    ];
}

/// The header fields of a record that Reprise uses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RecordHead<'a> {
    pub(crate) kind: RecordKind,
    pub(crate) url: Option<Cow<'a, str>>,
    /// Milliseconds since 1970.
    pub(crate) date: Option<i64>,
    pub(crate) ip: Option<&'a str>,
    pub(crate) content_type: Option<&'a [u8]>,
    pub(crate) profile: Option<&'a [u8]>,
    /// How often it says what kind of record it is: once, unless it is damaged.
    pub(crate) types: usize,
    /// Is it part of a record that goes on in others?
    pub(crate) is_segment: bool,
}
