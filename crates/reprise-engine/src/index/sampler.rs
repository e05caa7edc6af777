//! Samples the words of pages.

use reprise_fingerprint::HashKind;
use reprise_shingle::Shingler;
use reprise_store::PageShingles;
use reprise_text::{Content, visible_runs};

/// After a page with more words, the memory is released.
const WORDS_KEPT: usize = 1 << 16;

/// Computes the shingles of pages.
pub(crate) struct Sampler {
    hash: HashKind,
    shingler: Shingler,
}

impl Sampler {
    pub(crate) fn new(hash: HashKind) -> Sampler {
        Sampler {
            hash,
            shingler: Shingler::new(),
        }
    }

    /// Returns the shingles of a page. A file without text has no words.
    pub(crate) fn page(&mut self, text: Option<(Content, &str)>) -> PageShingles {
        self.shingler.clear();
        if let Some((content, text)) = text {
            visible_runs(content, text, |run| self.shingler.add(run));
        }
        let sampled = PageShingles::of(&mut self.shingler, self.hash);
        if self.shingler.tokens().len() > WORDS_KEPT {
            self.shingler = Shingler::new();
        }
        sampled
    }
}
