//! Nilsimsa digests of the plain text.

use super::{Finder, Method, MethodKind};
use crate::nilsimsa::Digest;
use crate::page::Page;

/// Takes pages for copies if the Nilsimsa digests of their plain texts have a high score.
#[derive(Clone, Copy, Debug)]
pub struct Nilsimsa {
    /// The lowest score of a copy, from -128 to 128.
    pub score_min: i32,
}

impl Method for Nilsimsa {
    fn kind(&self) -> MethodKind {
        MethodKind::Nilsimsa
    }

    fn rule(&self) -> String {
        format!("a score of {} of 128 or more", self.score_min)
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        let text = original.plain();
        let known = (!text.is_empty()).then(|| Digest::of(text.as_bytes()))?;
        Some(Box::new(move |copy| {
            known.score(&Digest::of(copy.plain().as_bytes())) >= self.score_min
        }))
    }
}
