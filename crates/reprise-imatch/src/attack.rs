//! Simulates the adversary of the paper and measures how hard signatures are to evade.
//!
//! The attacker has a payload that is recognised by its signature, can change the document that
//! carries it, and learns after each attempt whether the document was recognised. An attempt is one
//! change to the bare payload: some words more, or one word less. Attempts do not depend on one
//! another, so each is made once ([`Attempts`]), and every run of a simulation draws from the results
//! in a random order.
//!
//! - [`simulate`]: the whole experiment. It takes an [`AttackInput`] and [`AttackOptions`] and returns
//!   [`Attacks`].
//! - [`knowledge`]: the words and contexts that the attacker tries.
//! - [`insertion`]: adds words to a payload, alone or in a guessed context.
//! - [`removal`]: removes words from several payloads to learn lexicon terms.
//! - [`formulas`]: the numbers of attempts that the paper expects.

mod campaigns;
pub mod formulas;
pub mod insertion;
pub mod knowledge;
mod options;
pub mod removal;
mod results;
mod simulate;
mod trials;

use crate::signer::SignerError;

pub use campaigns::{Fragments, NoiseKind};
pub use insertion::{Attempts, Draw, Expected, Guess, Place};
pub use options::AttackOptions;
pub use removal::Removals;
pub use results::{AttackWords, Attacks, Defence, RemovalAttack, WordAttack};
pub use simulate::{AttackInput, simulate};
pub use trials::Trials;

/// The reason why an attack cannot be simulated. The input or the options are wrong in all cases.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AttackError {
    /// A payload has no signature, so it is never recognised.
    #[error("payload {payload} has no signature: only {overlap} terms of the lexicon count in it")]
    NoSignature {
        /// The index of the payload.
        payload: usize,
        /// The number of lexicon terms that count in the payload.
        overlap: u32,
    },
    /// The attack lacks payloads, words or runs.
    #[error("there is nothing to try: no {0}")]
    Nothing(&'static str),
    /// The attacker has neither good documents nor a dictionary.
    #[error("the attacker has no words; provide good documents or a dictionary")]
    NoWords,
    /// No document can be used as payload.
    #[error(
        "none of {documents} payload documents has a signature; lower the minimum number of terms or train on similar documents"
    )]
    NoPayload {
        /// The number of documents.
        documents: usize,
    },
    /// An option is outside its range.
    #[error("the attack option {option} must be from {min} to {max}, not {found}")]
    OutOfRange {
        /// The name of the field of [`AttackOptions`].
        option: &'static str,
        /// Its value.
        found: usize,
        /// The smallest allowed value.
        min: usize,
        /// The largest allowed value.
        max: usize,
    },
    /// The lexicon, the contexts and the signer's configuration do not fit together.
    #[error(transparent)]
    Signer(#[from] SignerError),
}
