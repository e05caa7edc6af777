//! Writes WARC files: any type of record, four packings, both versions of the format.
//!
//! ```
//! use reprise_ingest::warc_write::{Kind, Packing, Record, Version, Writer};
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

use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use reprise_fingerprint::HashKind;

const ZSTD_LEVEL: i32 = 3;

/// The version of the format, as the first line of every record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// ISO 28500:2009.
    V1_0,
    /// ISO 28500:2017.
    V1_1,
}

impl Version {
    const fn line(self) -> &'static str {
        match self {
            Self::V1_0 => "WARC/1.0",
            Self::V1_1 => "WARC/1.1",
        }
    }
}

/// How records are packed into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Uncompressed (`.warc`).
    Plain,
    /// One gzip member for each record (`.warc.gz`), as crawlers write it.
    GzipPerRecord,
    /// One gzip member for the whole file (`.warc.gz`), as `gzip` compresses a `.warc`.
    GzipWholeFile,
    /// One Zstandard frame for each record (`.warc.zst`).
    ZstdPerRecord,
}

impl Packing {
    /// Returns the extension of files with this packing.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Plain => "warc",
            Self::GzipPerRecord | Self::GzipWholeFile => "warc.gz",
            Self::ZstdPerRecord => "warc.zst",
        }
    }
}

/// The settings of a gzip member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gzip {
    /// The compression level, from 0 to 9.
    pub level: u32,
    /// The operating system that the header of the member names (RFC 1952): 3 is Unix, 255 is unknown.
    pub system: u8,
}

impl Gzip {
    /// The settings of [`Writer`].
    pub const DEFAULT: Gzip = Gzip {
        level: 6,
        system: 3,
    };

    fn encoder(self) -> GzEncoder<Vec<u8>> {
        let level = Compression::new(self.level);
        let builder = GzBuilder::new().operating_system(self.system);
        builder.write(Vec::new(), level)
    }
}

/// The `WARC-Type` of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Information about the file.
    Warcinfo,
    /// The response of a server, with its head.
    Response,
    /// The request of the crawler.
    Request,
    /// A document without an HTTP head.
    Resource,
    /// A response that was not stored again.
    Revisit,
    /// Notes on another record.
    Metadata,
    /// Another form of a record, such as its plain text.
    Conversion,
}

impl Kind {
    /// Returns the value of `WARC-Type`.
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

/// A record to write.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// `WARC-Type`.
    pub kind: Kind,
    /// `WARC-Record-ID` without its angle brackets.
    pub id: &'a str,
    /// `WARC-Date`, as [`format_date`](crate::format_date) formats it.
    pub date: &'a str,
    /// `WARC-Target-URI`.
    pub target: Option<&'a str>,
    /// `WARC-IP-Address`.
    pub ip: Option<&'a str>,
    /// `Content-Type` of the block.
    pub content_type: &'a str,
    /// Further fields, in the order in which they are written.
    pub extra: &'a [(&'a str, &'a str)],
    /// The content block.
    pub block: &'a [u8],
}

/// The bytes that end a record.
const RECORD_END: &[u8] = b"\r\n\r\n";

impl Record<'_> {
    /// Packs the record as a gzip member.
    pub fn gzip_member(&self, version: Version, gzip: Gzip) -> Vec<u8> {
        let mut encoder = gzip.encoder();
        let head = self.head(version);
        [head.as_bytes(), self.block, RECORD_END]
            .iter()
            .try_for_each(|part| encoder.write_all(part))
            .and_then(|()| encoder.finish())
            .expect("writing to memory does not fail")
    }

    fn head(&self, version: Version) -> String {
        let mut head = format!("{}\r\n", version.line());
        let mut add = |name: &str, value: &str| head.extend([name, ": ", value, "\r\n"]);
        add("WARC-Type", self.kind.as_str());
        add("WARC-Record-ID", &format!("<{}>", self.id));
        add("WARC-Date", self.date);
        if let Some(target) = self.target {
            add("WARC-Target-URI", target);
        }
        if let Some(ip) = self.ip {
            add("WARC-IP-Address", ip);
        }
        for (name, value) in self.extra {
            add(name, value);
        }
        add("Content-Type", self.content_type);
        add("Content-Length", &self.block.len().to_string());
        head.push_str("\r\n");
        head
    }
}

/// Writes records one after the other.
pub struct Writer<W> {
    out: W,
    packing: Packing,
    version: Version,
    /// The one member of [`Packing::GzipWholeFile`].
    member: GzEncoder<Vec<u8>>,
    /// Bytes written to `out`.
    written: u64,
    /// Bytes of the records before compression.
    unpacked: u64,
}

impl<W: Write> Writer<W> {
    /// Creates a writer onto `out`, which should be buffered.
    pub fn new(out: W, packing: Packing, version: Version) -> Self {
        Self {
            out,
            packing,
            version,
            member: Gzip::DEFAULT.encoder(),
            written: 0,
            unpacked: 0,
        }
    }

    /// Writes one record and returns its offset in the file, with [`Packing::GzipWholeFile`] its offset before
    /// compression.
    pub fn write(&mut self, record: &Record<'_>) -> io::Result<u64> {
        let head = record.head(self.version);
        let parts = [head.as_bytes(), record.block, RECORD_END];
        let mut offset = self.written;
        match self.packing {
            Packing::Plain => {
                for part in parts {
                    self.put(part)?;
                }
            }
            Packing::GzipPerRecord => {
                self.put(&record.gzip_member(self.version, Gzip::DEFAULT))?;
            }
            Packing::GzipWholeFile => {
                offset = self.unpacked;
                for part in parts {
                    self.member.write_all(part)?;
                }
                let packed = std::mem::take(self.member.get_mut());
                self.put(&packed)?;
            }
            Packing::ZstdPerRecord => {
                self.put(&zstd::bulk::compress(&parts.concat(), ZSTD_LEVEL)?)?;
            }
        }
        self.unpacked += parts.iter().map(|part| part.len() as u64).sum::<u64>();
        Ok(offset)
    }

    /// Returns the bytes of all records so far, before compression.
    pub const fn unpacked_bytes(&self) -> u64 {
        self.unpacked
    }

    /// Ends the file and returns the output.
    pub fn finish(mut self) -> io::Result<W> {
        if self.packing == Packing::GzipWholeFile {
            self.out.write_all(&self.member.finish()?)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

/// Returns the value of `WARC-Block-Digest` or `WARC-Payload-Digest` for `bytes`: SHA-1 in base 32, as most crawlers
/// write it.
pub fn digest(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let hash = HashKind::Sha1.fingerprint(bytes);
    let mut text = "sha1:".to_owned();
    for five in hash.as_bytes().chunks_exact(5) {
        let word = five
            .iter()
            .fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        for shift in (0..40).step_by(5).rev() {
            text.push(char::from(ALPHABET[(word >> shift) as usize & 31]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;

    use super::*;
    use crate::limits::RecordLimits;
    use crate::{BatchReader, Batches, Item, Source};

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
    fn written_records_are_read_back() {
        const LIMITS: RecordLimits = RecordLimits {
            body_bytes: 1 << 20,
            header_bytes: 1 << 10,
            ratio: 1000,
            nesting: 1,
        };
        for packing in PACKINGS {
            let name = format!("x.{}", packing.extension());
            let source = Source::from_bytes(&name, write_two(packing).0, &LIMITS).unwrap();
            let sources: Arc<[Source]> = Arc::new([source]);
            let mut batches = Batches::new(Arc::clone(&sources), LIMITS);
            let mut reader = BatchReader::new(sources, LIMITS);
            let mut pages = Vec::new();
            while let Some(batch) = batches.next_batch() {
                reader.read(&batch, None, &mut |_, item| match item {
                    Item::Record(_) => {}
                    Item::Problem(problem) => panic!("{packing:?}: {problem:?}"),
                    Item::Page(page) => {
                        let ip = page.ip.map(str::to_owned);
                        pages.push((page.url.to_owned(), page.fetched, ip, page.body.len()));
                    }
                });
            }
            let page = |bytes: usize| {
                let (url, ip) = ("http://a.example/".to_owned(), "192.0.2.1".to_owned());
                (url, Some(1_704_067_200_000), Some(ip), bytes)
            };
            assert_eq!(pages, [page(200_000), page(5)], "{packing:?}");
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
    fn digests_of_known_bytes() {
        assert_eq!(digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(digest(b"abc"), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    }
}
