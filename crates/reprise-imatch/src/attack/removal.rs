//! Words are removed from several payloads to learn what the lexicon has, and what is learned is
//! used against another payload.
//!
//! A payload's own lexicon words are soon found: remove a word, and see whether the signature
//! changes. They are of no use against that payload, which has them already, but against others. A
//! learned word is added to the target with the neighbours it had where it was learned.

use super::insertion::{Guess, Has, Place, joined, signed};
use super::{AttackError, Trials};
use crate::random::SplitMix64;
use crate::signer::Signer;
use crate::terms::Terms;

/// The result of every removal, and of every use of what it teaches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removals {
    words: Vec<Removal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Removal {
    /// The signature changes without this word.
    teaches: bool,
    /// The target has the word already, so it is not tried there.
    is_in_target: bool,
    /// The word changes the signature of the target.
    is_useful: bool,
}

impl Removals {
    /// Removes each word of each payload, and adds each word so learned to the target.
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

    /// Distinct words of all payloads, each counted in every payload that has it.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// How many of them teach something: the signature changes without them.
    pub fn learned(&self) -> usize {
        self.words.iter().filter(|word| word.teaches).count()
    }

    /// How many of those change the signature of the target.
    pub fn useful(&self) -> usize {
        self.words.iter().filter(|word| word.is_useful).count()
    }

    /// Runs the attack many times: a removal is an attempt, and so is trying on the target what it
    /// taught, until the target's signature changes.
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

/// A word with the neighbours of its first occurrence.
fn as_used(payload: &Terms, word: &str) -> Terms {
    let place = payload.iter().position(|some| some == word).unwrap_or(0);
    let neighbour = |place: Option<usize>| Some(payload.get(place?)?.to_owned());
    let guess = Guess {
        before: neighbour(place.checked_sub(1)),
        after: neighbour(place.checked_add(1)),
    };
    guess.around(word)
}
