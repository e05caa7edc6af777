//! What the attacker tries, from what the attacker knows.
//!
//! - Nothing: the words of some dictionary, as they are.
//! - The kind of corpus, and about how large the lexicon is: [`words_in_band`].
//! - What passes as good with other filters: [`good_words`].
//! - How words are used in a corpus like the defender's: [`guesses`].

use std::cmp::Reverse;

use super::insertion::Guess;
use crate::bigrams::{Bigrams, Neighbour};
use crate::contexts::{Side, Sides};
use crate::lexicon::Lexicon;
use crate::statistics::{Class, Statistics};
use crate::train::{
    FrequencyConfig, TrainError, information_nanobits, leaning, train_by_frequency,
};

/// The attacker's own lexicon: the band of a corpus that the defender's lexicon may have come from.
/// Its size is what the attacker believes to be needed.
pub fn words_in_band(corpus: &Statistics, band: &FrequencyConfig) -> Result<Lexicon, TrainError> {
    train_by_frequency(corpus, band)
}

/// The most telling words of good documents in a labelled corpus, the most telling first.
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

/// The contexts that the attacker guesses for a word: the most frequent ones in a corpus of the
/// attacker's, at most `count`. `bigrams` counts the neighbours of the words that are tried.
///
/// Where the defender wants both sides to be valid, guesses are pairs, those of frequent neighbours
/// first.
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
