//! Finds copies of a document by I-Match signatures, and measures how hard they are to evade.
//!
//! A *lexicon* is a secret choice of terms that characterise the subject of a document. The *signature*
//! of a document is the hash of its distinct terms that are in the lexicon. Other words, the order of the
//! words and repetitions do not matter. To change the signature, an attacker must add or remove a lexicon
//! term. Blocks of random words (*word salad*) easily contain one. Therefore a term can be required to
//! occur in a valid *context*: next to a neighbour that occurred there often enough in a tuning corpus
//! (Kołcz and Chowdhury, *Hardening fingerprinting by context*).
//!
//! In reading order:
//!
//! - [`Terms`]: the words of a text that can count, by [`TermRules`].
//! - [`Statistics`]: the number of documents that contain each term. [`choose_lexicon`] chooses a
//!   [`Lexicon`] from them, by [`TrainOptions`]. [`lexicon_file`] describes its file.
//! - [`Bigrams`]: counts the neighbours of lexicon terms. The frequent ones become [`Contexts`].
//!   [`contexts_file`] describes their file, and [`coverage_by_top`] computes how many are needed.
//! - [`Signer`]: computes [`Signatures`] with a lexicon, optionally with contexts, with a second lexicon
//!   for documents that contain too few terms of the first, and with randomised lexicons.
//! - [`attack`]: simulates attackers and compares the results with the paper's formulas.
//! - [`noise`] and [`Fragmentation`]: generate campaigns with noise and count their fragments.
//! - [`defaults`]: the default values of all options.
//!
//! The crate does no I/O. Results are the same on every machine, and random draws depend only on seeds.
//! The feature `serde` implements `Serialize` for the results of training and attacks.
//!
//! ```
//! use reprise_imatch::{Part, Signer, SignerConfig, Statistics, TermRules, Terms};
//! use reprise_imatch::{TrainOptions, choose_lexicon};
//!
//! let rules = TermRules::DEFAULT;
//! let mut statistics = Statistics::new(rules);
//! for text in ["cheap mortgage rates", "mortgage rates fell", "the cheap flight", "the news"] {
//!     statistics.add(&Terms::of(text, &rules), None);
//! }
//! let lexicon = choose_lexicon(&statistics, &TrainOptions::default())?;
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
