//! Reads the archives of earlier runs, so that a crawl continues where they ended.
//!
//! This reads only archives that [`crate::archive`] wrote, in which every record is a gzip member.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use flate2::bufread::GzDecoder;
use reprise_ingest::parse_date;

use crate::archive::failed;
use crate::error::CrawlError;

/// The most bytes that a killed run can leave incomplete: one response and its request.
const TAIL_BYTES_MAX: u64 = 256 << 20;
/// The largest header of a record. A crawl writes headers of a few hundred bytes.
const HEAD_BYTES_MAX: usize = 64 << 10;

/// A response in an archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Archived {
    pub(crate) url: String,
    /// The time of the request, in milliseconds since 1970.
    pub(crate) date: Option<i64>,
    pub(crate) block: Vec<u8>,
    pub(crate) is_truncated: bool,
    /// True if the page had not changed since an earlier visit. Then the block is only a header.
    pub(crate) is_revisit: bool,
}

/// The treatment of an incomplete member at the end of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// The member is cut off, because the archive will be written to.
    Cut,
    /// The member is ignored.
    Keep,
}

/// Passes the responses of one archive to `take`, in order.
pub(crate) fn responses(
    path: &Path,
    tail: Tail,
    take: &mut dyn FnMut(Archived),
) -> Result<(), CrawlError> {
    let file = File::open(path).map_err(|source| failed(path, source))?;
    let length = file
        .metadata()
        .map_err(|source| failed(path, source))?
        .len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut whole = 0;
    while whole < length {
        let mut member = Vec::new();
        let is_whole = GzDecoder::new(&mut reader).read_to_end(&mut member).is_ok();
        let Some(record) = is_whole.then(|| record(&member)).flatten() else {
            return broken(path, whole, length, tail);
        };
        whole = reader
            .stream_position()
            .map_err(|source| failed(path, source))?;
        if let Record::Response(archived) = record {
            take(archived);
        }
    }
    Ok(())
}

/// Handles an incomplete member that a killed run left behind. Damage further from the end is an error: intact records
/// may follow it, and cutting would lose them.
fn broken(path: &Path, whole: u64, length: u64, tail: Tail) -> Result<(), CrawlError> {
    if length - whole > TAIL_BYTES_MAX {
        return Err(CrawlError::Damaged {
            path: path.to_owned(),
            offset: whole,
            left: length - whole,
        });
    }
    if tail == Tail::Cut {
        let cut = OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|file| file.set_len(whole));
        cut.map_err(|source| failed(path, source))?;
    }
    Ok(())
}

enum Record {
    Response(Archived),
    Other,
}

/// Parses the record of a member; `None` if it is incomplete or not a record.
fn record(member: &[u8]) -> Option<Record> {
    let window = &member[..member.len().min(HEAD_BYTES_MAX)];
    let head_end = memchr::memmem::find(window, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&member[..head_end]).ok()?;
    if !head.starts_with("WARC/") {
        return None;
    }
    let field = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    };
    let length: usize = field("Content-Length")?.parse().ok()?;
    let block = member.get(head_end..head_end.checked_add(length)?)?;
    let is_revisit = match field("WARC-Type")? {
        "response" => false,
        "revisit" => true,
        _ => return Some(Record::Other),
    };
    Some(Record::Response(Archived {
        url: field("WARC-Target-URI")?.to_owned(),
        date: field("WARC-Date").and_then(|date| parse_date(date.as_bytes())),
        block: block.to_vec(),
        is_truncated: field("WARC-Truncated").is_some(),
        is_revisit,
    }))
}
