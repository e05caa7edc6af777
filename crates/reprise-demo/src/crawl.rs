//! The simulated crawl: writes pages to archive files and to the answer key.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::clock::{DAY, Moment, YEAR_2026};
use crate::http::{self, Transport};
use crate::page::Page;
use crate::planted::{Declared, Planted, PlantedPage, Role};
use crate::prng::Rng;
use crate::warc::{Kind, Packing, Record, Version, Writer, digest};
use crate::world::World;

/// The packings of the first files. These files are small, so that a web of scale 1 has one of each kind.
const VARIETY: [(Packing, Version); 6] = [
    (Packing::GzipPerRecord, Version::V1_0),
    (Packing::GzipPerRecord, Version::V1_1),
    (Packing::Plain, Version::V1_1),
    (Packing::ZstdPerRecord, Version::V1_1),
    (Packing::GzipWholeFile, Version::V1_0),
    (Packing::GzipPerRecord, Version::V1_0),
];
const VARIETY_FILES: usize = VARIETY.len();
const VARIETY_BYTES_MAX: u64 = 768 * 1024;
/// The size of all further files before compression. They have one gzip member per record.
const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A crawl in progress.
pub(crate) struct Crawl<'a> {
    directory: &'a Path,
    writer: Option<Writer<BufWriter<File>>>,
    planted: Planted,
    /// The version of the current file.
    version: Version,
    rng: Rng,
    now: Moment,
}

/// The facts about a record that a revisit of it needs.
pub(crate) struct Fetched {
    pub(crate) url: String,
    ip: u32,
    id: String,
    date: String,
    /// `None` if the payload was chunked: archives then disagree on which bytes are the payload.
    payload_digest: Option<String>,
}

/// The two standard profiles of a record for an unchanged page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    IdenticalPayloadDigest,
    ServerNotModified,
}

impl Profile {
    /// Returns the value of `WARC-Profile`.
    fn uri(self, version: Version) -> String {
        let version = match version {
            Version::V1_0 => "1.0",
            Version::V1_1 => "1.1",
        };
        let name = match self {
            Self::IdenticalPayloadDigest => "identical-payload-digest",
            Self::ServerNotModified => "server-not-modified",
        };
        format!("http://netpreserve.org/warc/{version}/revisit/{name}")
    }
}

impl<'a> Crawl<'a> {
    pub(crate) fn new(directory: &'a Path, world: &World) -> Self {
        let mut rng = world.rng(&[0xc4a1]);
        let now = Moment(YEAR_2026.0 + 5 * DAY + rng.below(150) as u64 * DAY);
        let planted = Planted {
            seed: world.seed,
            scale: world.scale,
            ..Planted::default()
        };
        Self {
            directory,
            writer: None,
            planted,
            version: Version::V1_0,
            rng,
            now,
        }
    }

    /// Writes the request and response of a page, sometimes with metadata.
    pub(crate) fn page(&mut self, page: &Page) -> io::Result<Fetched> {
        let textual = page.status == 200 && !page.charset.is_empty() && !page.body.is_empty();
        let transport = if textual {
            Transport::any(&mut self.rng)
        } else {
            Transport::PLAIN
        };
        self.fetch(page, transport)
    }

    /// Writes a page without transfer or content coding, so that a revisit can refer to its digest.
    pub(crate) fn plain_page(&mut self, page: &Page) -> io::Result<Fetched> {
        self.fetch(page, Transport::PLAIN)
    }

    /// Writes a `resource` record: bytes without an HTTP header.
    pub(crate) fn resource(&mut self, page: &Page) -> io::Result<()> {
        self.begin()?;
        let (id, date) = (self.id(), self.now.iso());
        self.write(&Record {
            kind: Kind::Resource,
            id: &id,
            date: &date,
            target: Some(&page.url),
            ip: None,
            content_type: page.media_type,
            extra: &[("WARC-Block-Digest", &digest(&page.body))],
            block: &page.body,
        })?;
        self.plant(page, String::new());
        Ok(())
    }

    /// Writes the record of a name look-up, as crawlers do.
    pub(crate) fn dns(&mut self, host: &str, ip: u32) -> io::Result<()> {
        self.begin()?;
        let (id, date) = (self.id(), self.now.iso());
        let answer = format!("{}\r\n{host}.\t300\tIN\tA\t{}\r\n", date, dotted(ip));
        self.write(&Record {
            kind: Kind::Response,
            id: &id,
            date: &date,
            target: Some(&format!("dns:{host}")),
            ip: Some("198.51.100.53"),
            content_type: "text/dns",
            extra: &[],
            block: answer.as_bytes(),
        })
    }

    /// Writes a revisit of `url`, whose body is already in the record `earlier`.
    pub(crate) fn revisit(
        &mut self,
        url: &str,
        earlier: &Fetched,
        profile: Profile,
    ) -> io::Result<()> {
        self.begin()?;
        let (id, date) = (self.id(), self.now.iso());
        let earlier_id = format!("<{}>", earlier.id);
        let mut extra = vec![
            ("WARC-Refers-To", earlier_id.as_str()),
            ("WARC-Refers-To-Target-URI", &earlier.url),
            ("WARC-Refers-To-Date", &earlier.date),
        ];
        let (status, block) = match profile {
            Profile::IdenticalPayloadDigest => {
                let known = earlier.payload_digest.as_deref();
                let known = known.expect("revisits by digest refer to pages with a digest");
                extra.push(("WARC-Payload-Digest", known));
                (200, http::header_only(self.now))
            }
            Profile::ServerNotModified => (304, http::not_modified(self.now)),
        };
        let name = profile.uri(self.version);
        extra.push(("WARC-Profile", &name));
        self.write(&Record {
            kind: Kind::Revisit,
            id: &id,
            date: &date,
            target: Some(url),
            ip: Some(&dotted(earlier.ip)),
            content_type: "application/http; msgtype=response",
            extra: &extra,
            block: &block,
        })?;
        let page = Page {
            status,
            sources: vec![earlier.url.clone()],
            ..Page::bare(url.to_owned(), earlier.ip, Role::Revisit)
        };
        self.plant(&page, String::new());
        Ok(())
    }

    /// Closes the last file and returns the answer key.
    pub(crate) fn finish(mut self) -> io::Result<Planted> {
        self.close()?;
        Ok(self.planted)
    }

    fn fetch(&mut self, page: &Page, transport: Transport) -> io::Result<Fetched> {
        self.begin()?;
        let (id, request_id, date, ip) = (self.id(), self.id(), self.now.iso(), dotted(page.ip));
        let (block, payload_start) = http::response(page, transport, self.now, &mut self.rng)?;
        let block_digest = digest(&block);
        let payload_digest = (!transport.chunked).then(|| digest(&block[payload_start..]));
        let mut extra = vec![("WARC-Block-Digest", block_digest.as_str())];
        if let Some(payload_digest) = &payload_digest {
            extra.push(("WARC-Payload-Digest", payload_digest));
        }
        let response = Record {
            kind: Kind::Response,
            id: &id,
            date: &date,
            target: Some(&page.url),
            ip: Some(&ip),
            content_type: "application/http; msgtype=response",
            extra: &extra,
            block: &block,
        };
        let request = Record {
            kind: Kind::Request,
            id: &request_id,
            content_type: "application/http; msgtype=request",
            extra: &[("WARC-Concurrent-To", &format!("<{id}>"))],
            block: &http::request(&page.url),
            ..response
        };
        self.write(&request)?;
        self.write(&response)?;
        if self.rng.chance(1, 8) {
            let metadata_id = self.id();
            self.write(&Record {
                kind: Kind::Metadata,
                id: &metadata_id,
                ip: None,
                content_type: "application/warc-fields",
                extra: &[("WARC-Refers-To", &format!("<{id}>"))],
                block: b"fetchTimeMs: 212\r\nvia: seed\r\n",
                ..response
            })?;
        }
        self.plant(page, transport.name());
        Ok(Fetched {
            url: page.url.clone(),
            ip: page.ip,
            id,
            date,
            payload_digest,
        })
    }

    /// Advances the time, and opens the next file if the current one is full.
    fn begin(&mut self) -> io::Result<()> {
        self.now.0 += 1;
        let bytes_max = match self.planted.files.len() {
            0..=VARIETY_FILES => VARIETY_BYTES_MAX,
            _ => FILE_BYTES_MAX,
        };
        if let Some(writer) = &self.writer
            && writer.unpacked_bytes() < bytes_max
        {
            return Ok(());
        }
        self.close()?;
        self.open()
    }

    fn open(&mut self) -> io::Result<()> {
        let number = self.planted.files.len();
        let later = if number.is_multiple_of(2) {
            Version::V1_0
        } else {
            Version::V1_1
        };
        let (packing, version) = *VARIETY
            .get(number)
            .unwrap_or(&(Packing::GzipPerRecord, later));
        let name = format!("crawl-{number:05}.{}", packing.extension());
        self.version = version;
        let file = File::create(self.directory.join(&name))?;
        self.writer = Some(Writer::new(BufWriter::new(file), packing, version));
        self.planted.files.push(PathBuf::from(&name));
        let (id, date) = (self.id(), self.now.iso());
        self.write(&Record {
            kind: Kind::Warcinfo,
            id: &id,
            date: &date,
            target: None,
            ip: None,
            content_type: "application/warc-fields",
            extra: &[("WARC-Filename", &name)],
            block: b"software: reprise demo\r\nformat: WARC File Format\r\nrobots: classic\r\n",
        })
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some(writer) = self.writer.take() {
            self.planted.record_bytes += writer.unpacked_bytes();
            writer.finish()?;
        }
        Ok(())
    }

    fn write(&mut self, record: &Record<'_>) -> io::Result<()> {
        let writer = self.writer.as_mut().expect("begin() opened a file");
        writer.write(record)?;
        self.planted.records += 1;
        Ok(())
    }

    fn plant(&mut self, page: &Page, transport: String) {
        let file = self.planted.files.last().expect("begin() opened a file");
        let body_bytes = page.body.len() as u64;
        self.planted.body_bytes += body_bytes;
        let declared = if page.charset.is_empty() {
            Declared::Nowhere
        } else {
            page.declared
        };
        self.planted.pages.push(PlantedPage {
            url: page.url.clone(),
            role: page.role,
            status: page.status,
            media_type: page.media_type.to_owned(),
            charset: page.charset.to_owned(),
            declared,
            language: page.language.to_owned(),
            file: file.to_string_lossy().into_owned(),
            transport,
            body_bytes,
            sources: page.sources.clone(),
            copied: page.copied,
        });
    }

    /// Returns a new record id in the form of a random UUID.
    fn id(&mut self) -> String {
        let (high, low) = (self.rng.next(), self.rng.next());
        let (first, second, third) = (high >> 32, high >> 16 & 0xffff, high & 0xfff);
        let (fourth, fifth) = (low >> 48 & 0x3fff | 0x8000, low & 0xffff_ffff_ffff);
        format!("urn:uuid:{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{fifth:012x}")
    }
}

fn dotted(ip: u32) -> String {
    std::net::Ipv4Addr::from(ip).to_string()
}
