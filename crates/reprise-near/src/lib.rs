//! Finds pages that are nearly the same, proves it phrase by phrase, and says which one to keep.
//!
//! In reading order:
//!
//! - [`NearConfig`]: what counts as a near-copy, and which of them is kept.
//! - [`Bands`]: which pages are compared at all, and with what probability one is missed.
//! - [`near`]: candidates by sorting, verification on the phrases that a [`PhraseSource`] reads again,
//!   clusters in which every page was compared with the representative: [`Near`].
//! - [`near_fuzzy`]: the same by fuzzy hashes of plain text, for documents in any format ([`TextSource`]).
//! - [`near_imatch`]: by signatures of lexicon terms, for campaigns with noise ([`SignatureSource`]).
//! - [`write_clusters`]: the result as a table.
//! - [`KeptDocuments`]: a corpus without its near-copies, for those who look at phrases.
//!
//! ```text
//! shingles --sort by band--> candidates --all phrases--> verified pairs --keep--> clusters
//! ```

mod bands;
mod candidates;
mod clusters;
mod config;
mod documents;
mod exact;
mod fuzzy;
mod imatch;
mod kept;
mod near;
mod phrase_sets;
pub mod phrases;
mod sketches;
mod texts;
mod union;
mod write;

pub use bands::Bands;
pub use config::{
    Keep, Link, Method, NearConfig, SCORE_DEFAULT, SHARED_DEFAULT, SIMILARITY_DEFAULT,
};
pub use fuzzy::near_fuzzy;
pub use imatch::{SignatureSource, Signed, near_imatch};
pub use kept::KeptDocuments;
pub use near::{ClusterPage, Lost, Near, PhraseSource, near, near_given};
pub use texts::{GiveText, PlainText, TextSource};
pub use write::write_clusters;
