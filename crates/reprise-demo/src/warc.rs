//! A small WARC writer: any record, four packings, both versions of the format.
//!
//! ```
//! use reprise_demo::warc::{Kind, Packing, Record, Version, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), Packing::Plain, Version::V1_1);
//! let offset = writer.write(&Record {
//!     kind: Kind::Resource,
//!     id: "urn:uuid:00000000-0000-4000-8000-000000000001",
//!     date: "2025-03-01T12:00:00Z",
//!     target: Some("https://river-botany.org/notes.txt"),
//!     ip: None,
//!     content_type: "text/plain",
//!     extra: &[],
//!     block: b"Sedge and rush.",
//! })?;
//! assert_eq!(offset, 0);
//! assert!(writer.finish()?.starts_with(b"WARC/1.1\r\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use flate2::{Compress, Compression, FlushCompress, Status};
use sha1::{Digest, Sha1};

const GZIP_LEVEL: Compression = Compression::new(6);
const ZSTD_LEVEL: i32 = 3;

/// Version of the format, as the first line of every record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// ISO 28500:2009.
    V1_0,
    /// ISO 28500:2017.
    V1_1,
}

/// How records are packed into the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Uncompressed (`.warc`).
    Plain,
    /// One gzip member for each record (`.warc.gz`): what crawlers write.
    GzipPerRecord,
    /// One gzip member around everything (`.warc.gz`): what a plain `gzip` makes of a `.warc`.
    GzipWholeFile,
    /// One Zstandard frame for each record (`.warc.zst`).
    ZstdPerRecord,
}

impl Packing {
    /// How the names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Plain => "warc",
            Self::GzipPerRecord | Self::GzipWholeFile => "warc.gz",
            Self::ZstdPerRecord => "warc.zst",
        }
    }
}

/// `WARC-Type` of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// About the file itself.
    Warcinfo,
    /// A server's complete answer.
    Response,
    /// What the crawler asked.
    Request,
    /// Bytes without the protocol around them.
    Resource,
    /// An answer that was not stored again.
    Revisit,
    /// Notes on another record.
    Metadata,
    /// Another form of a record, such as its plain text.
    Conversion,
}

impl Kind {
    /// The value of `WARC-Type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warcinfo => "warcinfo",
            Self::Response => "response",
            Self::Request => "request",
            Self::Resource => "resource",
            Self::Revisit => "revisit",
            Self::Metadata => "metadata",
            Self::Conversion => "conversion",
        }
    }
}

/// One record to be written.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// `WARC-Type`.
    pub kind: Kind,
    /// `WARC-Record-ID` without its angle brackets.
    pub id: &'a str,
    /// `WARC-Date`.
    pub date: &'a str,
    /// `WARC-Target-URI`.
    pub target: Option<&'a str>,
    /// `WARC-IP-Address`.
    pub ip: Option<&'a str>,
    /// `Content-Type` of the block.
    pub content_type: &'a str,
    /// Further header fields, written in this order.
    pub extra: &'a [(&'a str, &'a str)],
    /// The block.
    pub block: &'a [u8],
}

/// Writes records one after the other.
pub struct Writer<W> {
    out: W,
    packing: Packing,
    version: Version,
    gzip: Compress,
    /// Bytes written to `out`.
    written: u64,
    /// Bytes of the records before compression.
    unpacked: u64,
    header: String,
    packed: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// A writer onto `out`, which should be buffered.
    pub fn new(out: W, packing: Packing, version: Version) -> Self {
        Self {
            out,
            packing,
            version,
            gzip: Compress::new_gzip(GZIP_LEVEL, 15),
            written: 0,
            unpacked: 0,
            header: String::new(),
            packed: Vec::new(),
        }
    }

    /// Writes one record and returns the offset in the file at which it begins. In a
    /// whole-file gzip that is the offset before compression.
    pub fn write(&mut self, record: &Record<'_>) -> io::Result<u64> {
        self.fill_header(record);
        let whole = self.packing == Packing::GzipWholeFile;
        let offset = if whole { self.unpacked } else { self.written };
        let header = std::mem::take(&mut self.header);
        let parts = [header.as_bytes(), record.block, b"\r\n\r\n"];
        self.unpacked += parts.iter().map(|part| part.len() as u64).sum::<u64>();
        match self.packing {
            Packing::Plain => {
                for part in parts {
                    self.out.write_all(part)?;
                    self.written += part.len() as u64;
                }
            }
            Packing::GzipPerRecord => {
                self.gzip.reset();
                self.deflate(&parts)?;
                self.finish_member()?;
            }
            Packing::GzipWholeFile => self.deflate(&parts)?,
            Packing::ZstdPerRecord => {
                let frame = zstd::bulk::compress(&parts.concat(), ZSTD_LEVEL)?;
                self.out.write_all(&frame)?;
                self.written += frame.len() as u64;
            }
        }
        self.header = header;
        Ok(offset)
    }

    /// Bytes of all records so far, before compression.
    pub const fn unpacked_bytes(&self) -> u64 {
        self.unpacked
    }

    /// Ends the file and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        if self.packing == Packing::GzipWholeFile {
            self.finish_member()?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn fill_header(&mut self, record: &Record<'_>) {
        let version = match self.version {
            Version::V1_0 => "WARC/1.0",
            Version::V1_1 => "WARC/1.1",
        };
        let header = &mut self.header;
        header.clear();
        let kind = record.kind.as_str();
        push(header, format_args!("{version}\r\nWARC-Type: {kind}\r\n"));
        push(header, format_args!("WARC-Record-ID: <{}>\r\n", record.id));
        push(header, format_args!("WARC-Date: {}\r\n", record.date));
        if let Some(target) = record.target {
            push(header, format_args!("WARC-Target-URI: {target}\r\n"));
        }
        if let Some(ip) = record.ip {
            push(header, format_args!("WARC-IP-Address: {ip}\r\n"));
        }
        for (name, value) in record.extra {
            push(header, format_args!("{name}: {value}\r\n"));
        }
        let (content_type, length) = (record.content_type, record.block.len());
        push(
            header,
            format_args!("Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"),
        );
    }

    fn deflate(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        for mut part in parts.iter().copied() {
            while !part.is_empty() {
                let before = self.gzip.total_in();
                self.packed.reserve(64 * 1024);
                self.gzip
                    .compress_vec(part, &mut self.packed, FlushCompress::None)?;
                part = &part[(self.gzip.total_in() - before) as usize..];
                self.drain()?;
            }
        }
        Ok(())
    }

    fn finish_member(&mut self) -> io::Result<()> {
        loop {
            self.packed.reserve(64 * 1024);
            let status = self
                .gzip
                .compress_vec(&[], &mut self.packed, FlushCompress::Finish)?;
            self.drain()?;
            if status == Status::StreamEnd {
                return Ok(());
            }
        }
    }

    fn drain(&mut self) -> io::Result<()> {
        self.out.write_all(&self.packed)?;
        self.written += self.packed.len() as u64;
        self.packed.clear();
        Ok(())
    }
}

/// The value of `WARC-Block-Digest` or `WARC-Payload-Digest` for `bytes`: SHA-1 in base 32, as most
/// crawlers write it.
pub fn digest(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(37);
    text.push_str("sha1:");
    for five in Sha1::digest(bytes).chunks(5) {
        let word = five
            .iter()
            .fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        for shift in (0..40).step_by(5).rev() {
            text.push(char::from(ALPHABET[(word >> shift) as usize & 31]));
        }
    }
    text
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    const PACKINGS: [Packing; 4] = [
        Packing::Plain,
        Packing::GzipPerRecord,
        Packing::GzipWholeFile,
        Packing::ZstdPerRecord,
    ];

    fn write_two(packing: Packing) -> (Vec<u8>, Vec<u64>) {
        let mut writer = Writer::new(Vec::new(), packing, Version::V1_0);
        let block = vec![b'x'; 200_000];
        let offsets = [&block[..], b"short"].map(|block| {
            let record = Record {
                kind: Kind::Resource,
                id: "urn:uuid:1",
                date: "2024-01-01T00:00:00Z",
                target: Some("http://a.example/"),
                ip: Some("192.0.2.1"),
                content_type: "text/plain",
                extra: &[("WARC-Block-Digest", &digest(block))],
                block,
            };
            writer.write(&record).unwrap()
        });
        (writer.finish().unwrap(), offsets.to_vec())
    }

    fn unpack(packing: Packing, bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match packing {
            Packing::Plain => plain.extend_from_slice(bytes),
            Packing::GzipPerRecord | Packing::GzipWholeFile => {
                flate2::read::MultiGzDecoder::new(bytes)
                    .read_to_end(&mut plain)
                    .unwrap();
            }
            Packing::ZstdPerRecord => plain = zstd::decode_all(bytes).unwrap(),
        }
        plain
    }

    #[test]
    fn all_packings_hold_the_same_records() {
        let (plain, _) = write_two(Packing::Plain);
        for packing in PACKINGS {
            assert_eq!(unpack(packing, &write_two(packing).0), plain, "{packing:?}");
        }
    }

    #[test]
    fn offsets_point_at_records() {
        for packing in [
            Packing::Plain,
            Packing::GzipPerRecord,
            Packing::ZstdPerRecord,
        ] {
            let (bytes, offsets) = write_two(packing);
            let second = unpack(packing, &bytes[offsets[1] as usize..]);
            assert!(second.starts_with(b"WARC/1.0\r\n") && second.ends_with(b"short\r\n\r\n"));
        }
    }

    #[test]
    fn digest_of_nothing_is_the_known_one() {
        assert_eq!(digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    }
}
