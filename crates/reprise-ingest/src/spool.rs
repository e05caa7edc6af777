//! Copies of what can only be read once: standard input, pipes, devices, packed entries of archives.

use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::InputError;
use crate::input::InputConfig;
use crate::source::{Data, Source};

/// A copy of what can only be read once, and by what error it ends too soon, if it does.
pub(crate) struct Spool {
    pub(crate) file: NamedTempFile,
    pub(crate) bytes: u64,
    pub(crate) broken: Option<io::Error>,
}

/// So much is copied before it is known what it is.
const START_BYTES: u64 = 1 << 20;

/// What a WACZ begins with.
pub(crate) const ZIP: &[u8; 4] = b"PK\x03\x04";

/// Copies standard input, a pipe or a device.
///
/// An archive is copied to its end. What is none is one page: no more of it is copied than a page may have, so that a
/// device without end does not fill the disk.
pub(crate) fn spool_stream(
    input: &mut dyn Read,
    config: &InputConfig,
) -> Result<Spool, InputError> {
    let mut spool = spool(&mut input.take(START_BYTES), &config.spool_directory)?;
    if spool.broken.is_some() || spool.bytes < START_BYTES {
        return Ok(spool);
    }
    let is_page = spool
        .is_page(config)
        .map_err(failed(&config.spool_directory))?;
    let page_bytes_max = config.limits.body_bytes as u64;
    let left = if is_page {
        // One byte more shows that it is too large.
        (page_bytes_max + 1).saturating_sub(spool.bytes)
    } else {
        u64::MAX
    };
    spool
        .append(&mut input.take(left))
        .map_err(failed(&config.spool_directory))?;
    Ok(spool)
}

/// Copies input into a file that is locked as long as it is in use: a writer of the same corpus removes others.
pub(crate) fn spool(input: &mut dyn Read, directory: &Path) -> Result<Spool, InputError> {
    let file = tempfile::Builder::new()
        .prefix(&format!("spool-{}-", std::process::id()))
        .tempfile_in(directory)
        .map_err(failed(directory))?;
    // Where files cannot be locked, nobody takes them for abandoned either.
    let _ = file.as_file().lock();
    let mut spool = Spool {
        file,
        bytes: 0,
        broken: None,
    };
    spool.append(input).map_err(failed(directory))?;
    Ok(spool)
}

impl Spool {
    /// Copies more; fails only where it cannot be written.
    fn append(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut buffer = vec![0; 128 << 10];
        self.broken = loop {
            match input.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => {
                    self.file.write_all(&buffer[..count])?;
                    self.bytes += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Some(error),
            }
        };
        Ok(())
    }

    /// Is what was copied the start of one page, rather than of an archive?
    fn is_page(&self, config: &InputConfig) -> io::Result<bool> {
        let data = Data::File(self.file.path().to_owned());
        let range = 0..self.bytes;
        let source = Source::describe("-".to_owned(), data, range, String::new, &config.limits)?;
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
