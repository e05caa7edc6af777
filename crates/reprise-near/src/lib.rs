//! Finds pages that are nearly the same, verifies every pair, and finds phrases that many pages share.
//!
//! In reading order:
//!
//! - [`Near`]: the methods, each with its parameters. [`defaults`] has the default values.
//! - [`TextReader`]: reads the text of pages from their archives, because a corpus does not store text.
//! - [`near()`]: finds candidates, verifies them and makes clusters. Every page of a cluster was compared
//!   with its representative. [`near_given`] does the same for documents in memory.
//! - [`write_clusters`]: writes the clusters as a table.
//! - [`phrases`]: finds phrases that many pages share, and the pages and sites that are made of them.
//!
//! ```text
//! shingles --sort by band--> candidates --all phrases--> verified pairs --keep--> clusters
//! ```
//!
//! ```
//! use reprise_fingerprint::HashKind;
//! use reprise_near::{
//!     Keep, Link, NearContext, PageText, TextForm, TextReader, Unreadable, near_given,
//! };
//! use reprise_shingle::Shingler;
//! use reprise_store::{PageRef, PageShingles, StoreError};
//!
//! struct Texts([&'static str; 3]);
//!
//! impl TextReader for Texts {
//!     fn read<T: Send, M: FnMut(PageText<'_>) -> T>(
//!         &self,
//!         pages: &[PageRef],
//!         _: TextForm,
//!         maker: impl Fn() -> M + Sync,
//!         mut give: impl FnMut(usize, Result<Option<T>, Unreadable>) -> Result<(), StoreError>,
//!     ) -> Result<(), StoreError> {
//!         let mut make = maker();
//!         pages.iter().enumerate().try_for_each(|(index, page)| {
//!             let text = self.0[page.page as usize];
//!             give(index, Ok(Some(make(PageText::Plain(text)))))
//!         })
//!     }
//! }
//!
//! let texts = Texts([
//!     "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
//!     "one two three four five six seven eight nine ten eleven twelve thirteen fourteen sixteen",
//!     "row row row your boat gently down the stream",
//! ]);
//! let shingles = texts.0.map(|text| {
//!     let mut shingler = Shingler::new();
//!     shingler.add(text);
//!     PageShingles::of(&mut shingler, HashKind::Sha256)
//! });
//! let context = NearContext {
//!     keep: Keep::First,
//!     memory_bytes: 64 << 20,
//!     temporary: &std::env::temp_dir(),
//!     progress: &(),
//! };
//! let found = near_given(&shingles, Link::Verified { similarity: 0.5 }, &texts, &context)?;
//! // Ten of the twenty different phrases of the first two texts are in both.
//! let pages: Vec<(u32, f64)> = found.rows.iter().map(|row| (row.page.page, row.similarity)).collect();
//! assert_eq!(pages, [(0, 1.0), (1, 0.5)]);
//! # Ok::<(), reprise_near::NearError>(())
//! ```

mod bands;
mod candidates;
mod clusters;
pub mod defaults;
mod documents;
mod exact;
mod fuzzy;
mod imatch;
mod kept;
mod near;
mod options;
mod phrase_sets;
pub mod phrases;
mod reader;
mod shingle;
mod sketches;
mod union;
mod write;

pub use bands::Bands;
pub use kept::KeptDocuments;
pub use near::{ClusterPage, NearFound, near, near_given};
pub use options::{Keep, Link, Near, NearContext, NearError, ParseKeepError};
pub use reader::{PageText, TextForm, TextReader, UnreadPages, Unreadable};
pub use write::write_clusters;
