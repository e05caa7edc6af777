//! From a page's text to its words, and to the shingles that stand for them.

use reprise_fingerprint::HashKind;
use reprise_shingle::{SHINGLES, Shingler};
use reprise_store::PageShingles;
use reprise_text::{Content, stretches};

/// Samples pages, one after another.
pub(crate) struct Sampler {
    hash: HashKind,
    shingler: Shingler,
    /// The words of a page as they are fingerprinted.
    bytes: Vec<u8>,
}

impl Sampler {
    pub(crate) fn new(hash: HashKind) -> Sampler {
        Sampler {
            hash,
            shingler: Shingler::new(),
            bytes: Vec::new(),
        }
    }

    /// What is sampled of a page; files without text have no words.
    pub(crate) fn page(&mut self, text: Option<(Content, &str)>) -> PageShingles {
        self.shingler.clear();
        if let Some((content, text)) = text {
            stretches(content, text, |stretch| self.shingler.add(stretch));
        }
        self.bytes.clear();
        for token in self.shingler.tokens() {
            self.bytes.extend_from_slice(&token.to_be_bytes());
        }
        PageShingles {
            words: self.shingler.tokens().len() as u32,
            text: self.hash.fingerprint(&self.bytes),
            shingles: self.shingler.shingles().unwrap_or([0; SHINGLES]),
        }
    }
}
