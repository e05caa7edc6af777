//! Parquet files that other programs made: columns by name, and copies without some rows.
//!
//! Whatever the types, encodings and compressions of a file, all its columns can be copied ([`copy_rows`]), and
//! texts, numbers and times be read ([`Table`]). The files of a corpus, whose columns are known, are read and
//! written by `reprise-store`. This is a crate of its own because every kind of column is code of its own, which is
//! compiled once here, and not to run quickly: most of the time goes to unpacking, which is done elsewhere.
//!
//! Damage is an error and never a panic; an error of the system has its number.

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

/// The Parquet reader is written for files by honest writers; some damage makes it panic.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let damaged = || ParquetError::General("the file is damaged inside".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(damaged()))
}
