//! Into how many pieces campaigns fall, with other noise around each copy of their payload.

use std::fmt::Write as _;

use reprise_engine::imatch::noise::{Noise, NoiseConfig, campaign};
use reprise_engine::imatch::{Fragmentation, Reduction, Signer, Terms, shares_by_rate};
use reprise_engine::report::html::Fragments;

/// Words in a run that is taken as a sentence.
const SENTENCE: usize = 12;

/// What noise is made of.
pub(super) struct Noises<'a> {
    words: Vec<&'a str>,
    sentences: Vec<Terms>,
}

/// Campaigns, and how they are signed.
pub(super) struct Campaigns<'a> {
    pub(super) signers: &'a [(&'static str, Signer<'a>)],
    pub(super) payloads: &'a [Terms],
    pub(super) copies: usize,
    pub(super) seed: u64,
}

impl<'a> Noises<'a> {
    /// Words of a dictionary, or else of good documents; sentences of these: runs of words as they stand there.
    pub(super) fn new(dictionary: &'a [String], good: &'a [Terms]) -> Noises<'a> {
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
            let whole = words.chunks_exact(SENTENCE);
            let sentences: Vec<Terms> = whole
                .map(|words| Terms::of_words(words.iter().copied()))
                .collect();
            sentences
        });
        Noises {
            words,
            sentences: sentences.collect(),
        }
    }

    fn kinds(&self) -> impl Iterator<Item = (&'static str, Noise<'_>)> {
        let words = (!self.words.is_empty()).then_some(("words", Noise::Words(&self.words)));
        let sentences = (!self.sentences.is_empty())
            .then_some(("sentences", Noise::Sentences(&self.sentences)));
        [words, sentences].into_iter().flatten()
    }
}

impl Campaigns<'_> {
    pub(super) fn of(&self, noises: &Noises<'_>, amounts: &[usize]) -> Vec<Fragments> {
        let kinds = noises.kinds();
        kinds
            .flat_map(|(name, noise)| amounts.iter().map(move |&words| (name, noise, words)))
            .map(|(name, noise, words)| self.row(name, noise, words))
            .collect()
    }

    fn row(&self, noise_name: &'static str, noise: Noise<'_>, words: usize) -> Fragments {
        let mut reductions: Vec<Reduction> = Vec::new();
        for (payload, number) in self.payloads.iter().zip(0..) {
            let config = NoiseConfig {
                words,
                copies: self.copies,
                seed: self.seed.wrapping_add(number),
            };
            let copies = campaign(payload, noise, &config);
            let pieces: Vec<usize> = (self.signers.iter())
                .map(|(_, signer)| pieces(signer, &copies))
                .collect();
            reductions.push(Reduction {
                before: pieces[0],
                after: pieces[pieces.len() - 1],
            });
        }
        let is_hardened = self.signers.len() > 1;
        let mean = |of: &dyn Fn(&Reduction) -> f64| {
            reductions.iter().map(of).sum::<f64>() / reductions.len().max(1) as f64
        };
        let hardened = |value: f64| is_hardened.then_some(value);
        Fragments {
            noise: noise_name,
            words,
            campaigns: reductions.len(),
            copies: self.copies,
            plain: mean(&|one| one.before as f64),
            hardened: hardened(mean(&|one| one.after as f64)),
            mean_rate: hardened(mean(&Reduction::rate)),
            best_rate: hardened(reductions.iter().map(Reduction::rate).fold(0.0, f64::max)),
            improved: hardened(mean(&|one| f64::from(u8::from(one.rate() > 1.0)))),
            rates: if is_hardened {
                let shares = shares_by_rate(&reductions);
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
}

fn pieces(signer: &Signer<'_>, copies: &[Terms]) -> usize {
    let signatures: Vec<_> = copies.iter().map(|copy| signer.sign(copy)).collect();
    Fragmentation::of(&signatures).fragments()
}

pub(super) fn text(rows: &[Fragments]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let mut text = format!(
        "\npieces that {} campaigns of {} fall into\n",
        first.campaigns, first.copies
    );
    let _ = writeln!(
        text,
        "{:<10} {:>6} {:>7} {:>9} {:>10} {:>10} {:>8}",
        "noise", "words", "plain", "hardened", "mean rate", "best rate", "rate > 1"
    );
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    for row in rows {
        let improved = row
            .improved
            .map_or("-".to_owned(), |share| format!("{:.0}%", share * 100.0));
        let _ = writeln!(
            text,
            "{:<10} {:>6} {:>7.1} {:>9} {:>10} {:>10} {improved:>8}",
            row.noise,
            row.words,
            row.plain,
            shown(row.hardened),
            shown(row.mean_rate),
            shown(row.best_rate),
        );
    }
    text
}
