//! Writes responses as WARC 1.1, with one gzip member for each record.
//!
//! A response is appended before the crawl uses it, and its request follows it, so a killed run leaves at most
//! one broken member at the end. The next run removes this member (see [`crate::replay`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use reprise_fingerprint::HashKind;
use reprise_ingest::format_date;
use reprise_ingest::warc_write::{Gzip, Kind, Record, Version, digest};

use crate::config::CrawlConfig;
use crate::error::CrawlError;
use crate::fetch::Exchange;

/// Larger blocks are compressed at a fast level.
const FAST_BYTES: usize = 4 << 20;
/// The operating system in the header of a gzip member: unknown, so that archives do not depend on it.
const SYSTEM_UNKNOWN: u8 = 255;

/// The reason why a page has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The server reported it.
    NotModified,
    /// The server sent the same body again. It is not stored again.
    SamePayload,
}

impl Profile {
    fn as_str(self) -> &'static str {
        match self {
            Profile::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
            Profile::SamePayload => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
        }
    }
}

/// The archives of a crawl, open for appending.
pub(crate) struct Archive {
    directory: PathBuf,
    paths: Vec<PathBuf>,
    file: File,
    bytes: u64,
    bytes_max: u64,
    user_agent: String,
    /// A lock for the whole run: two crawls must not write to one directory.
    _lock: File,
}

/// Returns the name of the archive with this number.
fn name(number: usize) -> String {
    format!("crawl-{number:05}.warc.gz")
}

/// Returns the archives of a directory, in order.
pub fn paths(directory: &Path) -> Vec<PathBuf> {
    (0..=usize::MAX)
        .map(|number| directory.join(name(number)))
        .take_while(|path| path.exists())
        .collect()
}

/// Creates the directory, and locks it against other crawls.
pub(crate) fn lock(directory: &Path) -> Result<File, CrawlError> {
    std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    let path = directory.join(name(0));
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|source| failed(&path, source))?;
    // Some network file systems have no locks. The crawl runs there without one.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(CrawlError::Busy { path });
    }
    Ok(file)
}

impl Archive {
    /// Continues at the end of the last archive, or creates the first one.
    pub(crate) fn open(config: &CrawlConfig, lock: File) -> Result<Archive, CrawlError> {
        let (directory, bytes_max) = (&config.directory, config.archive_bytes_max);
        let paths = paths(directory);
        let last = paths
            .last()
            .cloned()
            .unwrap_or_else(|| directory.join(name(0)));
        let (file, bytes) = append_to(&last)?;
        let mut archive = Archive {
            directory: directory.to_owned(),
            paths,
            file,
            bytes,
            bytes_max,
            user_agent: config.user_agent.clone(),
            _lock: lock,
        };
        if bytes == 0 {
            archive.information()?;
        } else if !config.append {
            // Count the archive as full, so that the first response begins the next one.
            archive.bytes = bytes_max;
        }
        Ok(archive)
    }

    /// Appends a response and its request.
    pub(crate) fn append(&mut self, url: &str, exchange: &Exchange) -> Result<(), CrawlError> {
        self.rotate()?;
        let (date, ip) = (format_date(exchange.date), exchange.ip.to_string());
        let id = self.id(url, &date);
        let block_digest = digest(&exchange.block);
        let payload_digest = digest(&exchange.block[exchange.head_bytes..]);
        let mut extra = vec![
            ("WARC-Block-Digest", block_digest.as_str()),
            ("WARC-Payload-Digest", &payload_digest),
        ];
        if let Some(truncated) = exchange.truncated {
            extra.push(("WARC-Truncated", truncated.as_str()));
        }
        let mut bytes = member(&Record {
            kind: Kind::Response,
            id: &id,
            date: &date,
            target: Some(url),
            ip: Some(&ip),
            content_type: "application/http; msgtype=response",
            extra: &extra,
            block: &exchange.block,
        });
        bytes.extend(self.request(url, exchange, &id, &date));
        self.write(&bytes)
    }

    /// Appends a record that the page has not changed since `since`, and the request.
    pub(crate) fn append_unchanged(
        &mut self,
        url: &str,
        exchange: &Exchange,
        profile: Profile,
        since: Option<i64>,
    ) -> Result<(), CrawlError> {
        self.rotate()?;
        let (date, ip) = (format_date(exchange.date), exchange.ip.to_string());
        let id = self.id(url, &date);
        let since = since.map(format_date);
        let mut extra = vec![
            ("WARC-Profile", profile.as_str()),
            ("WARC-Refers-To-Target-URI", url),
        ];
        if let Some(since) = &since {
            extra.push(("WARC-Refers-To-Date", since));
        }
        let (head, payload) = exchange.block.split_at(exchange.head_bytes);
        let (block, payload_digest) = match profile {
            Profile::NotModified => (exchange.block.as_slice(), None),
            Profile::SamePayload => (head, Some(digest(payload))),
        };
        if let Some(payload_digest) = &payload_digest {
            extra.push(("WARC-Payload-Digest", payload_digest));
        }
        let block_digest = digest(block);
        extra.push(("WARC-Block-Digest", &block_digest));
        let mut bytes = member(&Record {
            kind: Kind::Revisit,
            id: &id,
            date: &date,
            target: Some(url),
            ip: Some(&ip),
            content_type: "application/http; msgtype=response",
            extra: &extra,
            block,
        });
        bytes.extend(self.request(url, exchange, &id, &date));
        self.write(&bytes)
    }

    /// Writes everything to disk, and returns the paths of the archives.
    pub(crate) fn close(self) -> Result<Vec<PathBuf>, CrawlError> {
        match self.file.sync_all() {
            Ok(()) => Ok(self.paths),
            Err(source) => Err(failed(&self.directory, source)),
        }
    }

    fn request(&self, url: &str, exchange: &Exchange, response: &str, date: &str) -> Vec<u8> {
        member(&Record {
            kind: Kind::Request,
            id: &self.id(&format!("request {url}"), date),
            date,
            target: Some(url),
            ip: None,
            content_type: "application/http; msgtype=request",
            extra: &[
                ("WARC-Concurrent-To", &format!("<{response}>")),
                ("WARC-Block-Digest", &digest(&exchange.request)),
            ],
            block: &exchange.request,
        })
    }

    /// Begins the next archive if the current one is full.
    fn rotate(&mut self) -> Result<(), CrawlError> {
        if self.bytes < self.bytes_max {
            return Ok(());
        }
        let path = self.directory.join(name(self.paths.len()));
        (self.file, self.bytes) = append_to(&path)?;
        self.paths.push(path);
        self.information()
    }

    /// Writes the first record of an archive.
    fn information(&mut self) -> Result<(), CrawlError> {
        let date = format_date(now());
        let file = self
            .paths
            .last()
            .and_then(|path| path.file_name())
            .unwrap_or_default();
        let file = file.to_string_lossy().into_owned();
        let text = format!(
            "software: reprise/{}\r\nformat: WARC File Format 1.1\r\nrobots: RFC 9309\r\nhttp-header-user-agent: {}\r\n",
            env!("CARGO_PKG_VERSION"),
            self.user_agent
        );
        let bytes = member(&Record {
            kind: Kind::Warcinfo,
            id: &self.id(&file, &date),
            date: &date,
            target: None,
            ip: None,
            content_type: "application/warc-fields",
            extra: &[
                ("WARC-Filename", &file),
                ("WARC-Block-Digest", &digest(text.as_bytes())),
            ],
            block: text.as_bytes(),
        });
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CrawlError> {
        let path = self.paths.last().unwrap_or(&self.directory);
        self.file
            .write_all(bytes)
            .map_err(|source| failed(path, source))?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Returns a unique record id. It is a hash of the record's properties, so no random numbers are needed.
    fn id(&self, of: &str, date: &str) -> String {
        let seed = format!("{} {} {date} {of}", self.paths.len(), self.bytes);
        let hash = HashKind::Sha256.fingerprint(seed.as_bytes());
        let mut hex = hash.to_string();
        // Version 8 is a UUID with a custom rule.
        hex.replace_range(12..13, "8");
        hex.replace_range(16..17, "8");
        hex.truncate(32);
        let parts = [
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..],
        ];
        format!("urn:uuid:{}", parts.join("-"))
    }
}

/// Packs a record. Large blocks are compressed at a fast level, because the fetch loop waits for it.
fn member(record: &Record<'_>) -> Vec<u8> {
    let is_large = record.block.len() > FAST_BYTES;
    let gzip = Gzip {
        level: if is_large { 1 } else { 6 },
        system: SYSTEM_UNKNOWN,
    };
    record.gzip_member(Version::V1_1, gzip)
}

fn append_to(path: &Path) -> Result<(File, u64), CrawlError> {
    let open = || -> io::Result<(File, u64)> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let bytes = file.metadata()?.len();
        Ok((file, bytes))
    };
    open().map_err(|source| failed(path, source))
}

pub(crate) fn failed(path: &Path, source: io::Error) -> CrawlError {
    CrawlError::Archive {
        path: path.to_owned(),
        source,
    }
}

pub(crate) fn now() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as i64)
}
