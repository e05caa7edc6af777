//! Reads and writes corpora: directories of immutable segments, each a set of Parquet tables, and a
//! manifest that lists them.
//!
//! In reading order:
//!
//! 1. [`schema`] lists the tables and their columns.
//! 2. [`PageBatch`] holds the pages and chunks that a thread has read. A [`SegmentBuilder`] collects batches.
//! 3. [`CorpusWriter`] writes a builder as a segment. [`CorpusReader`] and [`Segment`] read segments.
//! 4. [`Merged`] reads the fingerprints of all segments as one sorted list.
//! 5. [`LabelsWriter`] and [`Labels`] write and read a label file: the fingerprints to look for, sorted.
//! 6. [`verify()`] checks every byte and every invariant of a corpus.
//!
//! ```
//! use reprise_fingerprint::HashKind;
//! use reprise_store::{CorpusReader, CorpusWriter, SegmentBuilder, SegmentFacts, SourceRow, RequestedSettings};
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("corpus");
//! let mut writer = CorpusWriter::open(&path, RequestedSettings::default())?;
//! let mut builder = SegmentBuilder::new();
//! builder.add_source(SourceRow {
//!     name: "empty.warc".to_owned(),
//!     format: "warc".to_owned(),
//!     bytes: 0,
//!     identity: HashKind::Sha256.fingerprint(b""),
//!     start: 0,
//!     end: 0,
//!     is_done: true,
//! });
//! writer.add_segment(&builder, SegmentFacts::default())?;
//! assert_eq!(CorpusReader::open(&path)?.segments().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aside;
mod batch;
mod builder;
mod checksum;
mod corpus;
mod distinct;
mod error;
mod held;
mod labels;
mod manifest;
mod merged;
mod page_file;
mod page_ref;
mod progress;
mod rank_set;
mod row_writer;
pub mod schema;
mod segment;
mod site_numbers;
mod sweep;
mod table;
mod url_index;
mod verify;
mod words;
mod write;

pub use aside::{Aside, STANDARD_OUTPUT, create_file, is_special};
pub use batch::{ChunkRow, NewFingerprint, PageBatch, PageRow, PageShingles, ProblemRow};
pub use builder::{SegmentBuilder, SourceRow};
pub use corpus::{CorpusReader, CorpusWriter, RequestedSettings, SegmentFacts, Settings};
pub use distinct::{count_distinct, count_sites};
pub use error::{Action, SettingName, StoreError, segment_of};
pub use held::HeldSources;
pub use labels::{
    LabelCursor, LabelReader, Labels, LabelsHeader, LabelsWriter, Origin, merge_labels,
};
pub use manifest::{FORMAT, FileSummary, Manifest, ProblemSummary, SegmentSummary};
pub use merged::{ALL_PREFIXES, Counted, Merged, MergedRow};
pub use page_ref::{PageRef, SegmentPages, page_names};
pub use progress::{Progress, Unit};
pub use rank_set::RankSet;
pub use row_writer::{Format, FormatError, RowWriter};
pub use segment::Segment;
pub use site_numbers::SiteNumbers;
pub use table::{
    GROUP_ROWS, IntScan, OptionalTexts, SHINGLE_GROUP_ROWS, TableReader, TableWriter, Text, Texts,
    Time, Value, Values,
};
pub use verify::{COUNTED_ONLY, Damage, verify, verify_with};
