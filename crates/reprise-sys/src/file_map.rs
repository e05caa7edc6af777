//! Files mapped into memory.

use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, mapped into memory and read-only.
#[derive(Debug)]
pub struct FileMap(Mmap);

impl FileMap {
    /// Maps a whole file. The file must not be shortened or changed in place while the map exists.
    /// Otherwise, reading the map may end the process.
    #[expect(unsafe_code, reason = "mapping a file into memory")]
    pub fn of(file: &File) -> io::Result<FileMap> {
        // SAFETY: the bytes are only read. Files that Reprise maps are written under a temporary name,
        // renamed, and never changed afterwards.
        unsafe { Mmap::map(file) }.map(FileMap)
    }

    /// Releases the memory of `part`, a slice of this map. Reading it again reads the file again.
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "advice about mapped memory")]
    pub fn release(&self, part: &[u8]) {
        let offset = part.as_ptr().addr().checked_sub(self.0.as_ptr().addr());
        let Some(offset) = offset.filter(|offset| offset + part.len() <= self.0.len()) else {
            return;
        };
        // SAFETY: the map is of a file and cannot be written to, so no page differs from the file. A
        // released page comes back with the same bytes when it is read again.
        let released = unsafe {
            (self.0).unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, offset, part.len())
        };
        if let Err(error) = released {
            // The memory stays in use, but the result is the same.
            log::debug!("cannot release mapped memory: {error}");
        }
    }

    /// Does nothing. On this system, the memory of `part` stays in use until the system needs it.
    #[cfg(not(unix))]
    pub fn release(&self, _part: &[u8]) {}
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
