//! I-Match: documents with the same *lexicon terms* have the same signature, whatever else stands
//! in them and in whatever order; and how hard that is to evade.
//!
//! A lexicon is a secret choice of terms that tell what a document is about. The signature of a
//! document is the hash of those of its terms that are in the lexicon. To change it, an attacker must
//! hit the lexicon. That is too easy with blocks of ordinary words (*word salad*), so a term may be
//! asked to stand in a *context* in which it is known to be used: beside a neighbour that a tuning
//! corpus had beside it often enough (Kołcz and Chowdhury, *Hardening fingerprinting by context*).
//!
//! In reading order:
//!
//! - [`Terms`]: the words of a text that can count, by [`TermRules`].
//! - [`Statistics`]: in how many documents each term occurs; [`train_by_frequency`] and
//!   [`train_by_information`] choose a [`Lexicon`] from them. It has a file: [`lexicon_file`].
//! - [`Bigrams`]: counts the neighbours of lexicon terms; the frequent ones become [`Contexts`], which
//!   have a file too: [`contexts_file`]. [`coverage_by_top`] says how many are needed.
//! - [`Signer`]: makes [`Signatures`] with a lexicon, or a larger one where it finds too little, with
//!   contexts or without, and with randomised lexicons beside it.
//! - [`attack`]: the attacker, simulated, beside the formulas.
//! - [`noise`] and [`Fragmentation`]: campaigns with noise, and into how many pieces they fall.
//!
//! Everything is pure computation, and the same on every machine; random draws follow from seeds.
//!
//! ```
//! use reprise_imatch::{FrequencyConfig, Part, Signer, SignerConfig, Statistics, TermRules, Terms};
//! use reprise_imatch::train_by_frequency;
//!
//! let rules = TermRules {
//!     remove_invisible: true,
//!     fold_look_alikes: true,
//!     drop_numbers: true,
//!     chars_min: 2,
//!     chars_max: 30,
//! };
//! let mut statistics = Statistics::new(rules);
//! for text in ["cheap mortgage rates", "mortgage rates fell", "the cheap flight", "the news"] {
//!     statistics.add(&Terms::of(text, &rules), None);
//! }
//! let band = FrequencyConfig { ranks_skipped: 0, size_max: 1000, documents_min: 2, share_max: 0.5 };
//! let lexicon = train_by_frequency(&statistics, &band)?;
//! let config = SignerConfig { overlap_min: 2, randomised: None };
//! let signer = Signer::new(Part { lexicon: &lexicon, contexts: None }, None, config)?;
//!
//! let one = signer.sign(&Terms::of("Cheap, cheap! Our MORTGAGE is cheap", &rules));
//! let other = signer.sign(&Terms::of("a mortgage, so cheap: xzqj", &rules));
//! assert_eq!(one.terms, ["cheap", "mortgage"]);
//! assert!(one.primary.is_some() && one.matches(&other));
//! assert_eq!(signer.sign(&Terms::of("rates", &rules)).primary, None, "too few terms");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attack;
mod bigrams;
mod contexts;
pub mod contexts_file;
mod coverage;
pub mod defaults;
mod fold;
mod fragmentation;
mod lexicon;
pub mod lexicon_file;
mod lines;
pub mod noise;
mod random;
mod signer;
mod signing;
mod statistics;
mod terms;
mod train;
mod training;
mod vocabulary;

pub use crate::bigrams::{Bigrams, Neighbour};
pub use crate::contexts::{ContextConfig, ContextRule, Contexts, Covered, Side, Sides};
pub use crate::coverage::{CountCoverage, TopCoverage, coverage_by_count, coverage_by_top};
pub use crate::fragmentation::{Fragmentation, RateShare, Reduction, shares_by_rate};
pub use crate::lexicon::{Choice, Entry, Lexicon};
pub use crate::lines::FileError;
pub use crate::random::SplitMix64;
pub use crate::signer::{
    Part, RANDOMISED_MAX, Randomised, Signatures, Signer, SignerConfig, SignerError,
};
pub use crate::signing::{Signing, SigningOptions, SigningTerms};
pub use crate::statistics::{Class, Documents, Statistics};
pub use crate::terms::{TermRules, Terms};
pub use crate::train::{
    FrequencyConfig, InformationConfig, TrainError, information_nanobits, leaning,
    train_by_frequency, train_by_information,
};
pub use crate::training::{ContextSummary, TrainOptions, TrainSummary, choose_lexicon};
