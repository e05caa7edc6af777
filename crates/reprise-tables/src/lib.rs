//! Parquet files that other programs made: columns by name, and copies without some rows.
//!
//! Whatever the types, encodings and compressions of a file, all its columns can be copied ([`copy_rows`]), and
//! texts, numbers and times be read ([`Table`]). The files of a corpus, whose columns are known, are read and
//! written by `reprise-store`. This is a crate of its own because every kind of column is code of its own, which is
//! compiled once here, and not to run quickly: most of the time goes to unpacking, which is done elsewhere.
//!
//! Damage is an error and never a panic.

mod cell;
mod copy;
mod pages;
mod read;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::{Buf, Bytes};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

pub use cell::Cell;
pub use copy::copy_rows;
pub use parquet::data_type::ByteArray;
pub use read::Table;

/// Where a table lies.
#[derive(Debug)]
pub enum Input {
    /// In a file.
    File(File),
    /// In memory.
    Memory(Bytes),
}

impl Input {
    /// The same once more.
    fn again(&self) -> io::Result<Input> {
        Ok(match self {
            Input::File(file) => Input::File(file.try_clone()?),
            Input::Memory(bytes) => Input::Memory(bytes.clone()),
        })
    }

    /// What lies from this place on. Valid until something else is read.
    fn read_at(&self, position: u64) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Input::File(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(position))?;
                Box::new(file)
            }
            Input::Memory(bytes) => {
                let start = usize::try_from(position).unwrap_or(usize::MAX);
                Box::new(bytes.slice(start.min(bytes.len())..).reader())
            }
        })
    }

    /// The size of the footer, which stands in four bytes before the last four.
    fn footer_bytes(&self) -> Result<usize, ParquetError> {
        let length = match self {
            Input::File(file) => file.metadata()?.len(),
            Input::Memory(bytes) => bytes.len() as u64,
        };
        let Some(end) = length.checked_sub(8) else {
            return Err(ParquetError::General("a file without a footer".to_owned()));
        };
        let mut bytes = [0; 4];
        self.read_at(end)?.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn open(self) -> Result<Box<dyn FileReader>, ParquetError> {
        Ok(match self {
            Input::File(file) => Box::new(SerializedFileReader::new(file)?),
            Input::Memory(bytes) => Box::new(SerializedFileReader::new(bytes)?),
        })
    }
}

/// The Parquet reader is written for files by honest writers; some damage makes it panic.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let damaged = || ParquetError::General("the file is damaged inside".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(damaged()))
}
