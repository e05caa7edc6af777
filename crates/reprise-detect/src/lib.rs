//! Finds labelled content in a corpus: the labelled share of each page, neighbourhood and site, and the
//! pages that it comes from.
//!
//! In reading order:
//!
//! - [`DetectOptions`]: the thresholds, and the pages and neighbourhoods that count. [`defaults`] has the
//!   default values.
//! - [`detect()`]: compares a corpus with labels.
//! - [`prefixes`]: finds the neighbourhoods of a URL.
//!
//! ```text
//! labels + fingerprints --SegmentLabels--> labelled ranks --scan of chunks--> share of each page
//! pages sorted by URL --Pass--> every neighbourhood at every level
//! ```
//!
//! Labels and fingerprints are both sorted, so one merge finds the labelled ranks of a segment without a
//! hash table.
//!
//! ```
//! use reprise_chunk::{Label, Level};
//! use reprise_detect::{DetectOptions, detect};
//! use reprise_store::{Labels, LabelsHeader, LabelsWriter, Origin};
//! # use reprise_fingerprint::HashKind;
//! # use reprise_store::{
//! #     ChunkRow, CorpusReader, CorpusWriter, NewFingerprint, PageBatch, PageRow, RequestedSettings,
//! #     SegmentBuilder, SegmentFacts,
//! # };
//! # let directory = tempfile::tempdir()?;
//! # let [copied, other] = ["copied", "other"].map(|text| HashKind::Sha256.fingerprint(text.as_bytes()));
//! # let mut builder = SegmentBuilder::new();
//! # builder.append(&PageBatch {
//! #     pages: vec![PageRow { url: "http://a.example/".to_owned(), chunks: 2, ..PageRow::default() }],
//! #     fingerprints: [copied, other].map(|fingerprint| NewFingerprint { fingerprint, chars: 40, is_visible: true }).to_vec(),
//! #     chunks: vec![ChunkRow { fingerprint: 0, start: 0, length: 40 }, ChunkRow { fingerprint: 1, start: 40, length: 40 }],
//! #     ..PageBatch::default()
//! # });
//! # let mut writer = CorpusWriter::open(&directory.path().join("corpus"), RequestedSettings::default())?;
//! # writer.add_segment(&builder, SegmentFacts::default())?;
//! // This corpus has one page with two chunks. One of the chunks has the fingerprint `copied`.
//! let corpus = CorpusReader::open(&directory.path().join("corpus"))?;
//! let path = directory.path().join("labels");
//! let header = LabelsHeader::new(corpus.chunk_settings(), Origin::Informed, 1);
//! let mut labels = LabelsWriter::create(&path, &header)?;
//! labels.push(Label::new(copied, Level::Chunk))?;
//! labels.finish()?;
//!
//! let labels = Labels::open(&path)?;
//! let found = detect(&corpus, &labels, &DetectOptions::default(), 64 << 20, None, &())?;
//! assert_eq!(found.pages.top[0].url, "http://a.example/");
//! assert_eq!(found.pages.top[0].contains, Some(0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod defaults;
mod detection;
mod neighborhoods;
mod options;
mod pages;
mod prefix;
mod segment_labels;
mod share;
mod sorted_runs;
mod sources;

pub use detection::{TABLES, detect};
pub use options::{DetectOptions, ParseShareThresholdError, ShareThreshold};
pub use prefix::prefixes;
pub use share::HISTOGRAM_BINS;
