//! A record of an archive: the header fields that Reprise uses, and the content block.

use std::borrow::Cow;

use crate::frame::Framing;
use crate::problem::ProblemKind;

/// The position of a record in its source, from which it can be read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The byte offset of the record, or of the compressed member that contains it. In Parquet, the number of
    /// the row.
    pub offset: u64,
    /// The number of bytes from there that contain the record.
    pub length: u64,
    /// The offset of the record inside the decompressed member, or 0.
    pub within: u64,
}

/// A framed record whose header is not parsed yet.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) place: Place,
    pub(crate) framing: Framing,
    pub(crate) head: &'a [u8],
    pub(crate) block: &'a [u8],
    pub(crate) damage: Option<(ProblemKind, String)>,
}

/// The kind of a record, as the record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// The response of a server, with its HTTP header.
    Response,
    /// A document without an HTTP header.
    Resource,
    /// A document that was converted from another record, such as the plain text of WET.
    Conversion,
    /// A repetition of an archived response.
    Revisit,
    /// The request of the crawler.
    Request,
    /// Information about another record.
    Metadata,
    /// Information about the archive.
    Warcinfo,
    /// A row of JSONL or Parquet.
    Row,
    /// A mail.
    Mail,
    /// A plain file.
    File,
    /// Any other record.
    Other,
}

impl RecordKind {
    /// Returns the name in JSON.
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
    /// The number of fields that state the kind: 1, unless the header is damaged.
    pub(crate) types: usize,
    /// True if the record is one segment of a longer one.
    pub(crate) is_segment: bool,
}
