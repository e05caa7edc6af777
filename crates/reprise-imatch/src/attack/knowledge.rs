//! Chooses the words and contexts that the attacker tries, by what the attacker knows.
//!
//! - An attacker who knows nothing tries the words of a dictionary.
//! - [`words_in_band`]: the attacker has a similar corpus and knows the approximate lexicon size.
//! - [`good_words`]: the attacker knows which documents pass as good.
//! - [`guesses`]: the attacker knows how words are used in a similar corpus.

use std::cmp::Reverse;

use super::insertion::Guess;
use crate::bigrams::{Bigrams, Neighbour};
use crate::contexts::{Side, Sides};
use crate::lexicon::Lexicon;
use crate::statistics::{Class, Statistics};
use crate::train::{
    FrequencyConfig, TrainError, information_nanobits, leaning, train_by_frequency,
};

/// Returns the attacker's own lexicon: a band of document frequency that the defender's lexicon may have
/// been chosen from. Its size is the lexicon size that the attacker assumes.
pub fn words_in_band(corpus: &Statistics, band: &FrequencyConfig) -> Result<Lexicon, TrainError> {
    train_by_frequency(corpus, band)
}

/// Returns the `count` words of good documents with the largest mutual information with the class, the
/// largest first.
pub fn good_words(corpus: &Statistics, count: usize) -> Vec<String> {
    let all = corpus.documents();
    let mut words: Vec<(Reverse<u64>, &str)> = corpus
        .entries()
        .filter(|entry| leaning(entry.documents, all) == Some(Class::Good))
        .map(|entry| {
            (
                Reverse(information_nanobits(entry.documents, all)),
                entry.term,
            )
        })
        .collect();
    words.sort_unstable();
    let words = words.into_iter().take(count);
    words.map(|word| word.1.to_owned()).collect()
}

/// Returns the contexts that the attacker guesses for a word: the most frequent ones in the attacker's
/// corpus, at most `count`. `bigrams` holds the counts of that corpus for the `tried` words.
///
/// If the defender requires valid neighbours on both sides, guesses are pairs, and pairs of frequent
/// neighbours come first.
pub fn guesses(
    bigrams: &mut Bigrams,
    tried: &Lexicon,
    word: &str,
    sides: Sides,
    count: usize,
) -> Vec<Guess> {
    let Some(number) = tried.get(word) else {
        return Vec::new();
    };
    let neighbours = bigrams.neighbours(number);
    let words = |side| {
        let on_side = neighbours.iter().filter(move |some| some.side == side);
        on_side.filter_map(|some| some.word).map(str::to_owned)
    };
    match sides {
        Sides::Either => neighbours.iter().filter_map(guess).take(count).collect(),
        Sides::Both => {
            let [before, after]: [Vec<String>; 2] =
                [words(Side::Before).collect(), words(Side::After).collect()];
            let diagonals = 0..before.len() + after.len();
            let places = diagonals.flat_map(|sum| (0..=sum).map(move |first| (first, sum - first)));
            let pairs = places.filter_map(|(first, second)| {
                Some(Guess {
                    before: Some(before.get(first)?.clone()),
                    after: Some(after.get(second)?.clone()),
                })
            });
            pairs.take(count).collect()
        }
    }
}

fn guess(neighbour: &Neighbour) -> Option<Guess> {
    let word = Some(neighbour.word?.to_owned());
    Some(match neighbour.side {
        Side::Before => Guess {
            before: word,
            after: None,
        },
        Side::After => Guess {
            before: None,
            after: word,
        },
    })
}
