//! The lexicon: the terms that count, with their document frequencies.

use std::fmt;

use reprise_fingerprint::{Fingerprint, HashKind};

use crate::statistics::Documents;
use crate::terms::{TermRules, Terms};
use crate::vocabulary::Vocabulary;

/// The criterion by which the terms of a lexicon are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// The document frequency.
    Frequency,
    /// The mutual information with the class.
    Information,
}

/// A term and its document frequency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry<'a> {
    /// The term.
    pub term: &'a str,
    /// The numbers of documents of the training set that contain the term.
    pub documents: Documents,
}

/// The terms that count, in the order of their bytes, and the training set they come from.
///
/// The number of a term is its index in this order.
#[derive(Clone, Debug)]
pub struct Lexicon {
    pub(crate) rules: TermRules,
    pub(crate) choice: Choice,
    pub(crate) documents: Documents,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) counts: Vec<Documents>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Frequency => "frequency",
            Self::Information => "information",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Choice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Lexicon {
    /// Creates a lexicon of entries in any order. Each term must occur once.
    pub(crate) fn of(
        rules: TermRules,
        choice: Choice,
        documents: Documents,
        mut entries: Vec<Entry<'_>>,
    ) -> Self {
        entries.sort_unstable_by_key(|entry| entry.term);
        let mut vocabulary = Vocabulary::new();
        for entry in &entries {
            vocabulary.insert(entry.term);
        }
        let counts = entries.iter().map(|entry| entry.documents).collect();
        Self {
            rules,
            choice,
            documents,
            vocabulary,
            counts,
        }
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns true if the lexicon has no terms.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the number of a term, or `None` if it is not in the lexicon.
    pub fn get(&self, term: &str) -> Option<u32> {
        self.vocabulary.get(term)
    }

    /// Returns all entries in the order of their numbers.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.vocabulary
            .words()
            .zip(self.counts.iter())
            .map(|(term, &documents)| Entry { term, documents })
    }

    /// Returns the rules by which documents must be turned into terms.
    pub fn rules(&self) -> TermRules {
        self.rules
    }

    /// Returns the criterion by which the terms were chosen.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// Returns the numbers of documents of the training set.
    pub fn documents(&self) -> Documents {
        self.documents
    }

    /// Returns the fingerprint of the terms and the rules, without the statistics. Only signatures by
    /// lexicons with equal fingerprints can be compared.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut bytes = crate::lexicon_file::rules_line(&self.rules).into_bytes();
        for term in self.vocabulary.words() {
            bytes.extend(term.as_bytes());
            bytes.push(b'\n');
        }
        HashKind::Sha256.fingerprint(&bytes)
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes() + self.counts.capacity() * size_of::<Documents>()
    }

    /// Returns the number of distinct terms of a document that are in the lexicon.
    pub fn overlap(&self, terms: &Terms) -> usize {
        let mut numbers: Vec<u32> = terms.iter().filter_map(|term| self.get(term)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }

    /// Returns the term with this number.
    pub(crate) fn term(&self, number: u32) -> &str {
        self.vocabulary.word(number)
    }
}
