//! Campaigns as spammers send them: one payload, other noise around it each time.

use crate::random::SplitMix64;
use crate::terms::Terms;

/// What noise is made of.
#[derive(Clone, Copy, Debug)]
pub enum Noise<'a> {
    /// Single words, drawn at random.
    Words(&'a [&'a str]),
    /// Whole sentences, drawn at random.
    Sentences(&'a [Terms]),
}

/// How much of it, and how many copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoiseConfig {
    /// Words of noise in a copy: at least so many, half in front of the payload and half behind it. A
    /// sentence is not cut.
    pub words: usize,
    /// Copies of the payload.
    pub copies: usize,
    /// What the draws follow from.
    pub seed: u64,
}

/// Copies of a payload, each between two blocks of noise of its own.
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
