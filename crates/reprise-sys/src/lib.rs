//! The operating-system calls of Reprise, each with a portable version.
//!
//! In reading order:
//!
//! - [`read_at`], [`read_exact_at`]: read at a position of a file, without moving a shared cursor.
//! - [`FileMap`]: a file mapped into memory, read-only.
//! - [`ZeroedTable`]: a large zeroed table, on huge pages if the system offers them.
//! - [`limit_kept_memory`]: makes the allocator return freed memory to the system.
//! - [`raise_open_file_limit`]: raises the number of files that a process may open.
//!
//! All other crates call these functions instead of those of the system, so that a port to another system
//! changes only this crate.
//!
//! ```
//! use std::fs::File;
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("file");
//! std::fs::write(&path, "0123456789")?;
//! let mut buffer = [0; 3];
//! reprise_sys::read_exact_at(&File::open(&path)?, &mut buffer, 4)?;
//! assert_eq!(&buffer, b"456");
//! # Ok::<(), std::io::Error>(())
//! ```

mod allocator;
mod file_map;
mod open_files;
mod positional;
mod zeroed_table;

pub use allocator::limit_kept_memory;
pub use file_map::FileMap;
pub use open_files::raise_open_file_limit;
pub use positional::{read_at, read_exact_at};
pub use zeroed_table::ZeroedTable;
