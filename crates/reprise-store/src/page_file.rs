//! The file of a table, read into reused buffers.
//!
//! In this module, a page is a Parquet page: a part of a column. A scan reads millions of pages of about a
//! megabyte. If each had a new buffer, the allocator would return the memory to the operating system and
//! get zeroed memory again, which took a third of the time of a scan.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// The most unused buffers that are kept. A column uses one or two pages at a time.
const SPARE_MAX: usize = 4;

/// A Parquet file that is read page by page.
pub(crate) struct PageFile {
    file: File,
    length: u64,
    spare: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl PageFile {
    pub(crate) fn new(file: File) -> io::Result<PageFile> {
        Ok(PageFile {
            length: file.metadata()?.len(),
            file,
            spare: Arc::default(),
        })
    }
}

impl PageFile {
    /// Reads the footer of the file: the metadata, then its length in four bytes, and four magic bytes.
    pub(crate) fn footer(&self) -> Result<Bytes> {
        const END_BYTES: u64 = 8;
        let end = self.get_bytes(self.length.saturating_sub(END_BYTES), END_BYTES as usize)?;
        let [length, _] = *end.as_chunks().0 else {
            return Err(ParquetError::EOF("the file has no footer".to_owned()));
        };
        let length = u64::from(u32::from_le_bytes(length)) + END_BYTES;
        self.get_bytes(self.length.saturating_sub(length), length as usize)
    }
}

impl Length for PageFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for PageFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<BufReader<File>> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A damaged length must not allocate a buffer larger than the file.
        if start.saturating_add(length as u64) > self.length {
            return Err(ParquetError::EOF(
                "a page ends after the end of the file".to_owned(),
            ));
        }
        let mut buffer = Buffer {
            bytes: lock(&self.spare).pop().unwrap_or_default(),
            length,
            spare: Arc::clone(&self.spare),
        };
        if buffer.bytes.len() < length {
            buffer.bytes.resize(length, 0);
        }
        let mut file = &self.file;
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut buffer.bytes[..length])?;
        Ok(Bytes::from_owner(buffer))
    }
}

/// A buffer in use. Dropping it makes it available for the next page.
struct Buffer {
    bytes: Vec<u8>,
    length: usize,
    spare: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let mut spare = lock(&self.spare);
        if spare.len() < SPARE_MAX {
            spare.push(std::mem::take(&mut self.bytes));
        }
    }
}

fn lock(spare: &Mutex<Vec<Vec<u8>>>) -> MutexGuard<'_, Vec<Vec<u8>>> {
    // A panic cannot leave the list in an inconsistent state, so a poisoned lock is safe to use.
    spare.lock().unwrap_or_else(PoisonError::into_inner)
}
