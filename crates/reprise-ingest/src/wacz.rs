//! WACZ: a ZIP file with archives below `archive/`.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use reprise_fingerprint::HashKind;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::error::InputError;
use crate::input::unreadable;
use crate::limits::Limits;
use crate::problem::ProblemKind;
use crate::source::{Data, Layout, Source};
use crate::spool::Spool;

/// The archives in a WACZ. Most are stored as they are and read in place; packed ones are unpacked
/// aside first.
pub(crate) fn open(
    name: &str,
    (path, range): (&Path, Range<u64>),
    spool: &mut Spool,
    limits: &Limits,
) -> Result<Vec<Source>, InputError> {
    let mut sources = Vec::new();
    let broken = |detail: String| {
        broken(name, (path, range.clone()), detail, limits).map_err(unreadable(path))
    };
    let part = Part::open(path, range.clone()).map_err(unreadable(path))?;
    let mut zip = match zip::ZipArchive::new(BufReader::new(part)) {
        Ok(zip) => zip,
        Err(ZipError::Io(error)) if error.raw_os_error().is_some() => {
            return Err(unreadable(path)(error));
        }
        Err(error) => return Ok(vec![broken(format!("not a readable WACZ: {error}"))?]),
    };
    for index in 0..zip.len() {
        let mut entry = match zip.by_index(index) {
            Ok(entry) => entry,
            Err(ZipError::Io(error)) if error.raw_os_error().is_some() => {
                return Err(unreadable(path)(error));
            }
            Err(error) => {
                sources.push(broken(format!("entry {index} cannot be read: {error}"))?);
                continue;
            }
        };
        let Some(entry_name) = archive_name(&entry) else {
            continue;
        };
        let (packed, unpacked) = (entry.compressed_size(), entry.size());
        let (path, range) = if let Some(stored) = stored_range(&entry) {
            let within = range.start + stored.start..(range.start + stored.end).min(range.end);
            (path.to_owned(), within)
        } else if limits.is_bomb(packed as usize, unpacked as usize) {
            sources.push(broken(format!(
                "{entry_name}: {packed} bytes unpack to {unpacked}"
            ))?);
            continue;
        } else {
            let copied = spool.copy(&mut entry.by_ref().take(unpacked))?;
            if let Some(why) = copied.broken {
                let bytes = copied.range.end - copied.range.start;
                sources.push(broken(format!(
                    "{entry_name} breaks off at {bytes}: {why}"
                ))?);
                if bytes == 0 {
                    continue;
                }
            }
            // What was unpacked before it breaks off is still good.
            (copied.path, copied.range)
        };
        let source_name = format!("{name}!/{entry_name}");
        let data = Data::File(path.clone());
        let source = Source::describe(source_name, data, range, String::new, limits)
            .map_err(unreadable(&path))?;
        sources.push(source);
    }
    if sources.is_empty() {
        sources.push(broken("a WACZ without an archive in it".to_owned())?);
    }
    Ok(sources)
}

/// A part of a file, as if it were all of it.
struct Part {
    file: File,
    range: Range<u64>,
    position: u64,
}

impl Part {
    fn open(path: &Path, range: Range<u64>) -> io::Result<Part> {
        let mut file = File::open(path)?;
        let position = file.seek(SeekFrom::Start(range.start))?;
        Ok(Part {
            file,
            range,
            position,
        })
    }
}

impl Read for Part {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let left = self.range.end.saturating_sub(self.position);
        let most = output
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.file.read(&mut output[..most])?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Part {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => self.range.start.checked_add(offset),
            SeekFrom::End(offset) => self.range.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let target = target.filter(|&target| target >= self.range.start);
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        self.file.seek(SeekFrom::Start(self.position))?;
        Ok(self.position - self.range.start)
    }
}

/// Where a stored entry lies in the file.
fn stored_range<R: Read>(entry: &ZipFile<'_, R>) -> Option<Range<u64>> {
    let start = entry.data_start()?;
    (entry.compression() == zip::CompressionMethod::Stored)
        .then(|| start..start + entry.compressed_size())
}

/// The name of an entry that is an archive.
fn archive_name<R: Read>(entry: &ZipFile<'_, R>) -> Option<String> {
    let name = entry.name().ok()?;
    let lower = name.to_ascii_lowercase();
    let is_archive = lower.starts_with("archive/")
        && [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"]
            .iter()
            .any(|suffix| lower.ends_with(suffix));
    is_archive.then(|| name.into_owned())
}

fn broken(
    name: &str,
    (path, range): (&Path, Range<u64>),
    detail: String,
    limits: &Limits,
) -> io::Result<Source> {
    let data = Data::File(path.to_owned());
    let mut source = Source::describe(name.to_owned(), data, range, String::new, limits)?;
    // Several entries may be broken, each for itself.
    let identity = [source.identity.as_bytes(), detail.as_bytes()].concat();
    source.identity = HashKind::Sha256.fingerprint(&identity);
    source.layout = Layout::Broken(ProblemKind::Unreadable, detail);
    Ok(source)
}
