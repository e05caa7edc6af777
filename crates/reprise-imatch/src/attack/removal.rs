//! Removes words from several payloads to learn lexicon terms, and uses them against another payload.
//!
//! The lexicon terms of a payload are easy to find: remove a word and observe whether the signature
//! changes. They are useless against that payload, which contains them already, but useful against
//! others. A learned word is added to the target with the neighbours that it has in the payload it was
//! learned from.

use super::insertion::{Guess, Has, Place, joined, signed};
use super::{AttackError, Trials};
use crate::random::SplitMix64;
use crate::signer::Signer;
use crate::terms::Terms;

/// The results of all removals, and of all uses of the learned words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removals {
    words: Vec<Removal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Removal {
    /// True if the signature of the payload changes without the word.
    teaches: bool,
    /// True if the target contains the word, so that it is not tried there.
    is_in_target: bool,
    /// True if the word changes the signature of the target.
    is_useful: bool,
}

impl Removals {
    /// Removes each word of each payload, and adds each learned word to the target.
    pub fn new(
        signer: &Signer<'_>,
        payloads: &[Terms],
        target: &Terms,
        place: Place,
    ) -> Result<Self, AttackError> {
        let target_signed = signed(signer, target, payloads.len())?;
        let target_has = Has::new(target);
        let mut words = Vec::new();
        for (number, payload) in payloads.iter().enumerate() {
            let payload_signed = signed(signer, payload, number)?;
            for &word in Has::new(payload).words() {
                let without = Terms::of_words(payload.iter().filter(|&some| some != word));
                let teaches = !signer.sign(&without).matches(&payload_signed);
                let is_in_target = target_has.has(word);
                let is_useful = teaches && !is_in_target && {
                    let block = as_used(payload, word);
                    let changed = signer.sign(&joined(target, &block, place));
                    !changed.matches(&target_signed)
                };
                words.push(Removal {
                    teaches,
                    is_in_target,
                    is_useful,
                });
            }
        }
        if words.is_empty() {
            return Err(AttackError::Nothing("payloads"));
        }
        Ok(Self { words })
    }

    /// Returns the number of distinct words of each payload, added up.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of words whose removal changes a signature.
    pub fn learned(&self) -> usize {
        self.words.iter().filter(|word| word.teaches).count()
    }

    /// Returns the number of learned words that change the signature of the target.
    pub fn useful(&self) -> usize {
        self.words.iter().filter(|word| word.is_useful).count()
    }

    /// Runs the attack many times, until the signature of the target changes. A removal is an attempt,
    /// and so is adding the learned word to the target.
    pub fn simulate(&self, runs: usize, seed: u64) -> Result<Trials, AttackError> {
        let mut random = SplitMix64::new(seed);
        let mut words = self.words.clone();
        let mut succeeded = 0;
        let attempts = (0..runs).map(|_| {
            let mut attempts = 0;
            for drawn in 0..words.len() {
                let word = random.draw(&mut words, drawn);
                attempts += 1 + u64::from(word.teaches && !word.is_in_target);
                if word.is_useful {
                    succeeded += 1;
                    break;
                }
            }
            attempts
        });
        let attempts = attempts.collect();
        Trials::of(attempts, succeeded).ok_or(AttackError::Nothing("runs"))
    }
}

/// Returns a word between the neighbours of its first occurrence.
fn as_used(payload: &Terms, word: &str) -> Terms {
    let place = payload.iter().position(|some| some == word).unwrap_or(0);
    let neighbour = |place: Option<usize>| Some(payload.get(place?)?.to_owned());
    let guess = Guess {
        before: neighbour(place.checked_sub(1)),
        after: neighbour(place.checked_add(1)),
    };
    guess.around(word)
}
