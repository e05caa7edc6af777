//! Generates campaigns like those of spammers: copies of one payload, each with different noise around it.

use crate::random::SplitMix64;
use crate::terms::Terms;

/// The source of noise.
#[derive(Clone, Copy, Debug)]
pub enum Noise<'a> {
    /// Single words, drawn at random.
    Words(&'a [&'a str]),
    /// Whole sentences, drawn at random.
    Sentences(&'a [Terms]),
}

/// The amount of noise and the number of copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoiseConfig {
    /// The smallest number of noise words per copy, half of them before the payload and half after it.
    /// Sentences are not cut, so there may be more.
    pub words: usize,
    /// The number of copies of the payload.
    pub copies: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// Generates copies of a payload, each between two different blocks of noise.
pub fn campaign(payload: &Terms, noise: Noise<'_>, config: &NoiseConfig) -> Vec<Terms> {
    let mut random = SplitMix64::new(config.seed);
    let (front, back) = (config.words / 2, config.words.div_ceil(2));
    let copy = |_| {
        let mut copy = Terms::new();
        noise.add(&mut copy, front, &mut random);
        copy.extend(payload);
        noise.add(&mut copy, back, &mut random);
        copy
    };
    (0..config.copies).map(copy).collect()
}

impl Noise<'_> {
    fn add(self, document: &mut Terms, words: usize, random: &mut SplitMix64) {
        let end = document.len() + words;
        let is_empty = match self {
            Self::Words(words) => words.is_empty(),
            Self::Sentences(sentences) => sentences.iter().all(Terms::is_empty),
        };
        while document.len() < end && !is_empty {
            match self {
                Self::Words(words) => {
                    let drawn = random.pick(words).copied();
                    document.extend(&Terms::of_words(drawn));
                }
                Self::Sentences(sentences) => {
                    if let Some(sentence) = random.pick(sentences) {
                        document.extend(sentence);
                    }
                }
            }
        }
    }
}
