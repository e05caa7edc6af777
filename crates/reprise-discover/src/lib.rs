//! Finds content that occurs too often in a corpus, and makes labels from it or from given pages.
//!
//! In reading order:
//!
//! - [`DiscoverOptions`]: chunks or files, the count, and the threshold. [`defaults`] has the default values.
//! - [`discover()`]: counts over all segments and writes labels (blind discovery).
//! - [`label()`]: makes labels from all content of given pages (informed discovery).
//! - [`occurrences()`]: finds pages on different sites that have given fingerprints.
//! - [`category()`]: guesses the purpose of a chunk.
//!
//! A chunk may be rare in every segment and frequent in the corpus, so segments cannot be counted one
//! by one. The sorted fingerprints of all segments are merged, one range that fits in memory at a time.
//! The chunks of each candidate are then scanned for its sites and its first page.
//!
//! ```
//! use reprise_discover::{DiscoverOptions, Threshold, discover};
//! # use reprise_fingerprint::HashKind;
//! # use reprise_store::{
//! #     ChunkRow, CorpusReader, CorpusWriter, NewFingerprint, PageBatch, PageRow, RequestedSettings,
//! #     SegmentBuilder, SegmentFacts,
//! # };
//! # let directory = tempfile::tempdir()?;
//! # let page = |site: &str| PageRow { site: site.into(), chunks: 1, ..PageRow::default() };
//! # let chunk = ChunkRow { fingerprint: 0, start: 0, length: 40 };
//! # let fingerprint = HashKind::Sha256.fingerprint(b"copied text");
//! # let mut builder = SegmentBuilder::new();
//! # builder.append(&PageBatch {
//! #     pages: vec![page("a.example"), page("b.example")],
//! #     fingerprints: vec![NewFingerprint { fingerprint, chars: 40, is_visible: true }],
//! #     chunks: vec![chunk; 2],
//! #     ..PageBatch::default()
//! # });
//! # let mut writer = CorpusWriter::open(directory.path(), RequestedSettings::default())?;
//! # writer.add_segment(&builder, SegmentFacts::default())?;
//! // Two pages of this corpus have the same chunk.
//! let corpus = CorpusReader::open(directory.path())?;
//! let options = DiscoverOptions {
//!     threshold: Threshold::Number(1),
//!     ..DiscoverOptions::default()
//! };
//! let found = discover(&corpus, &options, 64 << 20, None, &())?;
//! assert_eq!((found.distinct, found.labeled), (1, 1));
//! assert_eq!(found.top[0].sites, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod category;
mod chunks;
pub mod defaults;
mod discovery;
mod files;
mod informed;
mod occurrences;
mod options;

pub use category::{Category, category};
pub use discovery::discover;
pub use informed::{Labeled, label};
pub use occurrences::{Occurrence, occurrences};
pub use options::{DiscoverOptions, ParseThresholdError, Threshold};
