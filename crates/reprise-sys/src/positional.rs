//! Reads files at a position.

use std::fs::File;
use std::io;

/// Reads up to `buffer.len()` bytes at `offset`. Several threads may read the same file at once.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

/// Reads up to `buffer.len()` bytes at `offset`. Several threads may read the same file at once.
#[cfg(windows)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Reads up to `buffer.len()` bytes at `offset`. Several threads may read the same file at once.
#[cfg(not(any(unix, windows)))]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};
    // Without positional reads, the cursor of the file is moved under a lock.
    static CURSOR: Mutex<()> = Mutex::new(());
    let _guard = CURSOR.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// Fills `buffer` with the bytes at `offset`, or fails with [`io::ErrorKind::UnexpectedEof`].
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{self, Write};

    use super::read_exact_at;

    #[test]
    fn reads_past_the_end_fail() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123").unwrap();
        let read = |file: &File, offset, length: usize| {
            let mut buffer = vec![0; length];
            read_exact_at(file, &mut buffer, offset).map(|()| buffer)
        };
        assert_eq!(read(&file, 1, 3).unwrap(), b"123");
        assert_eq!(read(&file, 9, 0).unwrap(), b"");
        let error = read(&file, 2, 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
