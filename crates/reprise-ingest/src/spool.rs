//! Temporary copies of inputs that can be read only once (standard input, pipes, devices), and of compressed
//! entries of archives.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::InputError;
use crate::limits::RecordLimits;
use crate::row;
use crate::source::{Data, Source};

/// The number of bytes that are copied before the format is detected: more than the detection examines.
const START_BYTES: u64 = row::LOOKED_AT_BYTES as u64 + (1 << 20);

/// The first bytes of a WACZ.
pub(crate) const ZIP: &[u8; 4] = b"PK\x03\x04";

/// One file for all copies of a run, one after another, so that only one file is open. Dropping this value
/// deletes it.
#[derive(Debug)]
pub(crate) struct Spool {
    directory: PathBuf,
    file: Option<NamedTempFile>,
    end: u64,
}

/// The location of a copy, and the error that ended it too soon.
#[derive(Debug)]
pub(crate) struct Copied {
    pub(crate) path: PathBuf,
    pub(crate) range: Range<u64>,
    pub(crate) broken: Option<io::Error>,
}

impl Spool {
    /// Creates a spool. The file is created in this directory with the first copy.
    pub(crate) fn new(directory: &Path) -> Spool {
        Spool {
            directory: directory.to_owned(),
            file: None,
            end: 0,
        }
    }

    /// Copies standard input, a pipe or a device.
    ///
    /// An archive is copied to its end. Anything else is one page, of which no more is copied than the body
    /// limit, so that an endless device does not fill the disk.
    pub(crate) fn copy_stream(
        &mut self,
        input: &mut dyn Read,
        limits: &RecordLimits,
    ) -> Result<Copied, InputError> {
        let start = self.copy(&mut (&mut *input).take(START_BYTES))?;
        if start.broken.is_some() || start.bytes() < START_BYTES {
            return Ok(start);
        }
        let is_page = start.is_page(limits).map_err(failed(&self.directory))?;
        // One byte more shows that the page exceeds the limit.
        let page_bytes = (limits.body_bytes as u64 + 1).saturating_sub(start.bytes());
        let left = if is_page { page_bytes } else { u64::MAX };
        let rest = self.copy(&mut input.take(left))?;
        Ok(Copied {
            range: start.range.start..rest.range.end,
            ..rest
        })
    }

    /// Copies all of the input.
    pub(crate) fn copy(&mut self, input: &mut dyn Read) -> Result<Copied, InputError> {
        let failed = failed(&self.directory);
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(create(&self.directory).map_err(&failed)?),
        };
        let start = self.end;
        let mut buffer = vec![0; 128 << 10];
        let broken = loop {
            match input.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => {
                    file.write_all(&buffer[..count]).map_err(&failed)?;
                    self.end += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Some(error),
            }
        };
        Ok(Copied {
            path: file.path().to_owned(),
            range: start..self.end,
            broken,
        })
    }
}

impl Copied {
    pub(crate) fn bytes(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns true if the copy is the start of a page, not of an archive.
    fn is_page(&self, limits: &RecordLimits) -> io::Result<bool> {
        let data = Data::File(self.path.clone());
        let source = Source::describe(
            "-".to_owned(),
            data,
            self.range.clone(),
            String::new,
            limits,
        )?;
        let mut start = [0; ZIP.len()];
        source.open_at(0)?.read_exact(&mut start)?;
        Ok(source.is_page() && start != *ZIP)
    }
}

fn failed(directory: &Path) -> impl Fn(io::Error) -> InputError + '_ {
    move |source| InputError::Spool {
        directory: directory.to_owned(),
        source,
    }
}

/// Creates a file that is locked while it is in use, because a writer of the same corpus removes unlocked ones.
fn create(directory: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix(&format!("spool-{}-", std::process::id()))
        .tempfile_in(directory)?;
    // On file systems without locks, no file is taken for abandoned.
    let _ = file.as_file().lock();
    Ok(file)
}
