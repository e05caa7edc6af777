//! How many edits does it take until a copy is no longer found, by each method? And how often does a
//! method find what is none?
//!
//! In reading order:
//!
//! - [`Page`]: a page as it was captured, and what methods see of it.
//! - [`Edits`]: what somebody does to a copy, one [`EditKind`] at a time, in a seeded order; [`Vocabulary`]
//!   has the words that are put in.
//! - [`Method`]: does this still find the copy? [`FileHash`], [`ChunkHash`], [`Shingles`], [`FuzzyHash`],
//!   [`IMatch`] (plain or hardened by context, [`train`]ed on pages at hand) and [`Nilsimsa`].
//! - [`evade()`]: more and more edits until a method misses the copy; [`summarize`] has the quartiles.
//! - [`nilsimsa`]: the locality-sensitive hash itself.
//! - [`compare`]: cryptographic hashes beside Nilsimsa on all pairs of pages, as the confusion
//!   matrix of the paper's table 1.
//!
//! Everything is pure computation; what is drawn at random follows from seeds.
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
pub use crate::options::{CompareOptions, EvadeOptions, IMatchTerms};
pub use crate::page::{Chunk, Page, Reading};
pub use crate::summary::{Tried, quartiles, summarize};
pub use crate::training::train;
pub use crate::vocabulary::Vocabulary;
