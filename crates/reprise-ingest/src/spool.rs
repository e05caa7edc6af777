//! A copy of what can only be read once: standard input, and what is packed within an archive.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::InputError;

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

    /// Copies all of the input.
    pub(crate) fn copy(&mut self, input: &mut dyn Read) -> Result<Copied, InputError> {
        let directory = &self.directory;
        let failed = |source| InputError::Spool {
            directory: directory.clone(),
            source,
        };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(create(directory).map_err(failed)?),
        };
        let start = self.end;
        let mut buffer = vec![0; 128 << 10];
        let broken = loop {
            match input.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => {
                    file.write_all(&buffer[..count]).map_err(failed)?;
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

/// A file that is locked as long as it is in use: a writer of the same corpus removes others.
fn create(directory: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix(&format!("spool-{}-", std::process::id()))
        .tempfile_in(directory)?;
    // Where files cannot be locked, nobody takes them for abandoned either.
    let _ = file.as_file().lock();
    Ok(file)
}
