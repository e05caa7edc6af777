//! The result of the attack experiment.

use std::fmt;

use super::{Fragments, Trials};

/// The result of [`simulate`](super::simulate).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attacks {
    /// The number of terms of the attacked payload.
    pub payload_terms: usize,
    /// The number of terms of the lexicon.
    pub lexicon: usize,
    /// The attacks that add words to the payload.
    pub attacks: Vec<WordAttack>,
    /// The attacks that remove words from other payloads.
    pub removals: Vec<RemovalAttack>,
    /// The fragmentation of campaigns, one row for each kind and amount of noise.
    pub fragmentation: Vec<Fragments>,
}

/// An attack that adds words to a payload until its signature changes.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WordAttack {
    /// The origin of the words.
    pub words: AttackWords,
    /// The attacked kind of signature.
    pub defence: Defence,
    /// N: the number of words that can be tried.
    pub vocabulary: usize,
    /// L: the number of words with which an attempt can succeed.
    pub lexicon: usize,
    /// C: the mean number of guesses per word.
    pub guesses: f64,
    /// `p_h`: the mean share of guesses that succeed, over words with at least one such guess.
    pub hit: f64,
    /// The mean number of attempts by the paper's formula, or `None` if no attempt can succeed.
    pub formula: Option<f64>,
    /// The mean number of attempts if no guess is drawn twice, or `None` if no attempt can succeed.
    pub formula_exact: Option<f64>,
    /// The attempts of the simulated runs.
    pub simulated: Trials,
}

/// An attack that removes words from other payloads to learn lexicon terms.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RemovalAttack {
    /// The attacked kind of signature.
    pub defence: Defence,
    /// The number of other payloads.
    pub payloads: usize,
    /// The number of distinct words of each of them, added up.
    pub words: usize,
    /// The number of words whose removal changes a signature.
    pub learned: usize,
    /// The number of learned words that change the signature of the attacked payload.
    pub useful: usize,
    /// The attempts of the simulated runs.
    pub simulated: Trials,
}

/// A kind of signature that is attacked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Defence {
    /// A signature by the lexicon alone.
    Plain,
    /// A signature by the lexicon and the contexts of its terms.
    Hardened,
}

/// The origin of the words that an attacker adds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttackWords {
    /// Words of a dictionary.
    Dictionary,
    /// The most telling words of good documents.
    Good,
    /// The words that a lexicon trained on the attacker's documents has.
    LikeCorpus,
    /// The words of [`AttackWords::LikeCorpus`], each in contexts that the attacker guesses.
    GuessedContexts,
}

impl fmt::Display for Defence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Hardened => "hardened",
        })
    }
}

impl fmt::Display for AttackWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dictionary => "dictionary words",
            Self::Good => "good words",
            Self::LikeCorpus => "words of a like corpus",
            Self::GuessedContexts => "the same in guessed contexts",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Defence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for AttackWords {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
