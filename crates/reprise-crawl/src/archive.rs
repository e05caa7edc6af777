//! Writes what was fetched as WARC 1.1, one gzip member a record.
//!
//! A response is appended before anything is learned from it, and its request follows it, so that a killed run leaves
//! at most one broken member at the end. The next run cuts it off (see [`crate::replay`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use reprise_fingerprint::HashKind;
use reprise_ingest::format_date;

use crate::config::CrawlConfig;
use crate::error::CrawlError;
use crate::fetch::Exchange;

/// Blocks above this size are compressed quickly rather than well: the loop that fetches waits for it.
const QUICK_BYTES: usize = 4 << 20;
/// How a record says that nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The server said so.
    NotModified,
    /// The same body came again; it is not stored again.
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
    /// Held for the whole run: two crawls must not write to one directory.
    _lock: File,
}

/// Name of the archive with this number.
fn name(number: usize) -> String {
    format!("crawl-{number:05}.warc.gz")
}

/// The archives of a directory, in order.
pub fn paths(directory: &Path) -> Vec<PathBuf> {
    (0..=usize::MAX)
        .map(|number| directory.join(name(number)))
        .take_while(|path| path.exists())
        .collect()
}

/// Makes the directory, and sees to it that no other crawl writes to it.
pub(crate) fn lock(directory: &Path) -> Result<File, CrawlError> {
    std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    let path = directory.join(name(0));
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|source| failed(&path, source))?;
    // Some network file systems know no locks; that is no reason not to crawl.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(CrawlError::Busy { path });
    }
    Ok(file)
}

impl Archive {
    /// Goes on at the end of the last archive, or with one more.
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
            // Full for us: the first response begins the next.
            archive.bytes = bytes_max;
        }
        Ok(archive)
    }

    /// Appends a response and its request.
    pub(crate) fn append(&mut self, url: &str, exchange: &Exchange) -> Result<(), CrawlError> {
        self.rotate()?;
        let date = format_date(exchange.date);
        let id = self.id(url, &date);
        let mut head = Fields::new("response", &id, &date);
        head.add("WARC-Target-URI", url);
        head.add("WARC-IP-Address", &exchange.ip.to_string());
        let block_digest = digest(&exchange.block);
        head.add("WARC-Block-Digest", &block_digest);
        head.add(
            "WARC-Payload-Digest",
            &digest(&exchange.block[exchange.head_bytes..]),
        );
        if let Some(truncated) = exchange.truncated {
            head.add("WARC-Truncated", truncated.as_str());
        }
        let mut bytes = head.record("application/http; msgtype=response", &exchange.block);
        bytes.extend(self.request(url, exchange, &id, &date));
        self.write(&bytes)
    }

    /// Appends that a page has not changed since `since`.
    pub(crate) fn append_unchanged(
        &mut self,
        url: &str,
        exchange: &Exchange,
        profile: Profile,
        since: Option<i64>,
    ) -> Result<(), CrawlError> {
        self.rotate()?;
        let date = format_date(exchange.date);
        let id = self.id(url, &date);
        let mut head = Fields::new("revisit", &id, &date);
        head.add("WARC-Target-URI", url);
        head.add("WARC-IP-Address", &exchange.ip.to_string());
        head.add("WARC-Profile", profile.as_str());
        head.add("WARC-Refers-To-Target-URI", url);
        if let Some(since) = since {
            head.add("WARC-Refers-To-Date", &format_date(since));
        }
        let block = match profile {
            Profile::NotModified => exchange.block.as_slice(),
            Profile::SamePayload => {
                head.add(
                    "WARC-Payload-Digest",
                    &digest(&exchange.block[exchange.head_bytes..]),
                );
                &exchange.block[..exchange.head_bytes]
            }
        };
        head.add("WARC-Block-Digest", &digest(block));
        let mut bytes = head.record("application/http; msgtype=response", block);
        bytes.extend(self.request(url, exchange, &id, &date));
        self.write(&bytes)
    }

    /// Makes sure that all is on disk.
    pub(crate) fn close(self) -> Result<Vec<PathBuf>, CrawlError> {
        match self.file.sync_all() {
            Ok(()) => Ok(self.paths),
            Err(source) => Err(failed(&self.directory, source)),
        }
    }

    fn request(&self, url: &str, exchange: &Exchange, response: &str, date: &str) -> Vec<u8> {
        let id = self.id(&format!("request {url}"), date);
        let mut head = Fields::new("request", &id, date);
        head.add("WARC-Target-URI", url);
        head.add("WARC-Concurrent-To", response);
        head.add("WARC-Block-Digest", &digest(&exchange.request));
        head.record("application/http; msgtype=request", &exchange.request)
    }

    /// Begins the next archive when this one is large enough.
    fn rotate(&mut self) -> Result<(), CrawlError> {
        if self.bytes < self.bytes_max {
            return Ok(());
        }
        let path = self.directory.join(name(self.paths.len()));
        (self.file, self.bytes) = append_to(&path)?;
        self.paths.push(path);
        self.information()
    }

    /// The record that an archive begins with.
    fn information(&mut self) -> Result<(), CrawlError> {
        let date = format_date(now());
        let file = self
            .paths
            .last()
            .and_then(|path| path.file_name())
            .unwrap_or_default();
        let file = file.to_string_lossy().into_owned();
        let mut head = Fields::new("warcinfo", &self.id(&file, &date), &date);
        head.add("WARC-Filename", &file);
        let text = format!(
            "software: reprise/{}\r\nformat: WARC File Format 1.1\r\nrobots: RFC 9309\r\nhttp-header-user-agent: {}\r\n",
            env!("CARGO_PKG_VERSION"),
            self.user_agent
        );
        head.add("WARC-Block-Digest", &digest(text.as_bytes()));
        let bytes = head.record("application/warc-fields", text.as_bytes());
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

    /// An id that no other record has: made from what makes the record, so that no random numbers are needed.
    fn id(&self, of: &str, date: &str) -> String {
        let seed = format!("{} {} {date} {of}", self.paths.len(), self.bytes);
        let hash = HashKind::Sha256.fingerprint(seed.as_bytes());
        let mut hex = hash.to_string();
        // Version 8: a UUID by the maker's own rule.
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
        format!("<urn:uuid:{}>", parts.join("-"))
    }
}

/// The named fields of a record's header.
struct Fields(String);

impl Fields {
    fn new(kind: &str, id: &str, date: &str) -> Fields {
        let mut fields = Fields("WARC/1.1\r\n".to_owned());
        fields.add("WARC-Type", kind);
        fields.add("WARC-Record-ID", id);
        fields.add("WARC-Date", date);
        fields
    }

    fn add(&mut self, name: &str, value: &str) {
        self.0.push_str(name);
        self.0.push_str(": ");
        self.0.push_str(value);
        self.0.push_str("\r\n");
    }

    /// The whole record, compressed.
    fn record(mut self, content_type: &str, block: &[u8]) -> Vec<u8> {
        self.add("Content-Type", content_type);
        self.add("Content-Length", &block.len().to_string());
        self.0.push_str("\r\n");
        let level = if block.len() > QUICK_BYTES {
            Compression::fast()
        } else {
            Compression::default()
        };
        let mut packer = GzEncoder::new(Vec::with_capacity(block.len() / 3 + 512), level);
        let member = packer
            .write_all(self.0.as_bytes())
            .and_then(|()| packer.write_all(block))
            .and_then(|()| packer.write_all(b"\r\n\r\n"))
            .and_then(|()| packer.finish());
        member.expect("writing to memory does not fail")
    }
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

/// SHA-1 in base 32, as web archives write digests.
fn digest(bytes: &[u8]) -> String {
    let hash = HashKind::Sha1.fingerprint(bytes);
    let mut text = "sha1:".to_owned();
    for group in hash.as_bytes().chunks_exact(5) {
        let bits = group
            .iter()
            .fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        for place in (0..8).rev() {
            let value = (bits >> (place * 5) & 31) as usize;
            text.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn digests_as_archives_write_them() {
        assert_eq!(digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(digest(b"abc"), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    }
}
