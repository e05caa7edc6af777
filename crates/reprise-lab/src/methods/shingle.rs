//! The similarity of phrase sets.

use reprise_shingle::Overlap;

use super::{Finder, Method, MethodKind};
use crate::page::Page;

/// Takes pages with similar sets of phrases for copies.
///
/// This is the comparison of full phrase sets by which `near` verifies its candidates. It does not include the
/// search for candidates, which can miss a pair.
#[derive(Clone, Copy, Debug)]
pub struct Shingles {
    /// The lowest Jaccard similarity of a copy.
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
