//! A source: a file (or part of one) that contains records, and how they are arranged in it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::{Buf, Bytes};
use reprise_fingerprint::{Fingerprint, HashKind};

use crate::charset::BOM;
use crate::error::of_bytes;
use crate::frame::Framing;
use crate::identity;
use crate::limits::RecordLimits;
use crate::member::{self, Compression};
use crate::name::name_of;
use crate::problem::ProblemKind;
use crate::{arc, mail, maildir, row, warc};

/// A file that contains records.
#[derive(Clone, Debug)]
pub struct Source {
    /// The absolute path, as [`name_of`] writes it. For an archive inside a WACZ, path and
    /// entry joined by `!/`. For standard input, `-`.
    pub name: String,
    /// The size of the source.
    pub bytes: u64,
    /// The fingerprint by which a corpus recognises the source under any name.
    pub identity: Fingerprint,
    pub(crate) data: Data,
    pub(crate) range: Range<u64>,
    pub(crate) layout: Layout,
    /// The URL of a plain file, or the URL from which those of mails without an id are made. Otherwise empty.
    pub(crate) url: String,
}

/// The location of the bytes of a source.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    File(PathBuf),
    Memory(Bytes),
}

/// How records are arranged in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Records can be found from any position of the file, so all threads read it in blocks.
    Split(Framing, Compression),
    /// Records can be found only from the beginning: one thread unpacks, and all others make pages.
    Stream(Framing, Compression),
    /// Rows of a Parquet file.
    Parquet,
    /// The file is one page.
    File,
    /// The file is one mail.
    Mail,
    /// The source cannot be read.
    Broken(ProblemKind, String),
    /// The system refused to read the source, or there is nothing to read at present. The next run tries again.
    Missing(String),
}

impl Source {
    /// Returns the format in one word: `warc`, `arc`, `jsonl`, `mbox`, `parquet`, `mail`, `file`, `broken` or
    /// `missing`.
    pub fn format(&self) -> &'static str {
        match &self.layout {
            Layout::Split(framing, _) | Layout::Stream(framing, _) => match framing {
                Framing::Warc => "warc",
                Framing::Arc => "arc",
                Framing::Lines => "jsonl",
                Framing::Mbox => "mbox",
            },
            Layout::Parquet => "parquet",
            Layout::Mail => "mail",
            Layout::File => "file",
            Layout::Broken(..) => "broken",
            Layout::Missing(..) => "missing",
        }
    }

    /// Returns true if there is nothing to read at present.
    pub fn is_missing(&self) -> bool {
        matches!(self.layout, Layout::Missing(..))
    }

    /// Returns true if positions in the source are byte offsets in the file.
    pub fn is_split(&self) -> bool {
        matches!(self.layout, Layout::Split(..))
    }

    /// Returns the number of bytes of the file in a range of positions. `u64::MAX` stands for the end of the
    /// source. Positions in a stream or table are not byte offsets: there, all bytes count at the end.
    pub fn bytes_in(&self, range: &Range<u64>) -> u64 {
        if self.is_split() {
            range.end.min(self.bytes).saturating_sub(range.start)
        } else if range.end == u64::MAX {
            self.bytes
        } else {
            0
        }
    }

    /// Opens the file at a position of the source.
    pub(crate) fn open_at(&self, position: u64) -> io::Result<Box<dyn Read + Send>> {
        let start = self.range.start + position;
        match &self.data {
            Data::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Box::new(file.take(self.range.end.saturating_sub(start))))
            }
            Data::Memory(bytes) => {
                let start = bytes.len().min(start as usize);
                Ok(Box::new(bytes.slice(start..).reader()))
            }
        }
    }

    /// Creates a source of bytes in memory, such as an upload. If it is one page, `name` is its URL.
    pub fn from_bytes(name: &str, bytes: Vec<u8>, limits: &RecordLimits) -> io::Result<Source> {
        let range = 0..bytes.len() as u64;
        let data = Data::Memory(Bytes::from(bytes));
        Source::describe(name.to_owned(), data, range, || name.to_owned(), limits)
    }

    /// Creates a source that has only a name.
    pub(crate) fn missing(path: &Path, detail: String) -> Source {
        let name = name_of(path);
        Source {
            bytes: 0,
            // Without bytes, the name is the identity.
            identity: HashKind::Sha256.fingerprint(format!("missing {name}").as_bytes()),
            data: Data::File(path.to_owned()),
            range: 0..0,
            layout: Layout::Missing(detail),
            url: String::new(),
            name,
        }
    }

    /// Describes a part of a file. If the bytes do not tell the format, `name` does: a damaged file with the
    /// name of an archive is an archive.
    pub(crate) fn describe(
        name: String,
        data: Data,
        range: Range<u64>,
        url: impl FnOnce() -> String,
        limits: &RecordLimits,
    ) -> io::Result<Source> {
        let mut source = Source {
            name,
            bytes: range.end - range.start,
            identity: Fingerprint::default(),
            data,
            range,
            layout: Layout::Parquet,
            url: String::new(),
        };
        source.layout = source.find_layout(limits)?;
        if source.has_url() {
            source.url = url();
        }
        // Two files with the same bytes are two pages. Two archives with the same bytes are one source, unless
        // they are broken: each broken archive is reported.
        let and = match &source.layout {
            Layout::File | Layout::Mail => &source.url,
            Layout::Broken(..) => &source.name,
            _ => "",
        };
        source.identity = identity::sample(&source, and)?;
        Ok(source)
    }

    /// Returns true if the file is one page.
    pub fn is_page(&self) -> bool {
        matches!(self.layout, Layout::File | Layout::Mail)
    }

    fn has_url(&self) -> bool {
        let is_mbox = matches!(
            self.layout,
            Layout::Split(Framing::Mbox, _) | Layout::Stream(Framing::Mbox, _)
        );
        is_mbox || self.is_page()
    }

    /// Returns true if the name says that the file is one mail.
    fn is_named_mail(&self) -> bool {
        let is_message = match &self.data {
            Data::File(path) => maildir::is_message(path),
            Data::Memory(_) => false,
        };
        is_message || is_named_eml(&self.name)
    }

    fn find_layout(&self, limits: &RecordLimits) -> io::Result<Layout> {
        let mut start = Vec::new();
        self.open_at(0)?.take(64 << 10).read_to_end(&mut start)?;
        if self.is_named_mail() {
            return Ok(Layout::Mail);
        }
        let named = named_framing(&self.name);
        if start.is_empty() && named.is_some() {
            let detail = "an empty file".to_owned();
            return Ok(Layout::Broken(ProblemKind::Unreadable, detail));
        }
        if let Some(packing) = unread_packing(&self.name, &start) {
            let detail =
                format!("compressed with {packing}, which is not supported; unpack it first");
            return Ok(Layout::Broken(ProblemKind::Unreadable, detail));
        }
        if start.starts_with(b"PAR1") {
            return Ok(Layout::Parquet);
        }
        let Some(compression) = Compression::of(&start) else {
            let sniffed = self.sniff(&start, Compression::None, limits)?;
            return Ok(match sniffed.or(named) {
                // The first bytes are damaged. By the name, compressed records follow.
                Some(framing @ (Framing::Warc | Framing::Arc))
                    if sniffed.is_none() && named_compression(&self.name).is_some() =>
                {
                    let compression = named_compression(&self.name);
                    Layout::Split(framing, compression.unwrap_or(Compression::None))
                }
                Some(framing) => Layout::Split(framing, Compression::None),
                None if mail::is_mail(&start) => Layout::Mail,
                None => Layout::File,
            });
        };
        let unpacked = self.unpacked_start(compression, limits)?;
        let sniffed = self.sniff(&unpacked, compression, limits)?;
        let Some(framing) = sniffed.or(named) else {
            return Ok(Layout::File);
        };
        // Lines of JSON and mails are never compressed record by record.
        let is_split = !matches!(framing, Framing::Lines | Framing::Mbox)
            && compression != Compression::Lz4
            && member::is_by_record(
                BufReader::new(self.open_at(0)?),
                framing,
                compression,
                limits,
            )?;
        Ok(if is_split {
            Layout::Split(framing, compression)
        } else {
            Layout::Stream(framing, compression)
        })
    }

    fn unpacked_start(
        &self,
        compression: Compression,
        limits: &RecordLimits,
    ) -> io::Result<Vec<u8>> {
        let mut unpacked = Vec::new();
        let read = self
            .unpack(compression, limits)
            .and_then(|decoder| decoder.take(16 << 10).read_to_end(&mut unpacked));
        // Damage does not matter: only the bytes before it are needed.
        of_bytes(read, 0)?;
        Ok(unpacked)
    }

    fn unpack(
        &self,
        compression: Compression,
        limits: &RecordLimits,
    ) -> io::Result<Box<dyn Read + Send>> {
        let file = BufReader::new(self.open_at(0)?);
        member::stream_decoder(file, compression, limits)
    }

    /// Detects the framing by the first bytes, and lines of JSON by as many as needed.
    fn sniff(
        &self,
        start: &[u8],
        compression: Compression,
        limits: &RecordLimits,
    ) -> io::Result<Option<Framing>> {
        let framing = sniff_framing(start);
        let is_known = framing.is_some() || named_framing(&self.name) == Some(Framing::Lines);
        if is_known || !without_mark(start).starts_with(b"{") {
            return Ok(framing);
        }
        let mark = start.len() - start.strip_prefix(BOM).unwrap_or(start).len();
        let is_rows = self.unpack(compression, limits).and_then(|mut unpacked| {
            unpacked.read_exact(&mut [0; BOM.len()][..mark])?;
            row::is_rows(BufReader::new(unpacked), is_named_json(&self.name))
        });
        Ok(of_bytes(is_rows, false)?.then_some(Framing::Lines))
    }
}

/// Returns true if a file is one mail.
pub(crate) fn is_mail_file(name: &str, body: &[u8]) -> bool {
    let start = &body[..body.len().min(64 << 10)];
    is_named_eml(name) || (sniff_framing(start).is_none() && mail::is_mail(start))
}

fn is_named_eml(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("eml"))
}

fn sniff_framing(start: &[u8]) -> Option<Framing> {
    let trimmed = without_mark(start);
    if warc::is_version_line(trimmed) {
        Some(Framing::Warc)
    } else if trimmed.starts_with(b"filedesc:") || arc::parse_line(trimmed).is_some() {
        Some(Framing::Arc)
    } else if mail::is_mbox(trimmed) {
        Some(Framing::Mbox)
    } else {
        None
    }
}

/// Removes a byte order mark and white space.
fn without_mark(start: &[u8]) -> &[u8] {
    start.strip_prefix(BOM).unwrap_or(start).trim_ascii_start()
}

/// Returns the name of a compression that Reprise does not read, if an archive has it.
fn unread_packing(name: &str, start: &[u8]) -> Option<&'static str> {
    let packing = match start {
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => "bzip2",
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => "xz",
        [b'7', b'z', 0xbc, 0xaf, ..] => "7z",
        _ => return None,
    };
    let bare = Path::new(name).file_stem()?.to_str()?;
    named_framing(bare).map(|_| packing)
}

/// Returns the compression by the file name, if records can be found from any position in it.
fn named_compression(name: &str) -> Option<Compression> {
    let extension = Path::new(name).extension()?.to_str()?;
    match extension.to_ascii_lowercase().as_str() {
        "gz" => Some(Compression::Gzip),
        "zst" => Some(Compression::Zstd),
        _ => None,
    }
}

/// Returns the framing by the file name, for files whose bytes do not tell.
fn named_framing(name: &str) -> Option<Framing> {
    match bare_extension(name)?.as_str() {
        "warc" | "wet" | "wat" => Some(Framing::Warc),
        "arc" => Some(Framing::Arc),
        "jsonl" | "ndjson" => Some(Framing::Lines),
        "mbox" | "mbx" => Some(Framing::Mbox),
        _ => None,
    }
}

/// Returns true if the name says JSON: one document, or lines.
fn is_named_json(name: &str) -> bool {
    bare_extension(name).is_some_and(|extension| extension == "json")
}

/// Returns the extension of a name, without the extension of the compression.
fn bare_extension(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let bare = [".gz", ".zst", ".lz4"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(&name);
    Some(Path::new(bare).extension()?.to_str()?.to_owned())
}
