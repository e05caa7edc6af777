//! Counts the documents that contain each term, within a memory limit.
//!
//! If there are too many terms, those in the fewest documents are forgotten. Most terms of a large corpus
//! occur in only one or two documents and are too rare for a lexicon. A forgotten term that occurs again is
//! counted from zero, so a count may be too small, by at most [`Statistics::lost`].

use crate::lexicon::Entry;
use crate::terms::{TermRules, Terms};
use crate::vocabulary::Vocabulary;

/// The class of a training document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Wanted documents: legitimate mail (ham), pages of good sites.
    Good,
    /// Unwanted documents: spam.
    Bad,
}

/// The numbers of documents of each class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Documents {
    /// The number of all documents, including those of unknown class.
    pub all: u32,
    /// The number of documents of [`Class::Good`].
    pub good: u32,
    /// The number of documents of [`Class::Bad`].
    pub bad: u32,
}

/// The document frequencies of all terms of a training set.
#[derive(Clone, Debug)]
pub struct Statistics {
    rules: TermRules,
    documents: Documents,
    vocabulary: Vocabulary,
    counts: Vec<Documents>,
    /// For each term, the number of the last document that contains it, counted from one.
    last: Vec<u32>,
    bytes_max: usize,
    lost: u32,
}

impl Statistics {
    /// Creates empty statistics. All documents must be turned into terms by these rules.
    pub fn new(rules: TermRules) -> Self {
        Self::within(rules, usize::MAX)
    }

    /// Creates empty statistics with a memory limit. A single document may exceed it temporarily.
    pub fn within(rules: TermRules, bytes_max: usize) -> Self {
        Self {
            rules,
            bytes_max,
            lost: 0,
            documents: Documents::default(),
            vocabulary: Vocabulary::new(),
            counts: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Counts a document. A document without terms counts as well.
    pub fn add(&mut self, terms: &Terms, class: Option<Class>) {
        self.documents.add(class);
        for term in terms.iter() {
            let number = self.vocabulary.insert(term) as usize;
            if number == self.counts.len() {
                self.counts.push(Documents::default());
                self.last.push(0);
            }
            if self.last[number] != self.documents.all {
                self.last[number] = self.documents.all;
                self.counts[number].add(class);
            }
        }
        // Growing temporarily takes the same memory again, and forgetting takes half of it.
        if self.bytes() > self.bytes_max / 3 {
            self.forget();
        }
    }

    /// Forgets the terms in the fewest documents, until at most half of the terms are left.
    fn forget(&mut self) {
        let mut by_count: Vec<u32> = self.counts.iter().map(|count| count.all).collect();
        by_count.sort_unstable();
        let Some(&few) = by_count.get(by_count.len() / 2) else {
            return;
        };
        drop(by_count);
        self.lost = self.lost.saturating_add(few);
        let old = std::mem::take(&mut self.vocabulary);
        let (counts, last) = (
            std::mem::take(&mut self.counts),
            std::mem::take(&mut self.last),
        );
        for ((term, count), last) in old.words().zip(counts).zip(last) {
            if count.all > few {
                self.vocabulary.insert(term);
                self.counts.push(count);
                self.last.push(last);
            }
        }
    }

    /// Returns the rules by which documents are turned into terms.
    pub fn rules(&self) -> TermRules {
        self.rules
    }

    /// Returns the numbers of documents.
    pub fn documents(&self) -> Documents {
        self.documents
    }

    /// Returns the largest possible error of a count, caused by terms that were forgotten to save memory.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Returns the number of distinct terms, without the forgotten ones.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes()
            + self.counts.capacity() * size_of::<Documents>()
            + self.last.capacity() * size_of::<u32>()
    }

    /// Returns all terms with their counts, in the order of their first occurrence.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.vocabulary
            .words()
            .zip(&self.counts)
            .map(|(term, &documents)| Entry { term, documents })
    }
}

impl Documents {
    fn add(&mut self, class: Option<Class>) {
        self.all = self.all.checked_add(1).expect("documents fit in 32 bits");
        match class {
            Some(Class::Good) => self.good += 1,
            Some(Class::Bad) => self.bad += 1,
            None => {}
        }
    }

    /// Returns true if these can be the documents that contain a term, in a training set of `of`.
    pub(crate) fn is_part_of(self, of: Documents) -> bool {
        let rest = |documents: Documents| {
            let classified = documents.good.checked_add(documents.bad)?;
            documents.all.checked_sub(classified)
        };
        let (Some(rest_here), Some(rest_of)) = (rest(self), rest(of)) else {
            return false;
        };
        self.good <= of.good && self.bad <= of.bad && rest_here <= rest_of
    }
}
