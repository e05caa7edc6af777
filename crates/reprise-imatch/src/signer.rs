//! Signatures: one hash for all documents with the same lexicon terms.

use reprise_fingerprint::{Fingerprint, HashKind, fingerprint_all};

use crate::contexts::Contexts;
use crate::defaults;
use crate::lexicon::Lexicon;
use crate::random::mix;
use crate::terms::Terms;

/// The most randomised lexicons.
pub const RANDOMISED_MAX: u32 = 64;

/// Further lexicons, each of which is the lexicon without some terms.
///
/// Whether a lexicon lacks a term follows from the seed, the lexicon's number and the term alone, so it
/// is the same on every machine and does not change when other terms come or go.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Randomised {
    /// How many there are, at most [`RANDOMISED_MAX`].
    pub lexicons: u32,
    /// The share of terms that each lacks (0 to 1), on average.
    pub dropped_share: f64,
    /// What they follow from. It is the defender's secret.
    pub seed: u64,
}

/// How signatures are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignerConfig {
    /// A signature of fewer terms than this is rejected; one of none always is.
    ///
    /// Contexts leave fewer terms, and those of footers and set phrases survive best, so with
    /// contexts this must be higher than without to keep what is not alike apart.
    pub overlap_min: u32,
    /// Lexicons beside the main one.
    pub randomised: Option<Randomised>,
}

/// A lexicon with or without the contexts in which its terms count.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The terms that count.
    pub lexicon: &'a Lexicon,
    /// Where they count; everywhere if there are none.
    pub contexts: Option<&'a Contexts>,
}

/// Makes signatures of documents.
///
/// The documents must have been turned into terms by the rules of the lexicon.
#[derive(Clone, Debug)]
pub struct Signer<'a> {
    primary: Prepared<'a>,
    secondary: Option<Prepared<'a>>,
    config: SignerConfig,
}

/// The signatures of a document, and what they were made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signatures<'a> {
    /// The signature by the whole lexicon; `None` if there were too few terms.
    pub primary: Option<Fingerprint>,
    /// That one and those by the randomised lexicons, each once, ascending. Documents with one in
    /// common match.
    pub all: Vec<Fingerprint>,
    /// How many terms of the main lexicon counted, whether that was enough or not.
    pub overlap: u32,
    /// Whether terms of the secondary lexicon had to help.
    pub is_extended: bool,
    /// The terms of the signature in alphabetical order: the evidence.
    pub terms: Vec<&'a str>,
}

/// Why parts do not fit together. All of these are about what the caller gave.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignerError {
    /// The contexts were made for another lexicon.
    #[error("the contexts belong to another lexicon: {found} instead of {expected}")]
    Contexts {
        /// The fingerprint of the lexicon given.
        expected: Fingerprint,
        /// The one that the contexts name.
        found: Fingerprint,
    },
    /// The two lexicons see other terms in a text.
    #[error("the secondary lexicon was trained under other rules for terms")]
    Rules,
    /// Too many randomised lexicons.
    #[error("there can be {RANDOMISED_MAX} randomised lexicons, not {found}")]
    Lexicons {
        /// How many were asked for.
        found: u32,
    },
    /// A share is not a number from 0 to 1.
    #[error("the share of dropped terms must be from 0 to 1, not {found}")]
    Share {
        /// What it is.
        found: f64,
    },
}

/// A part, and for each of its terms the randomised lexicons that lack it, as bits.
#[derive(Clone, Debug)]
struct Prepared<'a> {
    part: Part<'a>,
    lacking: Vec<u64>,
}

impl<'a> Signer<'a> {
    /// A signer by one lexicon, or by a larger second one where the first finds too few terms.
    pub fn new(
        primary: Part<'a>,
        secondary: Option<Part<'a>>,
        config: SignerConfig,
    ) -> Result<Self, SignerError> {
        if let Some(randomised) = config.randomised {
            randomised.check()?;
        }
        let rules = primary.lexicon.rules();
        if secondary.is_some_and(|secondary| secondary.lexicon.rules() != rules) {
            return Err(SignerError::Rules);
        }
        let prepared = |part: Part<'a>| {
            part.check()?;
            Ok(Prepared::new(part, config.randomised))
        };
        Ok(Self {
            primary: prepared(primary)?,
            secondary: secondary.map(prepared).transpose()?,
            config,
        })
    }

    /// The signatures of a document.
    pub fn sign(&self, document: &Terms) -> Signatures<'a> {
        let mut chosen = self.primary.chosen(document);
        let overlap = chosen.len() as u32;
        let overlap_min = self.config.overlap_min.max(1) as usize;
        let mut is_extended = false;
        if let Some(secondary) = &self.secondary
            && chosen.len() < overlap_min
        {
            chosen.extend(secondary.chosen(document));
            chosen.sort_unstable();
            chosen.dedup();
            is_extended = chosen.len() > overlap as usize;
        }
        let mut all = Vec::new();
        if chosen.len() >= overlap_min {
            let messages = self.messages(&chosen, overlap_min);
            let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            fingerprint_all(HashKind::Sha256, &messages, &mut all);
        }
        let primary = all.first().copied();
        all.sort_unstable();
        all.dedup();
        Signatures {
            primary,
            all,
            overlap,
            is_extended,
            terms: chosen.into_iter().map(|term| term.0).collect(),
        }
    }

    /// What is hashed: the terms of each lexicon in order, a line feed after each. The main one is
    /// first, and those with too few terms are left out.
    fn messages(&self, chosen: &[(&str, u64)], overlap_min: usize) -> Vec<Vec<u8>> {
        let bytes = |terms: &mut dyn Iterator<Item = &str>| {
            let mut bytes = Vec::new();
            for term in terms {
                bytes.extend_from_slice(term.as_bytes());
                bytes.push(b'\n');
            }
            bytes
        };
        let mut messages = vec![bytes(&mut chosen.iter().map(|term| term.0))];
        let lexicons = self.config.randomised.map_or(0, |some| some.lexicons);
        for bit in (0..lexicons).map(|number| 1 << number) {
            let kept = chosen.iter().filter(|term| term.1 & bit == 0);
            let count = kept.clone().count();
            // A lexicon that lacks none of these terms gives the signature that is there already.
            if count >= overlap_min && count < chosen.len() {
                messages.push(bytes(&mut kept.map(|term| term.0)));
            }
        }
        messages
    }
}

impl Signatures<'_> {
    /// Do two documents match: have they a signature in common?
    pub fn matches(&self, other: &Signatures<'_>) -> bool {
        self.all
            .iter()
            .any(|one| other.all.binary_search(one).is_ok())
    }
}

impl Part<'_> {
    /// Returns the default of [`SignerConfig::overlap_min`], which depends on whether there are
    /// contexts.
    pub fn overlap_min_default(&self) -> u32 {
        match self.contexts {
            None => defaults::TERMS_MIN,
            Some(_) => defaults::TERMS_MIN_HARDENED,
        }
    }

    fn check(&self) -> Result<(), SignerError> {
        if let Some(contexts) = self.contexts {
            let (expected, found) = (self.lexicon.fingerprint(), contexts.lexicon());
            if expected != found {
                return Err(SignerError::Contexts { expected, found });
            }
        }
        Ok(())
    }
}

impl<'a> Prepared<'a> {
    fn new(part: Part<'a>, randomised: Option<Randomised>) -> Self {
        let lacking = |term| randomised.map_or(0, |some| some.lacking(term));
        let lacking = part.lexicon.entries().map(|entry| lacking(entry.term));
        Self {
            part,
            lacking: lacking.collect(),
        }
    }

    /// The terms of a document that count, each once, in alphabetical order.
    fn chosen(&self, document: &Terms) -> Vec<(&'a str, u64)> {
        let Part { lexicon, contexts } = self.part;
        let mut numbers: Vec<u32> = Vec::new();
        match contexts {
            None => numbers.extend(document.iter().filter_map(|term| lexicon.get(term))),
            Some(contexts) => contexts.each_occurrence(document, |number, is_valid| {
                if is_valid {
                    numbers.push(number);
                }
            }),
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .into_iter()
            .map(|number| (lexicon.term(number), self.lacking[number as usize]))
            .collect()
    }
}

impl Default for Randomised {
    fn default() -> Self {
        Self {
            lexicons: defaults::RANDOMISED_LEXICONS,
            dropped_share: defaults::DROPPED_SHARE,
            seed: defaults::LEXICON_SEED,
        }
    }
}

impl Randomised {
    fn check(&self) -> Result<(), SignerError> {
        if self.lexicons > RANDOMISED_MAX {
            return Err(SignerError::Lexicons {
                found: self.lexicons,
            });
        }
        if !(0.0..=1.0).contains(&self.dropped_share) {
            return Err(SignerError::Share {
                found: self.dropped_share,
            });
        }
        Ok(())
    }

    /// The lexicons that lack a term, as bits.
    fn lacking(&self, term: &str) -> u64 {
        let word = mix(reprise_shingle::word_fingerprint(term) ^ mix(self.seed));
        let is_lacking = |number: u32| {
            let drawn = mix(word.wrapping_add(mix(u64::from(number) + 1)));
            // 53 bits are what a float holds exactly.
            ((drawn >> 11) as f64) < self.dropped_share * (1_u64 << 53) as f64
        };
        (0..self.lexicons).fold(0, |bits, number| {
            bits | u64::from(is_lacking(number)) << number
        })
    }
}
