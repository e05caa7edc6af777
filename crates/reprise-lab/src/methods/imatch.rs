//! Signatures of lexicon terms.

use reprise_imatch::{Contexts, Lexicon, Part, Signer, SignerConfig, SignerError, Terms};

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Calls two pages copies if they have the same lexicon terms.
#[derive(Clone, Debug)]
pub struct IMatch<'a> {
    lexicon: &'a Lexicon,
    signer: Signer<'a>,
    overlap_min: u32,
    has_contexts: bool,
}

impl<'a> IMatch<'a> {
    /// Creates the method from a lexicon. With `contexts`, a term counts only in a known context. Signatures of fewer
    /// than `overlap_min` terms are rejected.
    pub fn new(
        lexicon: &'a Lexicon,
        contexts: Option<&'a Contexts>,
        overlap_min: u32,
    ) -> Result<Self, SignerError> {
        let config = SignerConfig {
            overlap_min,
            randomised: None,
        };
        Ok(Self {
            lexicon,
            signer: Signer::new(Part { lexicon, contexts }, None, config)?,
            overlap_min,
            has_contexts: contexts.is_some(),
        })
    }

    fn terms(&self, page: &Page) -> Terms {
        Terms::of(page.plain(), &self.lexicon.rules())
    }
}

impl Method for IMatch<'_> {
    fn kind(&self) -> MethodKind {
        if self.has_contexts {
            MethodKind::IMatchContext
        } else {
            MethodKind::IMatch
        }
    }

    fn rule(&self) -> String {
        let (lexicon, least) = (self.lexicon.len(), self.overlap_min);
        let context = if self.has_contexts {
            " in a known context"
        } else {
            ""
        };
        format!("the same terms of a lexicon of {lexicon}{context}, {least} or more")
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        let known = self.signer.sign(&self.terms(original));
        let finder = move |copy: &Page| known.matches(&self.signer.sign(&self.terms(copy)));
        finder(original).then(|| Box::new(finder) as Finder<'_>)
    }
}
