//! From a page's text to its words, and to the shingles that stand for them.

use reprise_fingerprint::HashKind;
use reprise_shingle::Shingler;
use reprise_store::PageShingles;
use reprise_text::{Content, stretches};

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
            stretches(content, text, |stretch| self.shingler.add(stretch));
        }
        PageShingles::of(&mut self.shingler, self.hash)
    }
}
