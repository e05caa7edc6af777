//! A lexicon: the terms that count, with the statistics that chose them.

use std::fmt;

use reprise_fingerprint::{Fingerprint, HashKind};

use crate::statistics::Documents;
use crate::terms::{TermRules, Terms};
use crate::vocabulary::Vocabulary;

/// How the terms of a lexicon were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// By a band of document frequency.
    Frequency,
    /// By mutual information with the label.
    Information,
}

/// A term and in how many documents it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry<'a> {
    /// The term.
    pub term: &'a str,
    /// The documents of the training set that have it.
    pub documents: Documents,
}

/// Terms that count, in alphabetical order (that of their bytes), and where they come from.
///
/// Numbers of terms are places in this order.
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
    /// A lexicon of entries in any order, each term once.
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

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Is there no term?
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of a term that is in the lexicon.
    pub fn get(&self, term: &str) -> Option<u32> {
        self.vocabulary.get(term)
    }

    /// All entries in alphabetical order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.vocabulary
            .words()
            .zip(self.counts.iter())
            .map(|(term, &documents)| Entry { term, documents })
    }

    /// The rules that documents must be turned into terms by.
    pub fn rules(&self) -> TermRules {
        self.rules
    }

    /// How the terms were chosen.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// The documents of the training set.
    pub fn documents(&self) -> Documents {
        self.documents
    }

    /// What stands for the terms of the lexicon and for the rules, not for its statistics. Only
    /// signatures made with equal ones can be compared.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut bytes = crate::lexicon_file::rules_line(&self.rules).into_bytes();
        for term in self.vocabulary.words() {
            bytes.extend(term.as_bytes());
            bytes.push(b'\n');
        }
        HashKind::Sha256.fingerprint(&bytes)
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes() + self.counts.capacity() * size_of::<Documents>()
    }

    /// How many distinct terms of a document are in the lexicon.
    pub fn overlap(&self, terms: &Terms) -> usize {
        let mut numbers: Vec<u32> = terms.iter().filter_map(|term| self.get(term)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }

    /// The term with a number.
    pub(crate) fn term(&self, number: u32) -> &str {
        self.vocabulary.word(number)
    }
}
