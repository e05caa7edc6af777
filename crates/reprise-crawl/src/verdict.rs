//! What a page is beside all earlier ones: unique, an exact duplicate, or a near one.

use std::collections::HashMap;

use reprise_fingerprint::Fingerprint;
use reprise_fuzzy::{Digest, Index};

use crate::analyse::Document;

/// What became of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its text is like that of no earlier page.
    Unique,
    /// Its plain text is that of an earlier page. Pages without any text are exact duplicates when their bodies are equal.
    Exact {
        /// The URL of the first page with this text.
        of: String,
    },
    /// Its plain text is nearly that of an earlier page.
    Near {
        /// The URL of the page that is most like it; the earliest of several.
        of: String,
        /// How alike the two are, from the configured similarity to 100.
        score: u8,
    },
    /// A page of a pattern that goes on and on without saying anything new.
    Trap,
    /// A file that has no plain text.
    NotText,
    /// The server's answer was an error with this status, or a body that was refused (then the status is a success).
    Error(u16),
    /// The server sent the crawler on.
    Redirect {
        /// The target, where it can be fetched.
        to: Option<String>,
    },
    /// Asked again, the page is as it was.
    Unchanged,
}

impl Verdict {
    /// The name in JSON and on the terminal.
    pub fn as_str(&self) -> &'static str {
        match self {
            Verdict::Unique => "unique",
            Verdict::Exact { .. } => "exact",
            Verdict::Near { .. } => "near",
            Verdict::Trap => "trap",
            Verdict::NotText => "not_text",
            Verdict::Error(_) => "error",
            Verdict::Redirect { .. } => "redirect",
            Verdict::Unchanged => "unchanged",
        }
    }
}

/// What a page is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    Unique,
    Exact(u32),
    Near(u32, u8),
    /// Of the same URL, fetched before.
    Own,
}

/// All pages seen so far, by their texts.
pub(crate) struct Classifier {
    similarity: u8,
    exact: HashMap<Fingerprint, u32>,
    near: Index,
    /// The page of each entry of the index.
    owners: Vec<u32>,
}

impl Classifier {
    pub(crate) fn new(similarity: u8) -> Classifier {
        Classifier {
            similarity,
            exact: HashMap::new(),
            near: Index::new(),
            owners: Vec::new(),
        }
    }

    /// What the document is like, which becomes one of those that later ones are compared with. `id` is its URL.
    pub(crate) fn classify(&mut self, id: u32, document: &Document) -> Likeness {
        if let Some(&of) = self.exact.get(&document.fingerprint) {
            return if of == id {
                Likeness::Own
            } else {
                Likeness::Exact(of)
            };
        }
        self.exact.insert(document.fingerprint, id);
        let Some(digest) = &document.digest else {
            return Likeness::Unique;
        };
        let best = self.best(digest);
        self.near.insert(digest);
        self.owners.push(id);
        match best {
            Some((of, _)) if of == id => Likeness::Own,
            Some((of, score)) => Likeness::Near(of, score),
            None => Likeness::Unique,
        }
    }

    /// The most similar earlier page, and of equals the earliest.
    fn best(&self, digest: &Digest) -> Option<(u32, u8)> {
        self.near
            .matches(digest, self.similarity)
            .into_iter()
            .max_by_key(|found| (found.score, std::cmp::Reverse(found.id)))
            .map(|found| (self.owners[found.id as usize], found.score))
    }
}
