//! Compares a page with all earlier ones: it is unique, an exact duplicate or a near duplicate.

use std::cmp::Reverse;
use std::collections::HashMap;

use reprise_fingerprint::Fingerprint;
use reprise_fuzzy::{Digest, Index};

use crate::analyse::Document;

/// The class of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A page whose text is not similar to that of any earlier page.
    Unique,
    /// A page with the same plain text as an earlier page. Pages without text are exact duplicates if their bodies are
    /// equal.
    Exact {
        /// The URL of the first page with this text.
        of: String,
    },
    /// A page with nearly the same plain text as an earlier page.
    Near {
        /// The URL of the most similar earlier page. Unique pages come before duplicates, then the earliest counts.
        of: String,
        /// The score of the two fuzzy hashes, from the configured score to 100.
        score: u8,
    },
    /// A page of a suspected trap: its pattern continues without new content.
    Trap,
    /// A file that has no plain text.
    NotText,
    /// An error with this status, or a body that was refused (then the status is that of a success).
    Error(u16),
    /// A redirect.
    Redirect {
        /// The target; `None` if it cannot be fetched.
        to: Option<String>,
    },
    /// A page that was requested again and has not changed.
    Unchanged,
}

impl Verdict {
    /// Returns the name of the class.
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

/// The result of the comparison with earlier pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    Unique,
    Exact(u32),
    Near(u32, u8),
    /// The page equals or resembles an earlier capture of the same URL.
    Own,
}

/// The texts of all pages so far.
pub(crate) struct Classifier {
    score: u8,
    exact: HashMap<Fingerprint, u32>,
    /// The latest content of each page, to compare with when it is requested again.
    latest: HashMap<u32, Fingerprint>,
    near: Index,
    /// The page of each entry of the index, and whether the page was unique when it arrived.
    owners: Vec<(u32, bool)>,
}

impl Classifier {
    pub(crate) fn new(score: u8) -> Classifier {
        Classifier {
            score,
            exact: HashMap::new(),
            latest: HashMap::new(),
            near: Index::new(),
            owners: Vec::new(),
        }
    }

    /// Compares a document with all earlier ones and adds it to them. `id` identifies its URL.
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

    /// Returns the most similar earlier page and its score. Unique pages come before duplicates, and earlier pages
    /// before later ones with the same score.
    fn best(&self, digest: &Digest) -> Option<(u32, u8)> {
        self.near
            .matches(digest, self.score)
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

    /// Returns lines that all differ.
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
    fn the_most_similar_earlier_page_is_named() {
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
    fn a_page_is_not_a_duplicate_of_itself() {
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
    fn pages_without_text_are_compared_by_their_bodies() {
        let mut classifier = Classifier::new(90);
        assert_eq!(classifier.classify(0, &document("")), Likeness::Unique);
        assert_eq!(classifier.classify(1, &document("")), Likeness::Exact(0));
    }
}
