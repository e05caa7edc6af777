//! Reads pages from web archives, tables, mail and plain files, and counts what cannot be read.
//!
//! In reading order:
//!
//! 1. [`Inputs`] turns the names of inputs into [`Source`]s, one for each file that contains records.
//! 2. [`Batches`] cuts the sources into [`Batch`]es, which threads read in parallel.
//! 3. [`BatchReader`] reads a batch and passes on [`Item`]s: [`Page`]s and [`Problem`]s.
//! 4. [`Tally`] counts the problems, with one example of each [`ProblemKind`].
//!
//! [`read_response`] makes a page from an HTTP response, and [`read_file`] from a plain file. [`read_back()`] reads a page
//! again from its [`Place`]. [`CopyPlan`] copies a source without some of its pages.
//!
//! The modules [`http`], [`date`] and [`warc_write`] are shared with the crawler and the demo.
//!
//! ```
//! use std::sync::Arc;
//! use reprise_ingest::{BatchReader, Batches, InputConfig, Inputs, Item, RecordLimits};
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("rows.jsonl");
//! std::fs::write(&file, r#"{"url":"http://example.com/","html":"<p>Hello"}"#)?;
//!
//! let limits = RecordLimits { body_bytes: 1 << 20, header_bytes: 1 << 16, ratio: 300, nesting: 4 };
//! let config = InputConfig { base_url: None, spool_directory: directory.path().into(), passed_by: Vec::new(), limits };
//! let inputs = Inputs::open(&[file.to_string_lossy().into_owned()], &config)?;
//! let sources: Arc<[_]> = inputs.sources.clone().into();
//! let mut batches = Batches::new(sources.clone(), limits);
//! let mut reader = BatchReader::new(sources, limits);
//! let mut urls = Vec::new();
//! while let Some(batch) = batches.next_batch() {
//!     reader.read(&batch, None, &mut |_source, item| {
//!         if let Item::Page(page) = item {
//!             urls.push(page.url.to_owned());
//!         }
//!     });
//! }
//! assert_eq!(urls, ["http://example.com/"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arc;
mod batch;
mod bomb;
mod charset;
mod content;
mod copy;
pub mod date;
mod error;
mod fields;
mod frame;
pub mod http;
mod identity;
mod inflate;
mod input;
mod limits;
mod mail;
mod maildir;
mod media;
mod member;
mod name;
mod overlong;
mod page;
mod page_url;
mod parquet_rows;
mod problem;
mod read_back;
mod record;
mod row;
mod source;
mod split;
mod spool;
mod stream;
mod stream_view;
mod tables;
mod wacz;
mod walk;
mod warc;
pub mod warc_write;

pub use batch::{BATCH_BYTES, Batch, BatchProgress, BatchReader, Batches};
pub use copy::{CopyPlan, IsDropped};
pub use date::{format_date, parse as parse_date};
pub use error::{BaseUrlError, InputError, RecordTooLarge};
pub(crate) use frame::Framing;
pub use identity::WHOLE_BYTES;
pub use input::{InputConfig, Inputs, is_stream};
pub use limits::{RATIO_FREE_BYTES, RecordLimit, RecordLimits};
pub use name::{is_of_stream, name_of, path_of};
pub use page::{Item, Page, Sink, read_file, read_response};
pub use page_url::check_base_url;
pub use problem::{Example, Problem, ProblemKind, Tally};
pub use read_back::read_back;
pub use record::{Place, RecordKind};
pub use source::Source;
pub use split::BlockExtent;
