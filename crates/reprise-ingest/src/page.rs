//! Turns records into pages: HTTP, content encodings, charset, media type.

use std::io::Read;
use std::mem;

use reprise_text::Content;
use reprise_url::trap::find_trap;

use crate::content::{self, Decoded};
use crate::http::{self, Dechunked, Response};
use crate::inflate::Inflater;
use crate::limits::RecordLimits;
use crate::mail::Mail;
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, Record, RecordHead, RecordKind};
use crate::row::{Row, RowBody};
use crate::source::{Layout, Source, is_mail_file};
use crate::{Framing, arc, charset, mail, media, warc};

/// A URL with its decoded body, on which all later stages work.
#[derive(Debug)]
pub struct Page<'a> {
    /// The URL, as the archive writes it.
    pub url: &'a str,
    /// The place from which the page can be read back.
    pub place: Place,
    /// The fetch time, in milliseconds since 1970.
    pub fetched: Option<i64>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The media type in lower case, without parameters.
    pub media_type: &'a str,
    /// The name of the text's original encoding. Empty for files without text.
    pub charset: &'static str,
    /// The address of the server, if the archive has it.
    pub ip: Option<&'a str>,
    /// The body after transfer- and content-decoding, before transcoding. For a mail, the whole message.
    pub body: &'a [u8],
    /// The body as text, and how it is cut. `None` for files without text.
    pub text: Option<(Content, &'a str)>,
}

/// An item of a source. Items are in the order of the records.
#[derive(Debug)]
pub enum Item<'a> {
    /// A record was found. The items for it follow.
    Record(RecordKind),
    /// A record, or part of one, was skipped or damaged.
    Problem(Problem),
    /// A page.
    Page(Page<'a>),
}

/// The receiver of items.
pub type Sink<'s> = &'s mut dyn FnMut(Item<'_>);

/// Passes the page and the problems of an HTTP response to `sink`, for a response that is not in an archive
/// yet. They equal those of the archived response, except for date, address and place, which the caller knows.
pub fn read_response(url: &str, block: &[u8], limits: &RecordLimits, sink: Sink<'_>) {
    let origin = Origin {
        url,
        place: Place::default(),
        fetched: None,
        ip: None,
    };
    PageReader::new(*limits).response(&origin, block, sink);
}

/// Passes the page and the problems of a plain file or a mail to `sink`. The name or the first lines tell which
/// one it is.
pub fn read_file(url: &str, body: &[u8], limits: &RecordLimits, sink: Sink<'_>) {
    if is_mail_file(url, body) {
        PageReader::new(*limits).mail(body, whole(body), (url, None), sink);
    } else {
        PageReader::file(url, body, sink);
    }
}

/// Makes pages from records, and reuses its buffers.
pub(crate) struct PageReader {
    limits: RecordLimits,
    transfer: Vec<u8>,
    decoder: ContentDecoder,
}

/// Removes content encodings, and reuses its buffers.
struct ContentDecoder {
    inflater: Inflater,
    decoded: Vec<u8>,
    spare: Vec<u8>,
}

/// The largest buffer that is kept after use. Larger ones are freed, so that one large record does not occupy
/// memory until the end of the run.
pub(crate) const BUFFER_BYTES_KEPT: usize = 4 << 20;

impl PageReader {
    pub(crate) fn new(limits: RecordLimits) -> PageReader {
        PageReader {
            limits,
            transfer: Vec::new(),
            decoder: ContentDecoder {
                inflater: Inflater::new(),
                decoded: Vec::new(),
                spare: Vec::new(),
            },
        }
    }

    /// Passes the page and the problems of a record to `sink`. A mail without an id is named by `source_url`.
    pub(crate) fn read(&mut self, record: &Record<'_>, source_url: &str, sink: Sink<'_>) {
        let place = record.place;
        let problem = |kind, detail: &str| Problem::new(kind, place.offset, detail);
        match record.framing {
            Framing::Lines => {
                sink(Item::Record(RecordKind::Row));
                match Row::from_json(record.block) {
                    Ok(row) => self.row(place, &row, sink),
                    Err((kind, detail)) => sink(Item::Problem(problem(kind, &detail))),
                }
            }
            Framing::Mbox => {
                let message = mail::unquote(record.block);
                // Only one of the two is not zero, because a compressed mbox is one stream.
                let at = place.offset + place.within;
                let url = format!("{source_url}#mail-{at}");
                self.mail(&message, place, (&url, record.damage.as_ref()), sink);
            }
            Framing::Warc => self.archived(record, &warc::parse_head(record.head), sink),
            Framing::Arc => match arc::parse_line(record.head) {
                Some(head) => self.archived(record, &head, sink),
                None => sink(Item::Problem(problem(
                    ProblemKind::Malformed,
                    "an invalid header line",
                ))),
            },
        }
        let decoder = &mut self.decoder;
        for buffer in [&mut self.transfer, &mut decoder.decoded, &mut decoder.spare] {
            buffer.clear();
            buffer.shrink_to(BUFFER_BYTES_KEPT);
        }
    }

    fn archived(&mut self, record: &Record<'_>, head: &RecordHead<'_>, sink: Sink<'_>) {
        sink(Item::Record(head.kind));
        let offset = record.place.offset;
        let url = head.url.as_deref();
        let problem = |kind, detail: &str| {
            let problem = Problem::new(kind, offset, detail);
            Item::Problem(match url {
                Some(url) => problem.of(url),
                None => problem,
            })
        };
        if let Some((kind, detail)) = &record.damage {
            sink(problem(*kind, detail));
        }
        if head.types != 1 {
            let detail = match head.types {
                0 => "a record without a type",
                _ => "a record header that contains another one",
            };
            sink(problem(ProblemKind::Malformed, detail));
        }
        match head.kind {
            RecordKind::Response | RecordKind::Resource | RecordKind::Conversion => {}
            RecordKind::Revisit => return sink(problem(revisit(head), "")),
            _ => return,
        }
        let Some(url) = url else {
            return sink(problem(ProblemKind::NoUrl, "a record without a URL"));
        };
        if head.is_segment {
            let detail = "the first of several segments; the others are not joined";
            sink(problem(ProblemKind::Truncated, detail));
        }
        let is_dns = head
            .content_type
            .is_some_and(|value| value.eq_ignore_ascii_case(b"text/dns"));
        if is_dns || url.starts_with("dns:") {
            return sink(problem(ProblemKind::Dns, ""));
        }
        if let Some(trap) = find_trap(url) {
            return sink(problem(ProblemKind::Trap, &trap.to_string()));
        }
        let origin = Origin {
            url,
            place: record.place,
            fetched: head.date,
            ip: head.ip,
        };
        if head.kind == RecordKind::Response && is_http(head, record) {
            self.response(&origin, record.block, sink);
        } else {
            let payload = Payload {
                status: None,
                content_type: head.content_type,
                body: record.block,
            };
            payload.emit_within(&self.limits, &origin, sink);
        }
    }

    fn response(&mut self, origin: &Origin<'_>, block: &[u8], sink: Sink<'_>) {
        let (head, is_open, body) = match http::parse(block, &self.limits) {
            Response::Parsed {
                head,
                is_open,
                body,
            } => (head, is_open, body),
            Response::HeaderTooLarge => {
                let detail = self.limits.over_header("an HTTP header");
                return sink(origin.problem(ProblemKind::HeaderTooLarge, &detail));
            }
        };
        if is_open {
            let detail = "an HTTP header without an end";
            sink(origin.problem(ProblemKind::BadHeader, detail));
        }
        let content_type = head.field("content-type");
        let encodings = head.encodings();
        let mut body = body;
        if encodings.is_chunked && !body.is_empty() {
            self.transfer.clear();
            match http::dechunk(body, &mut self.transfer) {
                Dechunked::NotChunked => {}
                Dechunked::Whole => body = &self.transfer,
                Dechunked::Broken => {
                    let detail = "chunked transfer coding that breaks off";
                    sink(origin.problem(ProblemKind::BadChunking, detail));
                    body = &self.transfer;
                }
            }
        }
        let names: Vec<&[u8]> = (encodings.content.iter())
            .chain(&encodings.transfer)
            .map(|name| without_quotes(name))
            .filter(|name| !name.is_empty())
            .collect();
        let decoder = &mut self.decoder;
        let Some((body, not_decoded)) = decoder.decode(&names, body, &self.limits, origin, sink)
        else {
            return;
        };
        if let Some(name) = not_decoded
            && media::is_spoiled(content_type, body)
        {
            let detail = format!("{} cannot be decoded", String::from_utf8_lossy(name));
            sink(origin.problem(ProblemKind::BadEncoding, &detail));
        }
        let payload = Payload {
            status: head.status(),
            content_type,
            body,
        };
        payload.emit_within(&self.limits, origin, sink);
    }

    /// Passes on a row of JSONL or Parquet.
    pub(crate) fn row(&mut self, place: Place, row: &Row<'_>, sink: Sink<'_>) {
        let origin = Origin {
            url: &row.url,
            place,
            fetched: row.fetched,
            ip: row.ip.as_deref(),
        };
        if let Some(trap) = find_trap(&row.url) {
            return sink(origin.problem(ProblemKind::Trap, &trap.to_string()));
        }
        let body = row.body.as_bytes();
        if body.len() > self.limits.body_bytes {
            let what = format_args!("a body of {} bytes", body.len());
            let detail = self.limits.over_body(what);
            return sink(origin.problem(ProblemKind::TooLarge, &detail));
        }
        let media_type = match row.content {
            Content::Html => "text/html",
            _ => "text/plain",
        };
        let RowBody::Text(text) = &row.body else {
            // A program that converted a page to UTF-8 may have kept its old `meta` element.
            let is_utf8 = !body.is_ascii() && simdutf8::basic::from_utf8(body).is_ok();
            let charset = if is_utf8 { "; charset=utf-8" } else { "" };
            let payload = Payload {
                status: None,
                content_type: Some(&[media_type, charset].concat().into_bytes()),
                body,
            };
            return payload.emit(&origin, sink);
        };
        sink(Item::Page(Page {
            url: &row.url,
            place,
            fetched: row.fetched,
            status: None,
            media_type,
            charset: "UTF-8",
            ip: row.ip.as_deref(),
            body,
            text: Some((row.content, text)),
        }));
    }

    /// Reads a file that is one page.
    pub(crate) fn page_of(&self, source: &Source, sink: Sink<'_>) {
        match read_whole(source, &self.limits) {
            Ok(body) if source.layout == Layout::Mail => {
                let place = whole(&body);
                self.mail(&body, place, (&source.url, None), sink);
            }
            Ok(body) => PageReader::file(&source.url, &body, sink),
            Err(problem) => {
                if problem.kind == ProblemKind::TooLarge {
                    sink(Item::Record(RecordKind::File));
                }
                sink(Item::Problem(problem.of(&source.url)));
            }
        }
    }

    /// Passes on a mail and its damage. Its URL is its id, or else `where_url`.
    fn mail(
        &self,
        message: &[u8],
        place: Place,
        (where_url, damage): (&str, Option<&(ProblemKind, String)>),
        sink: Sink<'_>,
    ) {
        sink(Item::Record(RecordKind::Mail));
        let mail = Mail::read(message, &self.limits);
        let own_url = mail.as_ref().and_then(|mail| mail.url.as_deref());
        let origin = Origin {
            url: own_url.unwrap_or(where_url),
            place,
            fetched: mail.as_ref().and_then(|mail| mail.date),
            ip: None,
        };
        if message.len() > self.limits.body_bytes {
            let what = format_args!("a mail of {} bytes", message.len());
            let detail = self.limits.over_body(what);
            return sink(origin.problem(ProblemKind::TooLarge, &detail));
        }
        let Some(mail) = &mail else {
            let detail = "a mail with an invalid header";
            return sink(origin.problem(ProblemKind::Malformed, detail));
        };
        if let Some((kind, detail)) = damage {
            sink(origin.problem(*kind, detail));
        }
        if mail.is_too_deep {
            let detail = "parts of the mail exceed the nesting limit";
            sink(origin.problem(ProblemKind::Nesting, detail));
        }
        if mail.text.is_none() {
            sink(origin.problem(ProblemKind::NotText, &mail.media_type));
        }
        sink(Item::Page(Page {
            url: origin.url,
            place,
            fetched: origin.fetched,
            status: None,
            media_type: &mail.media_type,
            charset: mail.charset,
            ip: None,
            body: message,
            text: mail
                .text
                .as_ref()
                .map(|(content, text)| (*content, text.as_str())),
        }));
    }

    /// Passes on a plain file.
    fn file(url: &str, body: &[u8], sink: Sink<'_>) {
        sink(Item::Record(RecordKind::File));
        let origin = Origin {
            url,
            place: whole(body),
            fetched: None,
            ip: None,
        };
        if let Some(trap) = find_trap(url) {
            return sink(origin.problem(ProblemKind::Trap, &trap.to_string()));
        }
        let path = url.split(['?', '#']).next().unwrap_or(url);
        let payload = Payload {
            status: None,
            content_type: media::by_extension(path).map(str::as_bytes),
            body,
        };
        payload.emit(&origin, sink);
    }
}

impl ContentDecoder {
    /// Removes the encodings from a body. Returns the decoded body, and the name of an encoding that the body does not
    /// really have. Returns `None` and reports a problem if a limit is exceeded.
    fn decode<'b>(
        &'b mut self,
        names: &[&'b [u8]],
        body: &'b [u8],
        limits: &RecordLimits,
        origin: &Origin<'_>,
        sink: Sink<'_>,
    ) -> Option<(&'b [u8], Option<&'b [u8]>)> {
        if names.len() > limits.nesting {
            let (count, limit) = (names.len(), limits.nesting);
            let detail = format!("{count} content encodings exceed the nesting limit of {limit}");
            sink(origin.problem(ProblemKind::Nesting, &detail));
            return None;
        }
        let mut is_decoded = false;
        let mut not_decoded = None;
        // The last named encoding was applied last, so it is removed first.
        for name in names.iter().rev() {
            let input = if is_decoded { &self.decoded } else { body };
            match content::decode(name, input, limits, &mut self.inflater, &mut self.spare) {
                Decoded::Identity => {
                    not_decoded = Some(*name);
                    continue;
                }
                Decoded::Whole => {}
                Decoded::Partial => {
                    let detail = format!("{} breaks off", String::from_utf8_lossy(name));
                    sink(origin.problem(ProblemKind::BadEncoding, &detail));
                }
                Decoded::Refused(kind) => {
                    let name = String::from_utf8_lossy(name);
                    let body = format!("a body unpacked from {} bytes of {name}", input.len());
                    let detail = match kind {
                        ProblemKind::TooLarge => limits.over_body(body),
                        _ => format!("{body} exceeds the ratio limit of {}", limits.ratio),
                    };
                    sink(origin.problem(kind, &detail));
                    return None;
                }
            }
            mem::swap(&mut self.decoded, &mut self.spare);
            is_decoded = true;
        }
        let body = if is_decoded { &self.decoded } else { body };
        Some((body, not_decoded))
    }
}

/// Returns the bytes of a file that is one page.
pub(crate) fn read_whole(source: &Source, limits: &RecordLimits) -> Result<Vec<u8>, Problem> {
    if source.bytes > limits.body_bytes as u64 {
        // Of an input that may be endless, only this number of bytes was copied.
        let least = if source.name == "-" { "at least " } else { "" };
        let what = format_args!("a file of {least}{} bytes", source.bytes);
        let detail = limits.over_body(what);
        return Err(Problem::new(ProblemKind::TooLarge, 0, detail));
    }
    let mut body = Vec::new();
    let read = source
        .open_at(0)
        .and_then(|mut file| file.read_to_end(&mut body));
    match read {
        Ok(_) => Ok(body),
        Err(error) => Err(Problem::new(ProblemKind::Unreadable, 0, error.to_string())),
    }
}

fn whole(body: &[u8]) -> Place {
    Place {
        offset: 0,
        length: body.len() as u64,
        within: 0,
    }
}

/// The properties of a page that are known before its body is read.
struct Origin<'a> {
    url: &'a str,
    place: Place,
    fetched: Option<i64>,
    ip: Option<&'a str>,
}

impl Origin<'_> {
    fn problem(&self, kind: ProblemKind, detail: &str) -> Item<'static> {
        Item::Problem(Problem::new(kind, self.place.offset, detail).of(self.url))
    }
}

/// A decoded body, and the properties from its header.
struct Payload<'a> {
    status: Option<u16>,
    content_type: Option<&'a [u8]>,
    body: &'a [u8],
}

impl Payload<'_> {
    /// Passes on the body as a page, unless it exceeds the limit.
    fn emit_within(&self, limits: &RecordLimits, origin: &Origin<'_>, sink: Sink<'_>) {
        let bytes = self.body.len();
        if bytes > limits.body_bytes {
            let detail = limits.over_body(format_args!("a body of {bytes} bytes"));
            return sink(origin.problem(ProblemKind::TooLarge, &detail));
        }
        self.emit(origin, sink);
    }

    fn emit(&self, origin: &Origin<'_>, sink: Sink<'_>) {
        let media = media::classify(self.content_type, self.body);
        let decoded = media.content.map(|content| {
            (
                content,
                charset::decode(self.body, self.content_type, content),
            )
        });
        if decoded.is_none() {
            sink(origin.problem(ProblemKind::NotText, &media.media_type));
        }
        sink(Item::Page(Page {
            url: origin.url,
            place: origin.place,
            fetched: origin.fetched,
            status: self.status,
            media_type: &media.media_type,
            charset: decoded.as_ref().map_or("", |(_, (_, charset))| charset),
            ip: origin.ip,
            body: self.body,
            text: decoded
                .as_ref()
                .map(|(content, (text, _))| (*content, text.as_ref())),
        }));
    }
}

/// Removes the quotes that some servers put around the name of an encoding.
fn without_quotes(value: &[u8]) -> &[u8] {
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    value.strip_suffix(b"\"").unwrap_or(value).trim_ascii()
}

/// Returns true if the block of a response is an HTTP message. ARC and some WARC writers do not state a media
/// type, so the block decides.
fn is_http(head: &RecordHead<'_>, record: &Record<'_>) -> bool {
    const HTTP: &[u8] = b"application/http";
    let declared = head.content_type.unwrap_or_default();
    if record.framing == Framing::Arc {
        return http::begins(record.block);
    }
    declared.is_empty()
        || (declared.get(..HTTP.len())).is_some_and(|start| start.eq_ignore_ascii_case(HTTP))
        || record.block.starts_with(b"HTTP/")
}

fn revisit(head: &RecordHead<'_>) -> ProblemKind {
    let profile = head.profile.unwrap_or_default();
    if profile.ends_with(b"identical-payload-digest") {
        ProblemKind::RevisitIdentical
    } else if profile.ends_with(b"server-not-modified") {
        ProblemKind::RevisitNotModified
    } else {
        ProblemKind::RevisitOther
    }
}
