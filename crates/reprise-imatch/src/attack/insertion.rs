//! Adds words to a payload until its signature changes.

use super::formulas::{trials_context, trials_context_exact, trials_plain};
use super::{AttackError, Trials};
use crate::random::SplitMix64;
use crate::signer::{Signatures, Signer};
use crate::terms::Terms;

/// The place at which words are added to a payload.
///
/// The edge of a document is a context as well. The first added word takes that context from the payload,
/// which alone may change a hardened signature. To measure the effect of the words themselves, put noise
/// around the payload first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Before the payload.
    Start,
    /// After the payload.
    End,
}

/// A context that is tried for a word.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Guess {
    /// The word before it.
    pub before: Option<String>,
    /// The word after it.
    pub after: Option<String>,
}

/// How the guesses for one word are drawn. A word without a valid guess costs all its guesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// Each guess is drawn at most once, as a sensible attacker does.
    WithoutReplacement,
    /// A guess may be drawn again, as the paper's formula assumes.
    WithReplacement,
}

/// The results of all attempts on one payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempts {
    /// For each tried word, the number of guesses and the number of guesses that change the signature.
    words: Vec<(u32, u32)>,
}

/// The number of attempts that the formulas expect, and their parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// N: the number of words that can be tried because they are not in the payload.
    pub vocabulary: usize,
    /// L: the number of words with which an attempt can succeed.
    pub lexicon: usize,
    /// C: the mean number of guesses per word.
    pub guesses: f64,
    /// `p_h`: the mean share of valid guesses, over words with at least one valid guess.
    pub hit: f64,
    /// T: the mean number of words.
    pub words: f64,
    /// The mean number of attempts by the paper's formula.
    pub attempts: f64,
    /// The mean number of attempts if no guess is drawn twice.
    pub attempts_exact: f64,
}

impl Attempts {
    /// Tries each word alone. Words that are in the payload are not tried.
    pub fn with_words<'a>(
        signer: &Signer<'_>,
        payload: &Terms,
        place: Place,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, AttackError> {
        Self::with_guesses(signer, payload, place, words, |_| vec![Guess::default()])
    }

    /// Tries each word in each of its guessed contexts. Words that are in the payload are not tried.
    pub fn with_guesses<'a>(
        signer: &Signer<'_>,
        payload: &Terms,
        place: Place,
        words: impl IntoIterator<Item = &'a str>,
        mut guesses: impl FnMut(&str) -> Vec<Guess>,
    ) -> Result<Self, AttackError> {
        let target = signed(signer, payload, 0)?;
        let has = Has::new(payload);
        let mut results = Vec::new();
        for word in words {
            if has.has(word) {
                continue;
            }
            let guesses = guesses(word);
            let hits = guesses.iter().filter(|guess| {
                let block = guess.around(word);
                !signer
                    .sign(&joined(payload, &block, place))
                    .matches(&target)
            });
            results.push((guesses.len() as u32, hits.count() as u32));
        }
        if results.iter().all(|result| result.0 == 0) {
            return Err(AttackError::Nothing("words"));
        }
        Ok(Self { words: results })
    }

    /// Applies the formulas to the attempts. If [`Expected::lexicon`] is zero, no attempt can succeed.
    pub fn expected(&self) -> Expected {
        let vocabulary = self.words.len();
        let open: Vec<(f64, f64)> = self
            .words
            .iter()
            .filter(|word| word.1 > 0)
            .map(|&(guesses, hits)| (f64::from(guesses), f64::from(hits)))
            .collect();
        // The sum of no numbers is minus zero; adding zero makes it positive.
        let mean = |sum: f64, count: usize| sum / (count as f64).max(1.0) + 0.0;
        let all: f64 = self.words.iter().map(|word| f64::from(word.0)).sum();
        let guesses = mean(all, vocabulary);
        let hit = mean(open.iter().map(|word| word.1 / word.0).sum(), open.len());
        let words = trials_plain(vocabulary, open.len());
        Expected {
            vocabulary,
            lexicon: open.len(),
            guesses,
            hit,
            words,
            attempts: trials_context(words, guesses, hit),
            attempts_exact: trials_context_exact(words, guesses, hit * guesses),
        }
    }

    /// Runs the attack many times. Each run tries the words in random order, and the guesses of each word
    /// in random order, until the signature changes.
    pub fn simulate(&self, runs: usize, draw: Draw, seed: u64) -> Result<Trials, AttackError> {
        let mut random = SplitMix64::new(seed);
        let mut words = self.words.clone();
        let mut succeeded = 0;
        let attempts = (0..runs).map(|_| {
            let mut attempts = 0;
            for drawn in 0..words.len() {
                let (guesses, hits) = random.draw(&mut words, drawn);
                if hits > 0 {
                    succeeded += 1;
                    return attempts + until_hit(guesses, hits, draw, &mut random);
                }
                attempts += u64::from(guesses);
            }
            attempts
        });
        let attempts = attempts.collect();
        Trials::of(attempts, succeeded).ok_or(AttackError::Nothing("runs"))
    }
}

impl Guess {
    pub(super) fn around(&self, word: &str) -> Terms {
        let words = [self.before.as_deref(), Some(word), self.after.as_deref()];
        Terms::of_words(words.into_iter().flatten())
    }
}

/// Draws guesses until one is valid, and returns their number.
fn until_hit(guesses: u32, hits: u32, draw: Draw, random: &mut SplitMix64) -> u64 {
    let mut drawn = 1;
    let mut left = guesses;
    while random.below(left as usize) >= hits as usize {
        drawn += 1;
        if draw == Draw::WithoutReplacement {
            left -= 1;
        }
    }
    drawn
}

/// Adds a block of words to a payload.
pub(super) fn joined(payload: &Terms, block: &Terms, place: Place) -> Terms {
    let (first, second) = match place {
        Place::Start => (block, payload),
        Place::End => (payload, block),
    };
    let mut joined = first.clone();
    joined.extend(second);
    joined
}

/// Returns the signatures of payload number `number`, or an error if it has none.
pub(super) fn signed<'a>(
    signer: &Signer<'a>,
    payload: &Terms,
    number: usize,
) -> Result<Signatures<'a>, AttackError> {
    let signatures = signer.sign(payload);
    match signatures.primary {
        Some(_) => Ok(signatures),
        None => Err(AttackError::NoSignature {
            payload: number,
            overlap: signatures.overlap,
        }),
    }
}

/// The distinct words of a payload, sorted.
pub(super) struct Has<'a>(Vec<&'a str>);

impl<'a> Has<'a> {
    pub(super) fn new(terms: &'a Terms) -> Self {
        let mut words: Vec<&str> = terms.iter().collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }

    pub(super) fn words(&self) -> &[&'a str] {
        &self.0
    }
}
