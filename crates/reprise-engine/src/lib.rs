//! Reprise finds copied content in web-size piles of pages; this crate is the guided tour of its library.
//!
//! The data flow, and where to read on:
//!
//! ```text
//! archives --> ingest --> text --> fingerprint --> store
//!              pages      chunks   20 bytes each   corpus of segments
//!
//! corpus --> discover --> labels --> detect --> pages, neighbourhoods, sites --> report
//! ```
//!
//! - [`ingest`] reads archives into pages.
//! - [`text`] cuts pages into chunks and gives each its normal form.
//! - [`fingerprint`] hashes chunks and files.
//! - [`store`] keeps it all as a corpus on disk.
//! - [`index()`] runs the four on all cores, within a bound of memory.
//! - [`discover`] counts over all segments and labels what occurs too often; or makes labels of named pages.
//! - [`detect`] tells which pages and neighbourhoods hold what is labelled.
//! - [`shingle`] samples the words of a page; [`near`] finds near-copies with it and proves them on the
//!   phrases that [`ArchivePhrases`] reads back; [`Phrases`] finds what many pages share and who gave it.
//! - [`imatch`] tells campaigns by the terms of a lexicon, whatever noise is around them: [`ArchiveSignatures`].
//! - [`check()`] looks up one page; [`shared_chunks`] puts two side by side.
//! - [`report`] gathers it all, with the evidence read back ([`read_page`]).
//! - [`drop_pages`] copies archives without the pages that are near-copies of others.
//! - [`lab`] measures on the pages of a corpus how hard each method is to evade, and how often it is wrong.
//! - [`verify_archives`] reads every page of a corpus again from its archive.
//!
//! ```
//! use reprise_engine::ingest::{InputConfig, Inputs, RecordLimits};
//! use reprise_engine::store::{CorpusWriter, Wanted};
//! use reprise_engine::{IndexConfig, index};
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("pages.jsonl");
//! std::fs::write(&file, r#"{"url":"http://example.com/","html":"<p>One<p>Two"}"#)?;
//!
//! let limits = RecordLimits { body_bytes: 1 << 20, header_bytes: 1 << 16, ratio: 300, nesting: 4 };
//! let inputs = Inputs::open(
//!     &[file.to_string_lossy().into_owned()],
//!     &InputConfig { base_url: None, spool_directory: directory.path().into(), passed_by: Vec::new(), limits },
//! )?;
//! let path = directory.path().join("corpus");
//! let mut corpus = CorpusWriter::open(&path, Wanted::default())?;
//! let config = IndexConfig { threads: 2, memory_bytes: 1 << 28, segment_bytes: 1 << 26, limits };
//! let stats = index(inputs, &mut corpus, &config, &())?;
//! assert_eq!((stats.pages, stats.chunks), (1, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive_reader;
mod archives;
mod check;
mod chunks;
mod drop;
mod evidence;
mod explain;
mod explain_phrases;
pub mod index;
pub mod lab;
mod phrase_reader;
mod phrases;
mod plain;
mod progress;
pub mod report;
mod signature_reader;
mod term_reader;
mod text_reader;

pub use archives::{ArchiveCheck, verify_archives};
pub use check::{Checked, CheckedMatch, CheckedSource, check};
pub use chunks::{TextChunk, chunks_of};
pub use drop::{DropConfig, DropError, DropStats, drop_pages};
pub use evidence::{PageText, find_pages, read_page};
pub use explain::{Shared, shared_chunks};
pub use explain_phrases::{SharedPhrases, shared_phrases};
pub use index::{IndexConfig, IndexStats, index};
pub use phrase_reader::ArchivePhrases;
pub use phrases::{PageCover, Phrases, PopularPhrase, Sample, SiteSummary};
pub use plain::plain_of;
pub use progress::Progress;
pub use signature_reader::ArchiveSignatures;
pub use text_reader::ArchiveTexts;

pub use reprise_convert as convert;
pub use reprise_crawl as crawl;
pub use reprise_detect as detect;
pub use reprise_discover as discover;
pub use reprise_fingerprint as fingerprint;
pub use reprise_fuzzy as fuzzy;
pub use reprise_imatch as imatch;
pub use reprise_ingest as ingest;
pub use reprise_lab as experiments;
pub use reprise_near as near;
pub use reprise_near::phrases as popular;
pub use reprise_shingle as shingle;
pub use reprise_store as store;
pub use reprise_text as text;
pub use reprise_url as url;
