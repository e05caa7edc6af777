//! Experiments that measure how hard each method of finding copies is to evade, and how often a
//! locality-sensitive hash takes different pages for copies.
//!
//! In reading order:
//!
//! - [`Page`]: a captured page, in the forms that methods compare.
//! - [`Edits`]: all edits of one [`EditKind`] that a page allows, in a random order. [`Vocabulary`] provides the
//!   words that edits insert.
//! - [`Method`]: a way of finding copies: [`FileHash`], [`ChunkHash`], [`Shingles`], [`FuzzyHash`], [`IMatch`]
//!   (with or without contexts; [`train`] makes its lexicon) and [`Nilsimsa`].
//! - [`evade()`]: makes more and more edits until each method misses the copy. [`summarize`] computes quartiles
//!   over pages.
//! - [`nilsimsa`]: the locality-sensitive hash.
//! - [`compare`]: compares a cryptographic hash with Nilsimsa on pairs of pages and counts the confusion matrix
//!   of the paper's table 1.
//! - [`EvadeOptions`] and [`CompareOptions`]: the options of both experiments; [`defaults`] has their default
//!   values.
//!
//! The results are the types [`Evasion`](reprise_report::Evasion) and
//! [`HashComparison`](reprise_report::HashComparison). All random choices follow from seeds.
//!
//! ```
//! use reprise_convert::Format;
//! use reprise_lab::{EditKind, Edits, Method, Outcome, Page, Reading, Shingles, Vocabulary, evade};
//! use reprise_text::Content;
//!
//! let reading = Reading { content: Content::Html, format: Format::Html };
//! let page = Page::new(reading, format!("<p>{}", "It was the best of times, ".repeat(20)));
//! let shingles = Shingles { similarity_min: 0.65 };
//! let finders = [shingles.finder(&page)];
//! let vocabulary = Vocabulary::of([]);
//! let trial = |kind| evade(&finders, kind, &Edits::of(&page, kind, &vocabulary, "a page", 1));
//! assert_eq!(trial(EditKind::Wrap).outcomes, [Outcome::Never]);
//! assert!(matches!(trial(EditKind::Replace).outcomes[..], [Outcome::Evaded { .. }]));
//! assert_eq!(trial(EditKind::Link).outcomes, [Outcome::Impossible]);
//! ```

pub mod compare;
pub mod defaults;
mod edits;
mod evade;
mod methods;
pub mod nilsimsa;
mod options;
mod page;
mod summary;
mod training;
mod vocabulary;

pub use crate::edits::{EditKind, Edits, ParseEditError};
pub use crate::evade::{Outcome, Trial, evade, finders};
pub use crate::methods::{
    ChunkHash, FileHash, Finder, FuzzyHash, IMatch, Method, MethodKind, Nilsimsa, ParseMethodError,
    Shingles,
};
pub use crate::options::{CompareOptions, EvadeOptions};
pub use crate::page::{Chunk, Page, Reading};
pub use crate::summary::{Tried, quartiles, summarize};
pub use crate::training::train;
pub use crate::vocabulary::Vocabulary;
