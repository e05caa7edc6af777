//! Finds pages that are nearly the same, verifies every pair, and finds phrases that many pages share.
//!
//! In reading order:
//!
//! - [`Near`]: the methods, each with its own parameters; [`defaults`] has the default values.
//! - [`TextReader`]: reads the text of pages again, which the corpus does not store.
//! - [`near()`]: finds candidates, verifies them and makes clusters. Every page of a cluster was compared
//!   with its representative.
//! - [`write_clusters`]: writes the clusters as a table.
//! - [`phrases`]: phrases that many pages share, and the pages and sites that are made of them.
//!
//! ```text
//! shingles --sort by band--> candidates --all phrases--> verified pairs --keep--> clusters
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
