//! Computes signatures: documents with the same lexicon terms have the same hash.
use reprise_fingerprint::{Fingerprint, HashKind, fingerprint_all};

use crate::contexts::Contexts;
use crate::defaults;
use crate::lexicon::Lexicon;
use crate::random::mix;
use crate::terms::Terms;

/// The largest number of randomised lexicons.
pub const RANDOMISED_MAX: u32 = 64;

/// Additional lexicons, each without some terms of the main lexicon.
///
/// Whether a randomised lexicon lacks a term depends only on the seed, the number of the lexicon and the
/// term. So it is the same on every machine and does not change if other terms are added or removed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Randomised {
    /// The number of lexicons, at most [`RANDOMISED_MAX`].
    pub lexicons: u32,
    /// The mean share (0 to 1) of terms that each lexicon lacks.
    pub dropped_share: f64,
    /// The seed. Treat it as a secret of the defender.
    pub seed: u64,
}

/// The configuration of a [`Signer`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignerConfig {
    /// The number of terms below which a document has no signature. A document without any lexicon term
    /// never has one.
    ///
    /// With contexts, fewer terms count, and terms of footers and set phrases survive best. Therefore this
    /// number must be higher with contexts, to keep unrelated documents apart. See
    /// [`Part::overlap_min_default`].
    pub overlap_min: u32,
    /// The randomised lexicons, if there are any.
    pub randomised: Option<Randomised>,
}

/// A lexicon, with or without the contexts in which its terms count.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The terms that count.
    pub lexicon: &'a Lexicon,
    /// The contexts in which the terms count. With `None`, they count everywhere.
    pub contexts: Option<&'a Contexts>,
}

/// Computes the signatures of documents.
///
/// Documents must have been turned into terms by the rules of the lexicon.
#[derive(Clone, Debug)]
pub struct Signer<'a> {
    primary: Prepared<'a>,
    secondary: Option<Prepared<'a>>,
    config: SignerConfig,
}

/// The signatures of a document, and the terms they were computed from.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Signatures<'a> {
    /// The signature by the whole lexicon, or `None` if too few terms count.
    #[cfg_attr(feature = "serde", serde(rename = "signature"))]
    pub primary: Option<Fingerprint>,
    /// The primary signature and those by the randomised lexicons, sorted, without duplicates. Documents
    /// match if they share a signature.
    #[cfg_attr(feature = "serde", serde(rename = "signatures"))]
    pub all: Vec<Fingerprint>,
    /// The number of terms of the main lexicon that count in the document, even if they are too few.
    pub overlap: u32,
    /// True if the signature includes terms of the secondary lexicon.
    #[cfg_attr(feature = "serde", serde(rename = "extended"))]
    pub is_extended: bool,
    /// The terms of the signature, sorted by their bytes: the evidence.
    pub terms: Vec<&'a str>,
}

/// The reason why a signer cannot be created. The arguments are wrong in all cases.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignerError {
    /// The contexts were made for another lexicon.
    #[error("the contexts belong to another lexicon: {found} instead of {expected}")]
    Contexts {
        /// The fingerprint of the given lexicon.
        expected: Fingerprint,
        /// The fingerprint of the lexicon that the contexts belong to.
        found: Fingerprint,
    },
    /// The two lexicons have different rules for terms.
    #[error("the secondary lexicon was trained with different rules for terms")]
    Rules,
    /// There are too many randomised lexicons.
    #[error("the number of randomised lexicons must be at most {RANDOMISED_MAX}, not {found}")]
    Lexicons {
        /// The number of randomised lexicons.
        found: u32,
    },
    /// The share of dropped terms is not a number from 0 to 1.
    #[error("the share of dropped terms must be from 0 to 1, not {found}")]
    Share {
        /// The share.
        found: f64,
    },
}

/// A part, and for each of its terms the set of randomised lexicons that lack it, as bits.
#[derive(Clone, Debug)]
struct Prepared<'a> {
    part: Part<'a>,
    lacking: Vec<u64>,
}

impl<'a> Signer<'a> {
    /// Creates a signer. The secondary lexicon is used for documents with too few terms of the primary.
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

    /// Computes the signatures of a document.
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

    /// Returns the bytes to hash for each lexicon: the sorted terms, each followed by a line feed. The
    /// main lexicon comes first. Lexicons with too few terms are left out.
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
            // A lexicon that lacks none of these terms gives the signature of the main lexicon again.
            if count >= overlap_min && count < chosen.len() {
                messages.push(bytes(&mut kept.map(|term| term.0)));
            }
        }
        messages
    }
}

impl Signatures<'_> {
    /// Returns true if two documents share a signature.
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

    /// Returns the distinct terms of a document that count, sorted, each with its set of lexicons that lack
    /// it.
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

    /// Returns the set of lexicons that lack a term, as bits.
    fn lacking(&self, term: &str) -> u64 {
        let word = mix(reprise_shingle::word_fingerprint(term) ^ mix(self.seed));
        let is_lacking = |number: u32| {
            let drawn = mix(word.wrapping_add(mix(u64::from(number) + 1)));
            // A float holds 53 bits exactly.
            ((drawn >> 11) as f64) < self.dropped_share * (1_u64 << 53) as f64
        };
        (0..self.lexicons).fold(0, |bits, number| {
            bits | u64::from(is_lacking(number)) << number
        })
    }
}
