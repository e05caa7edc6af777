//! How hard is it to evade us? The adversary of the paper, simulated.
//!
//! The attacker has a payload that is recognised by its signature, can change what is sent with it,
//! and sees after each attempt whether that was recognised still. An attempt is one change to the
//! bare payload: some words more, or one word less. Attempts do not depend on one another, so each
//! is made once ([`Attempts`]) and every run of a simulation draws from their results in an order of
//! its own.
//!
//! - [`knowledge`]: what the attacker tries, from what the attacker knows.
//! - [`insertion`]: words, alone or in a guessed context, are added to a payload.
//! - [`removal`]: words are taken out of several payloads to learn what the lexicon has.
//! - [`formulas`]: what the paper expects.

pub mod formulas;
pub mod insertion;
pub mod knowledge;
pub mod removal;
mod trials;

pub use insertion::{Attempts, Draw, Expected, Guess, Place};
pub use removal::Removals;
pub use trials::Trials;

/// Why there is nothing to attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AttackError {
    /// A payload without a signature is never recognised.
    #[error("payload {payload} has no signature: only {overlap} terms of the lexicon count in it")]
    NoSignature {
        /// Its place among the payloads, from zero.
        payload: usize,
        /// How many terms count.
        overlap: u32,
    },
    /// There are no payloads, words or runs.
    #[error("there is nothing to try: no {0}")]
    Nothing(&'static str),
}
