//! Fuzzy hashes of the plain text.

use reprise_fuzzy::{Digest, score};

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Takes pages for copies if the fuzzy hashes (CTPH, as in ssdeep) of their plain texts have a high score.
#[derive(Clone, Copy, Debug)]
pub struct FuzzyHash {
    /// The lowest score of a copy, from 0 to 100.
    pub score_min: u8,
}

impl Method for FuzzyHash {
    fn kind(&self) -> MethodKind {
        MethodKind::Fuzzy
    }

    fn rule(&self) -> String {
        format!("a score of {} of 100 or more", self.score_min)
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        let text = original.plain();
        let known = (!text.is_empty()).then(|| Digest::of(text.as_bytes()))?;
        Some(Box::new(move |copy| {
            let digest = Digest::of(copy.plain().as_bytes());
            score(&known, &digest) >= self.score_min
        }))
    }
}
