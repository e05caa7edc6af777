//! Checksums of files: 64-bit XXH3. They detect damage, not forgery.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read, Write};
use std::path::Path;

use twox_hash::XxHash3_64;

/// Returns the checksum of `bytes` as 16 hexadecimal digits.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    format!("{:016x}", XxHash3_64::oneshot(bytes))
}

/// Returns the size and the checksum of a file.
pub(crate) fn of_file(path: &Path) -> io::Result<(u64, String)> {
    of_reader(File::open(path)?)
}

/// Returns the size and the checksum of the bytes of `reader`, without keeping them in memory.
pub(crate) fn of_reader(mut reader: impl Read) -> io::Result<(u64, String)> {
    let mut sum = Summed::new(io::sink());
    let mut buffer = vec![0; 256 << 10];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok(sum.finish());
        }
        sum.write_all(&buffer[..count])?;
    }
}

/// Forwards bytes to another writer, and computes their number and checksum.
pub(crate) struct Summed<W> {
    inner: W,
    hasher: XxHash3_64,
    bytes: u64,
    /// The checksum of the bytes since [`Summed::begin_tail`].
    tail: Option<XxHash3_64>,
}

impl<W: Write> Summed<W> {
    pub(crate) fn new(inner: W) -> Summed<W> {
        Summed {
            inner,
            hasher: XxHash3_64::new(),
            bytes: 0,
            tail: None,
        }
    }

    /// Starts a second checksum, of the following bytes only.
    pub(crate) fn begin_tail(&mut self) {
        self.tail = Some(XxHash3_64::new());
    }

    /// Returns the checksum of the bytes since [`Summed::begin_tail`].
    pub(crate) fn tail(&self) -> Option<String> {
        (self.tail.as_ref()).map(|hasher| format!("{:016x}", hasher.finish()))
    }

    pub(crate) fn inner(&self) -> &W {
        &self.inner
    }

    /// Returns the number and the checksum of all bytes.
    pub(crate) fn finish(&self) -> (u64, String) {
        (self.bytes, format!("{:016x}", self.hasher.finish()))
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(buffer)?;
        self.hasher.write(&buffer[..count]);
        if let Some(tail) = &mut self.tail {
            tail.write(&buffer[..count]);
        }
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
