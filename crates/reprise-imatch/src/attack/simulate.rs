//! The attack experiment: every attack on one payload, and the fragmentation of campaigns.

use std::collections::HashSet;

use super::campaigns::{NoiseSource, fragment};
use super::knowledge::{good_words, guesses, words_in_band};
use super::{
    AttackError, AttackOptions, AttackWords, Attacks, Attempts, Defence, Draw, Place,
    RemovalAttack, Removals, WordAttack,
};
use crate::bigrams::Bigrams;
use crate::contexts::Sides;
use crate::defaults;
use crate::lexicon::Lexicon;
use crate::signer::{Part, Signer, SignerConfig};
use crate::statistics::{Class, Statistics};
use crate::terms::Terms;
use crate::train::FrequencyConfig;

/// The largest number of contexts that the attacker counts.
const CONTEXTS_MAX: usize = 10_000_000;

/// The documents and words of the attack experiment, and the signatures that are attacked.
#[derive(Clone, Copy, Debug)]
pub struct AttackInput<'a> {
    /// The payload documents. The first one with a signature is attacked. The attacker learns from the
    /// following ones, and all of them become campaigns.
    pub payloads: &'a [Terms],
    /// The good documents of the attacker: the source of good words, contexts and noise sentences.
    pub good: &'a [Terms],
    /// The words of the attacker's dictionary, in the order in which they are tried.
    pub dictionary: &'a [String],
    /// The lexicon and the contexts of the attacked signatures.
    pub part: Part<'a>,
    /// The configuration of the attacked signatures.
    pub config: SignerConfig,
}

/// The signers of the experiment.
pub(super) struct Signers<'a> {
    /// The signer by the lexicon alone.
    pub(super) plain: Signer<'a>,
    /// The signer by the lexicon and its contexts.
    pub(super) hardened: Option<Signer<'a>>,
}

/// The signers, and the payloads by their use.
struct Experiment<'a> {
    signers: Signers<'a>,
    /// The payload that is attacked.
    target: Terms,
    /// The payloads that words are removed from.
    others: Vec<Terms>,
    /// The payloads that become campaigns.
    campaigns: Vec<Terms>,
}

/// Simulates all attacks on a payload and measures how campaigns fall apart.
///
/// Input: documents as terms, under the rules of the lexicon. Output: the same for the same input and
/// options on every machine. Errors: wrong options, or no words or payloads to attack with. Memory: the
/// attacker's statistics and up to ten million contexts. Threads: none.
///
/// Algorithm:
///
/// 1. Choose the payloads with distinct signatures, both without and with contexts.
/// 2. Add dictionary words, good words, words of a lexicon trained on the attacker's documents, and
///    these words in guessed contexts to the first payload, until its signature changes.
/// 3. Remove words from other payloads, and add the words that matter to the first one.
/// 4. Surround copies of each payload with noise, and count the fragments of the campaign.
pub fn simulate(input: &AttackInput<'_>, options: &AttackOptions) -> Result<Attacks, AttackError> {
    options.validate()?;
    let dictionary = &input.dictionary[..input.dictionary.len().min(options.words)];
    if input.good.is_empty() && dictionary.is_empty() {
        return Err(AttackError::NoWords);
    }
    let experiment = Experiment::new(input, options)?;
    let mut attacks = Vec::new();
    let words: Vec<&str> = dictionary.iter().map(String::as_str).collect();
    attacks.extend(experiment.add_alone(AttackWords::Dictionary, &words, options)?);
    if !input.good.is_empty() {
        let attacker = experiment.statistics(input);
        let best = good_words(&attacker, options.words);
        let best: Vec<&str> = best.iter().map(String::as_str).collect();
        attacks.extend(experiment.add_alone(AttackWords::Good, &best, options)?);
        attacks.extend(experiment.add_like_corpus(&attacker, input, options)?);
    }
    let source = NoiseSource::new(dictionary, input.good);
    Ok(Attacks {
        payload_terms: experiment.target.len(),
        lexicon: input.part.lexicon.len(),
        attacks,
        removals: experiment.remove(options)?,
        fragmentation: fragment(&experiment.signers, &experiment.campaigns, &source, options),
    })
}

impl<'a> Signers<'a> {
    fn new(input: &AttackInput<'a>) -> Result<Self, AttackError> {
        let plain = Part {
            contexts: None,
            ..input.part
        };
        let is_hardened = input.part.contexts.is_some();
        Ok(Self {
            plain: Signer::new(plain, None, input.config)?,
            hardened: is_hardened
                .then(|| Signer::new(input.part, None, input.config))
                .transpose()?,
        })
    }

    fn each(&self) -> impl Iterator<Item = (Defence, &Signer<'a>)> {
        let hardened = self.hardened.as_ref();
        let hardened = hardened.map(|signer| (Defence::Hardened, signer));
        std::iter::once((Defence::Plain, &self.plain)).chain(hardened)
    }
}

impl<'a> Experiment<'a> {
    /// Chooses the payloads that have a signature both without and with contexts, one for each
    /// signature.
    fn new(input: &AttackInput<'a>, options: &AttackOptions) -> Result<Self, AttackError> {
        let signers = Signers::new(input)?;
        let mut seen = HashSet::new();
        let mut payloads = input.payloads.iter().map(wrapped).filter(|terms| {
            let mut signers_each = signers.each();
            signers_each.all(|(_, signer)| signer.sign(terms).primary.is_some())
                && seen.insert(signers.plain.sign(terms).primary)
        });
        let Some(target) = payloads.next() else {
            return Err(AttackError::NoPayload {
                documents: input.payloads.len(),
            });
        };
        let needed = options.campaigns.max(options.payloads + 1);
        let chosen: Vec<Terms> = [target.clone()]
            .into_iter()
            .chain(payloads)
            .take(needed)
            .collect();
        Ok(Self {
            others: chosen[1..].iter().take(options.payloads).cloned().collect(),
            campaigns: chosen.into_iter().take(options.campaigns).collect(),
            signers,
            target,
        })
    }

    /// Counts the documents of the attacker: good ones, and payloads as bad ones.
    fn statistics(&self, input: &AttackInput<'_>) -> Statistics {
        let mut statistics = Statistics::new(input.part.lexicon.rules());
        for terms in input.good {
            statistics.add(terms, Some(Class::Good));
        }
        for terms in [&self.target].into_iter().chain(&self.others) {
            statistics.add(terms, Some(Class::Bad));
        }
        statistics
    }

    /// Adds each of the words alone.
    fn add_alone(
        &self,
        words: AttackWords,
        tried: &[&str],
        options: &AttackOptions,
    ) -> Result<Vec<WordAttack>, AttackError> {
        let mut attacks = Vec::new();
        for (defence, signer) in self.signers.each() {
            let tried = tried.iter().copied();
            let attempts = Attempts::with_words(signer, &self.target, Place::Start, tried);
            attacks.extend(word_attack(words, defence, attempts, options)?);
        }
        Ok(attacks)
    }

    /// Adds the words that a lexicon of the attacker's documents has, alone and in guessed contexts.
    fn add_like_corpus(
        &self,
        attacker: &Statistics,
        input: &AttackInput<'_>,
        options: &AttackOptions,
    ) -> Result<Vec<WordAttack>, AttackError> {
        let band = FrequencyConfig {
            ranks_skipped: 0,
            size_max: options.believed_size,
            documents_min: defaults::DOCUMENTS_MIN,
            share_max: defaults::SHARE_MAX,
        };
        // Too few documents give no lexicon, so there is nothing to try.
        let Ok(band) = words_in_band(attacker, &band) else {
            return Ok(Vec::new());
        };
        let words: Vec<&str> = band.entries().map(|entry| entry.term).collect();
        let mut attacks = self.add_alone(AttackWords::LikeCorpus, &words, options)?;
        let mut bigrams = Bigrams::new(&band, CONTEXTS_MAX);
        for terms in input.good {
            bigrams.add(terms);
        }
        let contexts = input.part.contexts;
        let sides = contexts.map_or(Sides::Either, |contexts| contexts.config().sides);
        for (defence, signer) in self.signers.each() {
            let attempts = self.guessed(signer, &band, &mut bigrams, sides, options.guesses);
            let words = AttackWords::GuessedContexts;
            attacks.extend(word_attack(words, defence, attempts, options)?);
        }
        Ok(attacks)
    }

    fn guessed(
        &self,
        signer: &Signer<'_>,
        band: &Lexicon,
        bigrams: &mut Bigrams,
        sides: Sides,
        count: usize,
    ) -> Result<Attempts, AttackError> {
        let words = band.entries().map(|entry| entry.term);
        let guess = |word: &str| guesses(bigrams, band, word, sides, count);
        Attempts::with_guesses(signer, &self.target, Place::Start, words, guess)
    }

    /// Removes words from the other payloads and uses the learned ones against the target.
    fn remove(&self, options: &AttackOptions) -> Result<Vec<RemovalAttack>, AttackError> {
        let mut attacks = Vec::new();
        for (defence, signer) in self.signers.each() {
            let removals = Removals::new(signer, &self.others, &self.target, Place::Start);
            let removals = match removals {
                Err(AttackError::Nothing(_)) => continue,
                removals => removals?,
            };
            attacks.push(RemovalAttack {
                defence,
                payloads: self.others.len(),
                words: removals.words(),
                learned: removals.learned(),
                useful: removals.useful(),
                simulated: removals.simulate(options.runs, options.seed)?,
            });
        }
        Ok(attacks)
    }
}

/// Simulates an attack with these attempts. Returns `None` if there is nothing to try.
fn word_attack(
    words: AttackWords,
    defence: Defence,
    attempts: Result<Attempts, AttackError>,
    options: &AttackOptions,
) -> Result<Option<WordAttack>, AttackError> {
    let attempts = match attempts {
        Err(AttackError::Nothing(_)) => return Ok(None),
        attempts => attempts?,
    };
    let expected = attempts.expected();
    let simulated = attempts.simulate(options.runs, Draw::WithoutReplacement, options.seed)?;
    let is_possible = expected.lexicon > 0;
    Ok(Some(WordAttack {
        words,
        defence,
        vocabulary: expected.vocabulary,
        lexicon: expected.lexicon,
        guesses: expected.guesses,
        hit: expected.hit,
        formula: is_possible.then_some(expected.attempts),
        formula_exact: is_possible.then_some(expected.attempts_exact),
        simulated,
    }))
}

/// Puts a payload between two words that are in no lexicon.
///
/// The edge of a document is a context as well. Without these words, the first word that an attacker
/// adds, whichever it is, would take that context from the payload.
fn wrapped(payload: &Terms) -> Terms {
    let wrap = std::iter::once("xxqx");
    Terms::of_words(wrap.clone().chain(payload.iter()).chain(wrap))
}
