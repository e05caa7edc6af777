//! Parquet files of other programs: reads columns by name, and copies files without some rows.
//!
//! All columns can be copied ([`copy_rows`]), and texts, numbers and times can be read ([`Table`]), whatever
//! the types, encodings and compressions of a file. `reprise-store` reads and writes the files of a corpus,
//! whose columns are known.
//!
//! Damage is an error and never a panic. An error of the system keeps its number.

mod cell;
mod copy;
mod input;
mod pages;
mod read;

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;

pub(crate) use cell::Cell;
pub(crate) use copy::copy_rows;
pub(crate) use input::Input;
pub(crate) use read::Table;

/// Turns panics into errors. The Parquet reader expects files of honest writers, and some damage makes it
/// panic.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let damaged = || ParquetError::General("the file is damaged".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(damaged()))
}
