//! Everything that is needed to sign documents.

use crate::defaults;
use crate::{Contexts, Lexicon, Part, Randomised, Signer, SignerConfig, SignerError, TermRules};

/// A lexicon, possibly with contexts.
#[derive(Clone, Debug)]
pub struct SigningTerms {
    /// The terms that count.
    pub lexicon: Lexicon,
    /// The contexts in which they count; `None` if they count everywhere.
    pub contexts: Option<Contexts>,
}

impl SigningTerms {
    /// Borrows the lexicon and contexts.
    pub fn part(&self) -> Part<'_> {
        Part {
            lexicon: &self.lexicon,
            contexts: self.contexts.as_ref(),
        }
    }
}

/// The options of signing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SigningOptions {
    /// A document with fewer lexicon terms has no signature. `None` is
    /// [`defaults::TERMS_MIN`], or [`defaults::TERMS_MIN_HARDENED`] with contexts.
    pub terms_min: Option<u32>,
    /// The number of further lexicons, each without some terms.
    pub randomised: u32,
    /// The share of the terms that each of these lacks.
    pub dropped_share: f64,
    /// The seed of these lexicons. Treat it as a secret.
    pub seed: u64,
}

impl Default for SigningOptions {
    fn default() -> SigningOptions {
        SigningOptions {
            terms_min: None,
            randomised: 0,
            dropped_share: defaults::DROPPED_SHARE,
            seed: defaults::LEXICON_SEED,
        }
    }
}

/// Everything that is needed to sign documents.
#[derive(Clone, Debug)]
pub struct Signing {
    /// The first lexicon.
    pub primary: SigningTerms,
    /// A larger lexicon for documents in which the first finds too few terms.
    pub secondary: Option<SigningTerms>,
    /// How signatures are made.
    pub config: SignerConfig,
    /// True if the first lexicon was trained on the documents that it signs.
    pub is_own: bool,
}

impl Signing {
    /// Combines lexicons with options.
    pub fn new(
        primary: SigningTerms,
        secondary: Option<SigningTerms>,
        options: &SigningOptions,
    ) -> Signing {
        let terms_min = if primary.contexts.is_some() {
            defaults::TERMS_MIN_HARDENED
        } else {
            defaults::TERMS_MIN
        };
        Signing {
            primary,
            secondary,
            config: SignerConfig {
                overlap_min: options.terms_min.unwrap_or(terms_min),
                randomised: (options.randomised > 0).then_some(Randomised {
                    lexicons: options.randomised,
                    dropped_share: options.dropped_share,
                    seed: options.seed,
                }),
            },
            is_own: false,
        }
    }

    /// Returns the rules by which texts become terms.
    pub fn rules(&self) -> TermRules {
        self.primary.lexicon.rules()
    }

    /// Creates a signer.
    pub fn signer(&self) -> Result<Signer<'_>, SignerError> {
        let secondary = self.secondary.as_ref().map(SigningTerms::part);
        Signer::new(self.primary.part(), secondary, self.config)
    }

    /// Returns all terms of the lexicons, ascending.
    pub fn terms(&self) -> Vec<&str> {
        let lexicons = [Some(&self.primary), self.secondary.as_ref()];
        let mut terms: Vec<&str> = (lexicons.into_iter().flatten())
            .flat_map(|terms| terms.lexicon.entries())
            .map(|entry| entry.term)
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}
