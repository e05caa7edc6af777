//! In how many documents each term occurs: what lexicons are chosen from, within a bound of memory.
//!
//! When there are too many terms, those in the fewest documents go; most terms of a large corpus are in one or two,
//! and no lexicon has them. One that comes again is counted anew, so a count may be too small, at most by what
//! [`Statistics::lost`] says.

use crate::lexicon::Entry;
use crate::terms::{TermRules, Terms};
use crate::vocabulary::Vocabulary;

/// What a document was labelled as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Wanted: legitimate mail, pages of good sites.
    Good,
    /// Unwanted: spam.
    Bad,
}

/// How many documents there are of each class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Documents {
    /// All documents, labelled or not.
    pub all: u32,
    /// Those labelled [`Class::Good`].
    pub good: u32,
    /// Those labelled [`Class::Bad`].
    pub bad: u32,
}

/// Document frequencies of all terms of a training set, which is added document by document.
#[derive(Clone, Debug)]
pub struct Statistics {
    rules: TermRules,
    documents: Documents,
    vocabulary: Vocabulary,
    counts: Vec<Documents>,
    /// For each term, the number of the last document that had it, counted from one.
    last: Vec<u32>,
    bytes_max: usize,
    lost: u32,
}

impl Statistics {
    /// Nothing counted yet. `rules` are those by which all documents are turned into terms.
    pub fn new(rules: TermRules) -> Self {
        Self::within(rules, usize::MAX)
    }

    /// The same within a bound of memory, which one document may exceed for a moment.
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

    /// Counts a document. One without terms is a document all the same.
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
        // Growing takes as much again for a moment, and forgetting half of it.
        if self.bytes() > self.bytes_max / 3 {
            self.forget();
        }
    }

    /// Forgets the terms in the fewest documents, until half of the terms or fewer are left.
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

    /// The rules given at the beginning.
    pub fn rules(&self) -> TermRules {
        self.rules
    }

    /// How many documents were counted.
    pub fn documents(&self) -> Documents {
        self.documents
    }

    /// The most that any count may be short of the truth, because terms had to go.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// How many different terms they have, as far as these are remembered.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes()
            + self.counts.capacity() * size_of::<Documents>()
            + self.last.capacity() * size_of::<u32>()
    }

    /// All terms with their counts, in the order they were first seen.
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

    /// Can these be the documents of a term, where there are `of` in all?
    pub(crate) fn is_part_of(self, of: Documents) -> bool {
        let rest = |documents: Documents| {
            let labelled = documents.good.checked_add(documents.bad)?;
            documents.all.checked_sub(labelled)
        };
        let (Some(rest_here), Some(rest_of)) = (rest(self), rest(of)) else {
            return false;
        };
        self.good <= of.good && self.bad <= of.bad && rest_here <= rest_of
    }
}
