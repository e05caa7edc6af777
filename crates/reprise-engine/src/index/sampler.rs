//! From a page's text to its words, and to the shingles that stand for them.

use reprise_fingerprint::HashKind;
use reprise_shingle::Shingler;
use reprise_store::PageShingles;
use reprise_text::{Content, visible_runs};

/// The memory of a longer page than this is given back: it must not be held for ever.
const WORDS_KEPT: usize = 1 << 16;

/// Samples pages, one after another.
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

    /// What is sampled of a page; files without text have no words.
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
