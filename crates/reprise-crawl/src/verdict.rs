//! What a page is beside all earlier ones: unique, an exact duplicate, or a near one.

use std::cmp::Reverse;
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
    /// The latest content of each page, for when it is asked for again.
    latest: HashMap<u32, Fingerprint>,
    near: Index,
    /// Of each entry of the index: its page, and whether it was unique when it came.
    owners: Vec<(u32, bool)>,
}

impl Classifier {
    pub(crate) fn new(similarity: u8) -> Classifier {
        Classifier {
            similarity,
            exact: HashMap::new(),
            latest: HashMap::new(),
            near: Index::new(),
            owners: Vec::new(),
        }
    }

    /// What the document is like, which becomes one of those that later ones are compared with. `id` is its URL.
    pub(crate) fn classify(&mut self, id: u32, document: &Document) -> Likeness {
        if self.latest.insert(id, document.fingerprint) == Some(document.fingerprint) {
            return Likeness::Own;
        }
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
        self.owners.push((id, best.is_none()));
        match best {
            Some((of, _)) if of == id => Likeness::Own,
            Some((of, score)) => Likeness::Near(of, score),
            None => Likeness::Unique,
        }
    }

    /// The original: the most similar earlier page that was unique, and of equals the earliest. Where a page
    /// is like duplicates only, the most similar of these.
    fn best(&self, digest: &Digest) -> Option<(u32, u8)> {
        self.near
            .matches(digest, self.similarity)
            .into_iter()
            .map(|found| (self.owners[found.id as usize], found))
            .max_by_key(|((_, is_unique), found)| (*is_unique, found.score, Reverse(found.id)))
            .map(|((owner, _), found)| (owner, found.score))
    }
}

#[cfg(test)]
mod tests {
    use reprise_convert::Format;
    use reprise_fingerprint::HashKind;
    use reprise_fuzzy::Digest;

    use super::{Classifier, Likeness};
    use crate::analyse::Document;
    use crate::links::Links;

    fn document(text: &str) -> Document {
        Document {
            fingerprint: HashKind::Sha256.fingerprint(text.as_bytes()),
            digest: (!text.is_empty()).then(|| Digest::of(text.as_bytes())),
            shingles: Vec::new(),
            format: Format::Text,
            links: Links::default(),
        }
    }

    /// Lines that are all different.
    fn lines(from: u32, to: u32) -> String {
        (from..to)
            .map(|line| {
                format!(
                    "line {} of {}\n",
                    line.wrapping_mul(2_654_435_761),
                    line * line
                )
            })
            .collect::<Vec<_>>()
            .concat()
    }

    #[test]
    fn the_best_earlier_page_is_named() {
        let mut classifier = Classifier::new(90);
        let text = lines(0, 400);
        assert_eq!(classifier.classify(0, &document(&text)), Likeness::Unique);
        assert_eq!(classifier.classify(1, &document(&text)), Likeness::Exact(0));
        let near = format!("{text}one more line");
        let found = classifier.classify(2, &document(&near));
        assert!(matches!(found, Likeness::Near(0, 90..=100)), "{found:?}");
        assert_eq!(classifier.classify(3, &document(&near)), Likeness::Exact(2));
        assert_eq!(
            classifier.classify(4, &document(&lines(1000, 1400))),
            Likeness::Unique
        );
    }

    #[test]
    fn a_page_is_no_duplicate_of_itself() {
        let mut classifier = Classifier::new(90);
        let text = lines(0, 400);
        assert_eq!(classifier.classify(0, &document(&text)), Likeness::Unique);
        assert_eq!(classifier.classify(1, &document(&text)), Likeness::Exact(0));
        assert_eq!(classifier.classify(0, &document(&text)), Likeness::Own);
        assert_eq!(classifier.classify(1, &document(&text)), Likeness::Own);
        assert_eq!(
            classifier.classify(0, &document(&format!("{text}and more"))),
            Likeness::Own
        );
        assert_eq!(
            classifier.classify(1, &document(&lines(2000, 2400))),
            Likeness::Unique
        );
    }

    #[test]
    fn without_text_only_equal_bodies_are_equal() {
        let mut classifier = Classifier::new(90);
        assert_eq!(classifier.classify(0, &document("")), Likeness::Unique);
        assert_eq!(classifier.classify(1, &document("")), Likeness::Exact(0));
    }
}
