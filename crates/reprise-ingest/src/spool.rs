//! Copies of what can only be read once: standard input, pipes, devices, packed entries of archives.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::InputError;
use crate::limits::RecordLimits;
use crate::row;
use crate::source::{Data, Source};

/// So much is copied before it is judged what it is: all that may be looked at for that, and more.
const START_BYTES: u64 = row::LOOKED_AT_BYTES as u64 + (1 << 20);

/// What a WACZ begins with.
pub(crate) const ZIP: &[u8; 4] = b"PK\x03\x04";

/// One file for all copies of a run, one behind another: however many there are, one file is open. Deleted with this
/// value.
#[derive(Debug)]
pub(crate) struct Spool {
    directory: PathBuf,
    file: Option<NamedTempFile>,
    end: u64,
}

/// Where a copy is, and by what error it ends too soon, if it does.
#[derive(Debug)]
pub(crate) struct Copied {
    pub(crate) path: PathBuf,
    pub(crate) range: Range<u64>,
    pub(crate) broken: Option<io::Error>,
}

impl Spool {
    /// Will be in this directory, as soon as there is anything in it.
    pub(crate) fn new(directory: &Path) -> Spool {
        Spool {
            directory: directory.to_owned(),
            file: None,
            end: 0,
        }
    }

    /// Copies standard input, a pipe or a device.
    ///
    /// An archive is copied to its end. What is none is one page: no more of it is copied than a page may have, so that
    /// a device without end does not fill the disk.
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
        // One byte more shows that it is too large.
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

    /// Is it the start of one page, rather than of an archive?
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

/// A file that is locked as long as it is in use: a writer of the same corpus removes others.
fn create(directory: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix(&format!("spool-{}-", std::process::id()))
        .tempfile_in(directory)?;
    // Where files cannot be locked, nobody takes them for abandoned either.
    let _ = file.as_file().lock();
    Ok(file)
}
