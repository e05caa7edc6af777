//! Phrases in common.

use reprise_shingle::Overlap;

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Pages whose sets of phrases resemble each other are copies.
///
/// This is the comparison in full with which `near` verifies its candidates. That its sample of
/// shingles misses a pair is no part of it.
#[derive(Clone, Copy, Debug)]
pub struct Shingles {
    /// Least Jaccard similarity.
    pub similarity_min: f64,
}

impl Method for Shingles {
    fn kind(&self) -> MethodKind {
        MethodKind::Shingle
    }

    fn rule(&self) -> String {
        format!("{} of all phrases in common", self.similarity_min)
    }

    fn finder(&self, original: &Page) -> Option<Finder<'_>> {
        let known = original.phrases();
        let finder = move |copy: &Page| {
            let overlap = Overlap::of(&known, &copy.phrases());
            overlap.shared > 0 && overlap.jaccard() >= self.similarity_min
        };
        finder(original).then(|| Box::new(finder) as Finder<'_>)
    }
}
