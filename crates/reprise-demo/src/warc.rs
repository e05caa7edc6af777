//! The WARC writer of `reprise-ingest`, for tests that need an archive.

pub use reprise_ingest::warc_write::{Kind, Packing, Record, Version, Writer, digest};
