//! Turns a page into chunks with fingerprints, decides which chunks count, and checks a page against
//! labels.
//!
//! In reading order:
//!
//! - [`ChunkSettings`]: the hash function and the chunk form of a corpus.
//! - [`chunks()`]: cuts a text into [`Chunk`]s with fingerprints.
//! - [`ChunkHasher`]: hashes pieces of pages. It is the core of [`chunks()`], for programs that cut millions
//!   of pages and remember the pieces that they have seen.
//! - [`StopRules`]: decide which chunks do not count.
//! - [`LabelLookup`]: finds [`Label`]s by fingerprint, in a file or in a hash map.
//! - [`check()`]: checks one page against labels.
//!
//! The crate does no I/O and builds for WebAssembly.
//!
//! ```
//! use std::collections::HashMap;
//!
//! use reprise_chunk::{Label, Level, PageView, ChunkSettings, StopRules, check, chunks};
//! use reprise_text::Content;
//!
//! let settings = ChunkSettings::default();
//! let original = "<p>Welcome to the bank<p>Sign in with your card number";
//! let mut labels: HashMap<_, Vec<Label>> = HashMap::new();
//! for chunk in chunks(Content::Html, original, settings) {
//!     let mut label = Label::new(chunk.fingerprint, Level::Chunk);
//!     label.url = "https://bank.example/login".to_owned();
//!     label.site = "bank.example".to_owned();
//!     labels.entry(chunk.fingerprint).or_default().push(label);
//! }
//! let copy = "<p>Hello<p>Sign in with your card number";
//! let page = PageView { url: "https://other.example/", body: copy.as_bytes(), text: Some((Content::Html, copy)) };
//! let checked = check(&page, &mut labels, settings, &StopRules::default())?;
//! assert!(checked.is_copy);
//! assert_eq!((checked.matched, checked.chunks), (1, 2));
//! # Ok::<(), std::convert::Infallible>(())
//! ```

mod check;
mod chunks;
mod hasher;
mod labels;
mod settings;
mod stop;

pub use check::{Checked, CheckedMatch, CheckedSource, PageView, check};
pub use chunks::{Chunk, chunks};
pub use hasher::ChunkHasher;
pub use labels::{Label, LabelLookup, Level, ParseLevelError};
pub use settings::ChunkSettings;
pub use stop::{ParseStopListError, StopCounts, StopReason, StopRules};
