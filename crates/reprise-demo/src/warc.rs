//! The writer of the archives.

pub use reprise_ingest::warc_write::{Kind, Packing, Record, Version, Writer, digest};
