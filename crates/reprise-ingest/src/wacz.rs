//! WACZ: a ZIP file with archives below `archive/`, or with other WACZ files.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::CrcReader;
use flate2::read::DeflateDecoder;
use reprise_fingerprint::HashKind;
use zip::CompressionMethod;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::error::InputError;
use crate::input::unreadable;
use crate::limits::RecordLimits;
use crate::problem::ProblemKind;
use crate::source::{Data, Layout, Source};
use crate::spool::Spool;

/// Returns the archives in a WACZ, and in the WACZ files inside it. Most archives are stored uncompressed and
/// read in place; compressed ones are unpacked to a temporary file first.
pub(crate) fn open(
    name: &str,
    file: (&Path, Range<u64>),
    spool: &mut Spool,
    limits: &RecordLimits,
) -> Result<Vec<Source>, InputError> {
    let mut opener = Opener {
        spool,
        limits,
        sources: Vec::new(),
    };
    opener.open(name, file, false)?;
    Ok(opener.sources)
}

struct Opener<'o> {
    spool: &'o mut Spool,
    limits: &'o RecordLimits,
    sources: Vec<Source>,
}

/// The kind of an entry, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file in a directory of archives. Not all of them are archives.
    Archive,
    /// Another WACZ, in a download of several crawls.
    Wacz,
}

impl Opener<'_> {
    /// Adds the archives in a WACZ. A WACZ inside another may not contain further ones.
    fn open(
        &mut self,
        name: &str,
        (path, range): (&Path, Range<u64>),
        is_inner: bool,
    ) -> Result<(), InputError> {
        let file = (path, &range);
        let part = Part::open(path, range.clone()).map_err(unreadable(path))?;
        let mut zip = match zip::ZipArchive::new(BufReader::new(part)) {
            Ok(zip) => zip,
            Err(error) => {
                let error = not_of_system(path, error)?;
                return self.broken(name, file, format!("not a readable WACZ: {error}"));
            }
        };
        let count = self.sources.len();
        let mut bytes = 0;
        for index in 0..zip.len() {
            let mut entry = match zip.by_index_raw(index) {
                Ok(entry) => entry,
                Err(error) => {
                    let error = not_of_system(path, error)?;
                    self.broken(name, file, format!("entry {index} cannot be read: {error}"))?;
                    continue;
                }
            };
            let Some((entry_name, kind)) = entry_kind(&entry) else {
                continue;
            };
            // Entries that overlap could be read for ever.
            bytes += entry.compressed_size();
            if bytes > range.end - range.start {
                return self.broken(name, file, "its entries overlap".to_owned());
            }
            let inner = match stored_range(&entry, &range) {
                Some(inner) if inner.start > inner.end => {
                    self.broken(name, file, format!("{entry_name} lies beyond its end"))?;
                    continue;
                }
                Some(inner) => Some((path.to_owned(), inner)),
                None => self.unpack(name, file, &mut entry, &entry_name)?,
            };
            let Some((inner_path, inner)) = inner else {
                continue;
            };
            let inner_name = format!("{name}!/{entry_name}");
            match kind {
                Kind::Archive => self.add(inner_name, &inner_path, inner)?,
                Kind::Wacz if is_inner => {
                    let why = format!("{entry_name} is a WACZ in a WACZ in a WACZ");
                    self.broken(name, file, why)?;
                }
                Kind::Wacz => self.open(&inner_name, (&inner_path, inner), true)?,
            }
        }
        if self.sources.len() == count {
            self.broken(name, file, "a WACZ without an archive in it".to_owned())?;
        }
        Ok(())
    }

    /// Adds a file from a directory of archives, if it is an archive.
    fn add(&mut self, name: String, path: &Path, range: Range<u64>) -> Result<(), InputError> {
        let data = Data::File(path.to_owned());
        let source = Source::describe(name, data, range, String::new, self.limits)
            .map_err(unreadable(path))?;
        if !source.is_page() {
            self.sources.push(source);
        }
        Ok(())
    }

    /// Unpacks a compressed entry to a temporary file. Returns `None` if nothing of it can be read.
    fn unpack<R: Read>(
        &mut self,
        name: &str,
        file: (&Path, &Range<u64>),
        entry: &mut ZipFile<'_, R>,
        entry_name: &str,
    ) -> Result<Option<(PathBuf, Range<u64>)>, InputError> {
        let packing = entry.compression();
        if entry.encrypted() || packing != CompressionMethod::Deflated {
            let why = if entry.encrypted() {
                "is encrypted".to_owned()
            } else {
                format!("is packed by {packing}, which is not read")
            };
            self.broken(name, file, format!("{entry_name} {why}"))?;
            return Ok(None);
        }
        let (packed, stated, sum) = (entry.compressed_size(), entry.size(), entry.crc32());
        let most = self.limits.unpacked_bytes_max(packed);
        let mut unpacked = CrcReader::new(DeflateDecoder::new(entry));
        // One byte more than allowed shows that the entry is a bomb.
        let copied = (self.spool).copy(&mut (&mut unpacked).take(most.saturating_add(1)))?;
        let bytes = copied.bytes();
        let why = if bytes > most {
            Some(format!("{packed} bytes unpack to {bytes} or more"))
        } else if let Some(why) = &copied.broken {
            Some(format!("breaks off at {bytes}: {why}"))
        } else if bytes != stated {
            Some(format!("{bytes} bytes unpacked, {stated} stated"))
        } else {
            let is_right = unpacked.crc().sum() == sum;
            (!is_right).then(|| "its checksum is wrong".to_owned())
        };
        if let Some(why) = why {
            self.broken(name, file, format!("{entry_name}: {why}"))?;
        }
        // The bytes before a break are still good.
        let is_good = bytes > 0 && bytes <= most;
        Ok(is_good.then_some((copied.path, copied.range)))
    }

    /// Adds a source that reports a problem of a WACZ.
    fn broken(
        &mut self,
        name: &str,
        (path, range): (&Path, &Range<u64>),
        detail: String,
    ) -> Result<(), InputError> {
        let data = Data::File(path.to_owned());
        let described = Source::describe(
            name.to_owned(),
            data,
            range.clone(),
            String::new,
            self.limits,
        );
        let mut source = described.map_err(unreadable(path))?;
        // Several entries may be broken, and each one is a source with its own identity.
        let identity = [source.identity.as_bytes(), detail.as_bytes()].concat();
        source.identity = HashKind::Sha256.fingerprint(&identity);
        source.layout = Layout::Broken(ProblemKind::Unreadable, detail);
        self.sources.push(source);
        Ok(())
    }
}

/// Returns the error, unless it is an error of the system, which may be gone in the next run.
fn not_of_system(path: &Path, error: ZipError) -> Result<ZipError, InputError> {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => Err(unreadable(path)(error)),
        error => Ok(error),
    }
}

/// A part of a file that is read like a whole file.
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

/// Returns the range of an uncompressed entry in the file.
fn stored_range<R: Read>(entry: &ZipFile<'_, R>, wacz: &Range<u64>) -> Option<Range<u64>> {
    let start = wacz.start.saturating_add(entry.data_start()?);
    let end = start.saturating_add(entry.compressed_size()).min(wacz.end);
    let is_plain = entry.compression() == CompressionMethod::Stored && !entry.encrypted();
    is_plain.then_some(start..end)
}

/// Returns name and kind of an entry that may contain pages.
fn entry_kind<R: Read>(entry: &ZipFile<'_, R>) -> Option<(String, Kind)> {
    let name = entry.name().ok().filter(|_| entry.is_file())?;
    let lower = name.to_ascii_lowercase();
    let kind = if Path::new(&lower).extension() == Some("wacz".as_ref()) {
        Kind::Wacz
    } else if lower.starts_with("archive/") || lower.contains("/archive/") {
        Kind::Archive
    } else {
        return None;
    };
    Some((name.into_owned(), kind))
}
