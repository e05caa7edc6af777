//! Writes the HTML manuals of the installed Rust toolchains as gzip WARC files.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};
use reprise_demo::warc::{Kind, Packing, Record, Version, Writer, digest};
use reprise_engine::Content;

use crate::data::Made;
use crate::indexing::files_below;
use crate::slow::SlowCount;

/// The number of archives. All have about the same number of body bytes.
const FILES: u64 = 4;
/// The fetch time of all pages. It is fixed, so that the archives are always the same.
const DATE: &str = "2026-01-01T00:00:00Z";

/// An installed manual.
pub(crate) struct Manual {
    /// The directory of its pages.
    directory: PathBuf,
    /// The identity of the release.
    pub(crate) key: String,
    /// The version in the report.
    pub(crate) version: String,
}

/// A page of a manual.
struct Entry {
    path: PathBuf,
    url: String,
    bytes: u64,
}

/// Returns the manual of the current toolchain, then those of the other toolchains. Each release occurs once.
pub(crate) fn find() -> Vec<Manual> {
    let Some(sysroot) = sysroot() else {
        return Vec::new();
    };
    let beside = sysroot
        .parent()
        .and_then(|parent| fs::read_dir(parent).ok());
    let mut others: Vec<PathBuf> = beside
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    others.sort();
    let mut manuals: Vec<Manual> = Vec::new();
    for toolchain in std::iter::once(sysroot).chain(others) {
        if let Some(manual) = manual(&toolchain)
            && manuals.iter().all(|known| known.key != manual.key)
        {
            manuals.push(manual);
        }
    }
    manuals
}

fn sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(path.trim()))
}

/// Returns the manual of a toolchain. The page with version and commit identifies the release; most other pages
/// are the same in several releases.
fn manual(toolchain: &Path) -> Option<Manual> {
    let directory = toolchain.join("share/doc/rust/html");
    let info = fs::read_to_string(directory.join("version_info.html")).ok()?;
    let after = info.split_once("Rust</a> ").map_or("", |(_, after)| after);
    let version = after.split('<').next().unwrap_or_default().trim();
    Some(Manual {
        key: digest(info.as_bytes()),
        version: if version.is_empty() {
            "of unknown version"
        } else {
            version
        }
        .to_owned(),
        directory,
    })
}

/// Writes all pages to archives, and counts their chunks at the same time.
pub(crate) fn write(manuals: &[Manual], directory: &Path) -> Result<Made> {
    let mut entries = Vec::new();
    for (index, manual) in manuals.iter().enumerate() {
        list(manual, index + 1, &mut entries)?;
    }
    let (files, counts) = thread::scope(|scope| {
        let counts = scope.spawn(|| count(&entries));
        let files = write_archives(&entries, directory);
        (files, counts.join().expect("counting does not panic"))
    });
    Ok(Made {
        files: files?,
        pages: entries.len() as u64,
        body_bytes: entries.iter().map(|entry| entry.bytes).sum(),
        traps: 0,
        counts: counts?,
    })
}

fn list(manual: &Manual, number: usize, entries: &mut Vec<Entry>) -> Result<()> {
    for path in files_below(&manual.directory)? {
        if path.extension().is_none_or(|suffix| suffix != "html") {
            continue;
        }
        let relative = path.strip_prefix(&manual.directory)?.to_string_lossy();
        entries.push(Entry {
            url: format!("https://doc{number}.example.org/{}", escape(&relative)),
            bytes: fs::metadata(&path)?.len(),
            path,
        });
    }
    Ok(())
}

fn count(entries: &[Entry]) -> Result<SlowCount> {
    let mut counts = SlowCount::default();
    for entry in entries {
        let body = read(entry)?;
        counts.page(Content::Html, &String::from_utf8_lossy(&body));
    }
    Ok(counts)
}

fn write_archives(entries: &[Entry], directory: &Path) -> Result<Vec<String>> {
    let total: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let mut names = Vec::new();
    let (mut begin, mut written) = (0, 0);
    for file in 1..=FILES {
        let mut end = begin;
        while end < entries.len() && written < total * file / FILES {
            written += entries[end].bytes;
            end += 1;
        }
        let name = format!("manual-{file}.warc.gz");
        write_archive(&entries[begin..end], begin, &directory.join(&name))
            .with_context(|| format!("cannot write {name}"))?;
        names.push(name);
        begin = end;
    }
    Ok(names)
}

fn write_archive(entries: &[Entry], first: usize, path: &Path) -> Result<()> {
    let out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut writer = Writer::new(out, Packing::GzipPerRecord, Version::V1_0);
    writer.write(&Record {
        kind: Kind::Warcinfo,
        id: &id(0x1_0000_0000 + first),
        date: DATE,
        target: None,
        ip: None,
        content_type: "application/warc-fields",
        extra: &[],
        block: b"software: reprise-bench\r\nformat: WARC File Format 1.0\r\n",
    })?;
    for (index, entry) in entries.iter().enumerate() {
        let body = read(entry)?;
        let mut block = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        block.extend(&body);
        writer.write(&Record {
            kind: Kind::Response,
            id: &id(first + index),
            date: DATE,
            target: Some(&entry.url),
            ip: Some("192.0.2.1"),
            content_type: "application/http; msgtype=response",
            extra: &[("WARC-Payload-Digest", &digest(&body))],
            block: &block,
        })?;
    }
    writer.finish()?.flush()?;
    Ok(())
}

fn id(number: usize) -> String {
    format!("urn:uuid:00000000-0000-4000-8000-{number:012x}")
}

fn read(entry: &Entry) -> Result<Vec<u8>> {
    fs::read(&entry.path).with_context(|| format!("cannot read {}", entry.path.display()))
}

/// Escapes a path for a URL.
fn escape(path: &str) -> String {
    use std::fmt::Write as _;
    let mut escaped = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            write!(escaped, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    escaped
}
