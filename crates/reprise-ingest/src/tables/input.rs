//! The bytes of a table, and the errors of the system while reading them.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length, SerializedFileReader};

/// The bytes of a table. Clones share their error.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    data: Data,
    /// The number of the last error of the system, or 0. Errors that pass through the Parquet reader do not
    /// tell whether they come from the system or from damage.
    failed: Arc<AtomicI32>,
}

#[derive(Clone, Debug)]
enum Data {
    File(Arc<File>, Range<u64>),
    Memory(Bytes),
}

impl Input {
    /// Creates an input from a part of a file.
    pub(crate) fn file(file: File, range: Range<u64>) -> Input {
        Input::new(Data::File(Arc::new(file), range))
    }

    /// Creates an input from bytes in memory.
    pub(crate) fn memory(bytes: Bytes) -> Input {
        Input::new(Data::Memory(bytes))
    }

    fn new(data: Data) -> Input {
        Input {
            data,
            failed: Arc::default(),
        }
    }

    /// Returns a reader that starts at this position.
    pub(crate) fn read_at(&self, position: u64) -> impl Read + use<> {
        Part {
            input: self.clone(),
            position,
        }
    }

    /// Returns the size of the footer, which is stored in the four bytes before the last four.
    pub(crate) fn footer_bytes(&self) -> Result<usize, ParquetError> {
        let Some(end) = self.len().checked_sub(8) else {
            return Err(ParquetError::General("a file without a footer".to_owned()));
        };
        let mut bytes = [0; 4];
        self.read_at(end).read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    pub(crate) fn open(&self) -> Result<SerializedFileReader<Input>, ParquetError> {
        SerializedFileReader::new(self.clone())
    }

    /// Returns the error of the system, if there was one, or else this error.
    pub(crate) fn told(&self, error: ParquetError) -> io::Error {
        match (self.failed.swap(0, Ordering::Relaxed), error) {
            (0, ParquetError::General(detail)) => io::Error::other(detail),
            (0, error) => io::Error::other(error.to_string()),
            (code, _) => io::Error::from_raw_os_error(code),
        }
    }

    fn read(&self, position: u64, output: &mut [u8]) -> io::Result<usize> {
        let left = self.len().saturating_sub(position);
        let most = output
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let output = &mut output[..most];
        match &self.data {
            Data::File(file, range) => reprise_sys::read_at(file, output, range.start + position)
                .inspect_err(|error| match error.raw_os_error() {
                    Some(code) if error.kind() != io::ErrorKind::Interrupted => {
                        self.failed.store(code, Ordering::Relaxed);
                    }
                    _ => {}
                }),
            Data::Memory(bytes) => {
                let start = position as usize;
                if most > 0 {
                    output.copy_from_slice(&bytes[start..start + most]);
                }
                Ok(most)
            }
        }
    }
}

/// The rest of an input.
#[derive(Debug)]
struct Part {
    input: Input,
    position: u64,
}

impl Read for Part {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(self.position, output)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Length for Input {
    fn len(&self) -> u64 {
        match &self.data {
            Data::File(_, range) => range.end - range.start,
            Data::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Input {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Box<dyn Read>, ParquetError> {
        Ok(Box::new(BufReader::new(self.read_at(start))))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        // Missing bytes must not be read as zeros.
        if start
            .checked_add(length as u64)
            .is_none_or(|end| end > self.len())
        {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at offset {start} exceed the file of {} bytes",
                self.len()
            )));
        }
        if let Data::Memory(bytes) = &self.data {
            return Ok(bytes.slice(start as usize..start as usize + length));
        }
        let mut bytes = vec![0; length];
        self.read_at(start).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Read;

    use bytes::Bytes;
    use parquet::errors::ParquetError;
    use parquet::file::reader::{ChunkReader, Length};

    use super::Input;

    #[test]
    fn a_part_of_a_file_is_all_there_is() {
        let path = std::env::temp_dir().join(format!("reprise-tables-{}", std::process::id()));
        fs::write(&path, b"before, table, behind").unwrap();
        let part = Input::file(fs::File::open(&path).unwrap(), 8..13);
        for input in [part, Input::memory(Bytes::from_static(b"table"))] {
            assert_eq!(input.len(), 5);
            let mut rest = String::new();
            let mut reader = input.get_read(2).unwrap();
            reader.read_to_string(&mut rest).unwrap();
            assert_eq!(rest, "ble");
            assert_eq!(input.get_bytes(1, 4).unwrap(), "able");
            assert!(input.get_bytes(1, 5).is_err());
            assert_eq!(input.read_at(9).read(&mut [0]).unwrap(), 0);
            let told = input.told(ParquetError::General("damage".to_owned()));
            assert_eq!(
                (told.to_string().as_str(), told.raw_os_error()),
                ("damage", None)
            );
        }
        // This file is open only for writing.
        let closed = OpenOptions::new().append(true).open(&path).unwrap();
        let input = Input::file(closed, 8..13);
        let error = input.get_bytes(0, 5).unwrap_err();
        assert!(input.told(error).raw_os_error().is_some());
        let error = ParquetError::General("damage".to_owned());
        assert!(input.told(error).raw_os_error().is_none());
        fs::remove_file(&path).unwrap();
    }
}
