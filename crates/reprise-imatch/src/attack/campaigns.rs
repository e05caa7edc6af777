//! Measures into how many fragments campaigns fall when noise surrounds each copy of a payload.

use std::fmt;

use super::AttackOptions;
use super::simulate::Signers;
use crate::fragmentation::{Fragmentation, Reduction, shares_by_rate};
use crate::noise::{Noise, NoiseConfig, campaign};
use crate::signer::Signer;
use crate::terms::Terms;

/// The number of words in a row that count as a sentence.
const SENTENCE_WORDS: usize = 12;

/// The fragmentation of all campaigns for one kind and amount of noise.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fragments {
    /// The kind of noise.
    pub noise: NoiseKind,
    /// The smallest number of noise words per copy.
    pub words: usize,
    /// The number of campaigns.
    pub campaigns: usize,
    /// The number of copies in each campaign.
    pub copies: usize,
    /// The mean number of fragments per campaign without contexts.
    pub plain: f64,
    /// The mean number of fragments per campaign with contexts.
    pub hardened: Option<f64>,
    /// The mean reduction rate: fragments without contexts divided by fragments with contexts.
    pub mean_rate: Option<f64>,
    /// The best reduction rate.
    pub best_rate: Option<f64>,
    /// The share of campaigns with a reduction rate above 1.
    pub improved: Option<f64>,
    /// The numbers of fragments of each campaign without and with contexts: the paper's figure 2.
    pub reductions: Vec<(usize, usize)>,
    /// The reduction rates, each with the share of campaigns that have it: the paper's figure 3.
    pub rates: Vec<(f64, f64)>,
}

/// A kind of noise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoiseKind {
    /// Single words.
    Words,
    /// Sentences of good documents.
    Sentences,
}

impl fmt::Display for NoiseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Words => "words",
            Self::Sentences => "sentences",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for NoiseKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The words and sentences that noise is drawn from.
pub(super) struct NoiseSource<'a> {
    words: Vec<&'a str>,
    sentences: Vec<Terms>,
}

impl<'a> NoiseSource<'a> {
    /// Takes the words from the dictionary, or from the good documents if the dictionary is empty, and
    /// the sentences from the good documents.
    pub(super) fn new(dictionary: &'a [String], good: &'a [Terms]) -> Self {
        let words: Vec<&str> = if dictionary.is_empty() {
            let mut words: Vec<&str> = good.iter().flat_map(Terms::iter).collect();
            words.sort_unstable();
            words.dedup();
            words
        } else {
            dictionary.iter().map(String::as_str).collect()
        };
        let sentences = good.iter().flat_map(|terms| {
            let words: Vec<&str> = terms.iter().collect();
            let whole = words.chunks_exact(SENTENCE_WORDS);
            let sentences: Vec<Terms> = whole
                .map(|words| Terms::of_words(words.iter().copied()))
                .collect();
            sentences
        });
        Self {
            words,
            sentences: sentences.collect(),
        }
    }

    /// Returns the kinds of noise for which there is anything to draw from.
    fn kinds(&self) -> impl Iterator<Item = (NoiseKind, Noise<'_>)> {
        let words =
            (!self.words.is_empty()).then_some((NoiseKind::Words, Noise::Words(&self.words)));
        let sentences = (!self.sentences.is_empty())
            .then_some((NoiseKind::Sentences, Noise::Sentences(&self.sentences)));
        [words, sentences].into_iter().flatten()
    }
}

/// Turns each payload into a campaign for each kind and amount of noise, and measures how the campaigns
/// fall apart.
pub(super) fn fragment(
    signers: &Signers<'_>,
    payloads: &[Terms],
    source: &NoiseSource<'_>,
    options: &AttackOptions,
) -> Vec<Fragments> {
    let mut rows = Vec::new();
    for (kind, noise) in source.kinds() {
        for &words in &options.noise {
            let reductions: Vec<Reduction> = payloads
                .iter()
                .zip(0..)
                .map(|(payload, number)| {
                    let config = NoiseConfig {
                        words,
                        copies: options.copies,
                        seed: options.seed.wrapping_add(number),
                    };
                    reduction(signers, &campaign(payload, noise, &config))
                })
                .collect();
            let is_hardened = signers.hardened.is_some();
            rows.push(row(kind, words, options.copies, &reductions, is_hardened));
        }
    }
    rows
}

/// Compares the fragments of a campaign without and with contexts. Without contexts in the experiment,
/// both are the same.
fn reduction(signers: &Signers<'_>, copies: &[Terms]) -> Reduction {
    let before = fragments(&signers.plain, copies);
    let after = (signers.hardened.as_ref()).map_or(before, |signer| fragments(signer, copies));
    Reduction { before, after }
}

fn fragments(signer: &Signer<'_>, copies: &[Terms]) -> usize {
    let signatures: Vec<_> = copies.iter().map(|copy| signer.sign(copy)).collect();
    Fragmentation::of(&signatures).fragments()
}

fn row(
    noise: NoiseKind,
    words: usize,
    copies: usize,
    reductions: &[Reduction],
    is_hardened: bool,
) -> Fragments {
    let mean = |of: &dyn Fn(&Reduction) -> f64| {
        reductions.iter().map(of).sum::<f64>() / reductions.len().max(1) as f64
    };
    let hardened = |value: f64| is_hardened.then_some(value);
    Fragments {
        noise,
        words,
        campaigns: reductions.len(),
        copies,
        plain: mean(&|one| one.before as f64),
        hardened: hardened(mean(&|one| one.after as f64)),
        mean_rate: hardened(mean(&Reduction::rate)),
        best_rate: hardened(reductions.iter().map(Reduction::rate).fold(0.0, f64::max)),
        improved: hardened(mean(&|one| f64::from(u8::from(one.rate() > 1.0)))),
        rates: if is_hardened {
            let shares = shares_by_rate(reductions);
            shares.iter().map(|bar| (bar.rate, bar.share)).collect()
        } else {
            Vec::new()
        },
        reductions: reductions
            .iter()
            .map(|one| (one.before, one.after))
            .collect(),
    }
}
