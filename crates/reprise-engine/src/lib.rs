//! Finds copied content in web-size collections of pages: what was copied, where, how much, by whom, with the
//! evidence.
//!
//! [`Corpus`] is the centre. A corpus holds the fingerprints of all chunks of all pages, and each stage is a
//! method that returns one plain result:
//!
//! ```text
//! archives --index--> corpus --discover--> labels --detect--> pages, neighbourhoods, sites
//!                        |
//!                        +--near--> clusters of near-copies --drop_pages--> archives without them
//!                        +--phrases, sources, sites--> who has whose words
//!                        +--report--> everything, as one HTML page
//! ```
//!
//! ```
//! use reprise_engine::{Corpus, IndexOptions, Near, NearOptions, Settings};
//!
//! let directory = tempfile::tempdir()?;
//! let pages = directory.path().join("pages.jsonl");
//! std::fs::write(&pages, concat!(
//!     r#"{"url":"http://a.example/","html":"<p>All happy families are alike."}"#, "\n",
//!     r#"{"url":"http://b.example/","html":"<p>All happy families are <b>alike</b>!"}"#, "\n",
//! ))?;
//!
//! let settings = Settings { shingles: true, ..Settings::default() };
//! let mut corpus = Corpus::create(directory.path().join("corpus"), settings)?;
//! let inputs = [pages.to_string_lossy().into_owned()];
//! let indexed = corpus.index(&inputs, &IndexOptions::default(), &())?;
//! assert_eq!(indexed.pages, 2);
//!
//! let found = corpus.near(&Near::default(), &NearOptions::default(), None, &())?;
//! assert_eq!((found.copies.clusters, found.copies.removable), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The stages
//!
//! | stage | function | result |
//! |---|---|---|
//! | read archives | [`Corpus::index`] | [`IndexSummary`] |
//! | find what occurs too often | [`Corpus::discover`] | [`results::Discovery`], [`Labels`] |
//! | make labels of known pages | [`label_pages`] | [`LabelSummary`], [`Labels`] |
//! | find labelled content | [`Corpus::detect`] | [`results::Detection`] |
//! | check single pages | [`Checker`] | [`Checked`] |
//! | find near-copies | [`Corpus::near`] | [`NearFound`] |
//! | find phrases of many pages | [`Corpus::phrases`], [`Corpus::sources`], [`Corpus::sites`] | [`results`] |
//! | compare two pages | [`Corpus::explain`] | [`results::Explanation`] |
//! | everything | [`scan`], [`Corpus::report`] | [`results::Report`], HTML |
//! | remove near-copies | [`drop_pages`] | [`DropSummary`], archives |
//! | find campaigns | [`train`], [`sign_documents`], [`Near::Imatch`] | [`Trained`], [`NearFound`] |
//!
//! # Conventions
//!
//! - Options implement `Default`; [`defaults`] holds the values.
//! - [`Resources`] limits the memory and the threads of every operation.
//! - Long operations take a [`Progress`], which can cancel them; `&()` does neither. A cancelled operation
//!   leaves the corpus intact, and a later run continues.
//! - Errors are values of [`Error`]. Wrong options and wrong input never panic.
//! - The same input and settings give the same bytes, for any number of threads.
//!
//! # Features
//!
//! All are on by default. A program that only checks pages needs none of them, and then builds neither a
//! TLS stack nor converters.
//!
//! - `convert`: plain text of PDF, DOCX, ODT, RTF, EPUB and Markdown documents.
//! - `crawl`: fetches pages and sites.
//! - `lab`: experiments.
//! - `report`: HTML pages.
//! - `serde`: results implement `Serialize`.

mod archives;
mod check;
mod convert;
mod corpus;
#[cfg(feature = "crawl")]
mod crawl;
pub mod defaults;
mod detect;
mod directories;
mod discover;
mod drop;
mod error;
mod explain;
mod export;
#[cfg(feature = "convert")]
mod fuzzy;
mod imatch;
mod index;
#[cfg(feature = "lab")]
pub mod lab;
mod near;
mod phrases;
mod problems;
mod remove;
mod repair;
mod report;
mod resources;
mod result_file;
#[cfg(feature = "report")]
mod scan;
mod temporary;
mod verify;
#[cfg(feature = "report")]
mod write;

pub use check::{CheckSession, CheckedItem, Checker};
pub use convert::ConvertOptions;
pub use corpus::Corpus;
#[cfg(feature = "crawl")]
pub use crawl::{Crawled, crawl_into};
pub use directories::corpus_of;
pub use discover::{LabelOptions, LabelSummary, label_pages, stop_rules};
pub use drop::{DropError, DropOptions, DropSummary, drop_pages};
pub use error::{Error, Fault};
pub use explain::ExplainWith;
pub use export::{ExportTable, Exported, export_file};
#[cfg(feature = "convert")]
pub use fuzzy::{DigestFileError, DigestList, DigestMatch, digest_text};
pub use imatch::{
    AttackInputs, ClassesError, SignSummary, SignedDocument, SigningFiles, TrainInputs, Trained,
    sign_documents, simulate_attacks, train,
};
pub use index::{ChangedSources, IndexOptions, IndexSummary, LimitOptions, SourceCounts};
pub use near::NearOptions;
pub use remove::{Removal, RemoveOptions, SegmentInfo};
pub use report::{CampaignOptions, ReportOptions};
pub use resources::Resources;
pub use result_file::ResultFile;
#[cfg(feature = "report")]
pub use scan::{Scan, ScanOptions, scan};
pub use verify::{Verification, VerifyOptions, verify_corpus};
#[cfg(feature = "report")]
pub use write::{
    render, render_attacks, render_evasion, render_hash_comparison, render_side_by_side,
    write_file, write_report,
};

#[doc(inline)]
pub use reprise_chunk::{
    Checked, CheckedMatch, CheckedSource, ChunkSettings, Label, LabelLookup, Level, PageView,
    StopRules,
};
#[cfg(feature = "convert")]
#[doc(inline)]
pub use reprise_convert::PdfTool;
#[doc(inline)]
pub use reprise_detect::{DetectOptions, ShareThreshold};
#[doc(inline)]
pub use reprise_discover::{DiscoverOptions, Threshold};
#[doc(inline)]
pub use reprise_fingerprint::{Fingerprint, HashKind};
#[doc(inline)]
pub use reprise_near::phrases::{PhraseOptions, SampleOptions};
#[doc(inline)]
pub use reprise_near::{Bands, ClusterPage, Keep, Link, Near, NearFound};
#[doc(inline)]
pub use reprise_report::{numbers, results};
#[doc(inline)]
pub use reprise_store::{
    Format, Labels, PageRef, Progress, RequestedSettings, Settings, StoreError, Unit,
};
#[doc(inline)]
pub use reprise_sys::raise_open_file_limit;
#[doc(inline)]
pub use reprise_text::{ChunkForm, Content};

/// Converters of documents to plain text.
#[cfg(feature = "convert")]
pub use reprise_convert as converter;
/// The crawler.
#[cfg(feature = "crawl")]
pub use reprise_crawl as crawler;
/// Fuzzy hashes, compatible with ssdeep.
pub use reprise_fuzzy as fuzzy_hashes;
/// I-Match: terms, lexicons, contexts, signatures and attacks.
pub use reprise_imatch as signatures;
/// The names of inputs, and the parser of archives.
pub use reprise_ingest as ingest;
/// Corpora on disk, table by table.
pub use reprise_store as store;
