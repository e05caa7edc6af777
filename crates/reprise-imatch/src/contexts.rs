//! The valid neighbours of lexicon terms on both sides.

use reprise_fingerprint::Fingerprint;

use crate::lexicon::Lexicon;
use crate::terms::Terms;
use crate::vocabulary::Vocabulary;

/// The number of the edge of a document, which is a neighbour of its first and of its last term.
pub(crate) const EDGE: u32 = u32::MAX;

/// The number of all words that are not valid neighbours of any term.
const UNKNOWN: u32 = u32::MAX - 1;

/// A side of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The neighbour precedes the term.
    Before,
    /// The neighbour follows the term.
    After,
}

/// The rule by which a neighbour is a valid context.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ContextRule {
    /// The neighbour occurs at least this number of times on that side of the term in the tuning corpus.
    /// This is equivalent to a minimum probability of the bigram among all bigrams of the corpus.
    Count(u32),
    /// The neighbour occurs on that side in at least this share (0 to 1) of the term's occurrences.
    Share(f64),
}

/// The sides of an occurrence that must have a valid context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sides {
    /// One side is enough.
    Either,
    /// Both sides must have a valid context.
    Both,
}

/// The configuration of contexts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ContextConfig {
    /// The rule by which a neighbour is a valid context. The paper uses a count of 15.
    pub rule: ContextRule,
    /// The sides of an occurrence that must have a valid context. The paper uses either.
    pub sides: Sides,
}

/// The valid contexts of all terms of a lexicon.
///
/// Neighbours are stored as 4-byte numbers, sorted for each term and side. Each word is stored once.
#[derive(Clone, Debug)]
pub struct Contexts {
    pub(crate) config: ContextConfig,
    /// The number of documents of the tuning corpus.
    pub(crate) documents: u64,
    /// The fingerprint of the lexicon.
    pub(crate) lexicon: Fingerprint,
    /// The number of terms of the lexicon.
    pub(crate) terms: u32,
    /// The terms of the lexicon with the same numbers as in the lexicon, then all other neighbours.
    pub(crate) vocabulary: Vocabulary,
    pub(crate) before: Lists,
    pub(crate) after: Lists,
}

/// A sorted list of neighbours for each term. All lists are in one array.
#[derive(Clone, Default, Debug)]
pub(crate) struct Lists {
    /// The index in `neighbours` where the list of each term ends.
    ends: Vec<u32>,
    neighbours: Vec<u32>,
}

/// The numbers of occurrences of lexicon terms in a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Covered {
    /// The number of occurrences in a valid context.
    pub valid: u64,
    /// The number of all occurrences.
    pub occurrences: u64,
}

impl Contexts {
    /// Returns the configuration of the contexts.
    pub fn config(&self) -> ContextConfig {
        self.config
    }

    /// Returns the number of documents of the tuning corpus.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns the fingerprint of the lexicon that the contexts belong to.
    pub fn lexicon(&self) -> Fingerprint {
        self.lexicon
    }

    /// Returns the number of valid contexts, on both sides of all terms.
    pub fn len(&self) -> usize {
        self.before.neighbours.len() + self.after.neighbours.len()
    }

    /// Returns true if no context is valid.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes() + self.before.bytes() + self.after.bytes()
    }

    /// Returns true if the neighbour is a valid context of the term on this side. `None` is the edge of
    /// the document.
    pub fn is_valid(&self, term: &str, side: Side, neighbour: Option<&str>) -> bool {
        let number = self.vocabulary.get(term).filter(|&term| term < self.terms);
        let neighbour = neighbour.map_or(Some(EDGE), |word| self.vocabulary.get(word));
        match (number, neighbour) {
            (Some(term), Some(neighbour)) => self.lists(side).has(term, neighbour),
            _ => false,
        }
    }

    /// Counts the occurrences of lexicon terms in a document, and those in a valid context.
    pub fn covered(&self, document: &Terms) -> Covered {
        let mut covered = Covered::default();
        self.each_occurrence(document, |_, is_valid| {
            covered.occurrences += 1;
            covered.valid += u64::from(is_valid);
        });
        covered
    }

    /// Calls `see` for every occurrence of a lexicon term, with the number of the term and whether its
    /// context is valid.
    pub(crate) fn each_occurrence(&self, document: &Terms, mut see: impl FnMut(u32, bool)) {
        let mut before = EDGE;
        let mut terms = document.iter();
        let number = |word| self.vocabulary.get(word).unwrap_or(UNKNOWN);
        let mut here = terms.next().map_or(EDGE, number);
        while here != EDGE {
            let after = terms.next().map_or(EDGE, number);
            if here < self.terms {
                see(here, self.holds(before, here, after));
            }
            (before, here) = (here, after);
        }
    }

    fn holds(&self, before: u32, term: u32, after: u32) -> bool {
        match self.config.sides {
            Sides::Either => self.before.has(term, before) || self.after.has(term, after),
            Sides::Both => self.before.has(term, before) && self.after.has(term, after),
        }
    }

    pub(crate) fn lists(&self, side: Side) -> &Lists {
        match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }

    /// Returns a vocabulary in which terms have the same numbers as in the lexicon.
    pub(crate) fn vocabulary_of(lexicon: &Lexicon) -> Vocabulary {
        let mut vocabulary = Vocabulary::new();
        for entry in lexicon.entries() {
            vocabulary.insert(entry.term);
        }
        vocabulary
    }
}

impl Lists {
    /// Creates the lists of `terms` terms from sorted pairs of term and neighbour.
    pub(crate) fn of(terms: u32, pairs: &[(u32, u32)]) -> Self {
        let end_of = |term| pairs.partition_point(|pair| pair.0 <= term) as u32;
        Self {
            ends: (0..terms).map(end_of).collect(),
            neighbours: pairs.iter().map(|pair| pair.1).collect(),
        }
    }

    /// Returns the sorted neighbours of a term.
    pub(crate) fn of_term(&self, term: u32) -> &[u32] {
        let term = term as usize;
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.neighbours[start as usize..self.ends[term] as usize]
    }

    #[inline]
    fn has(&self, term: u32, neighbour: u32) -> bool {
        neighbour != UNKNOWN && self.of_term(term).binary_search(&neighbour).is_ok()
    }

    fn bytes(&self) -> usize {
        (self.ends.capacity() + self.neighbours.capacity()) * size_of::<u32>()
    }
}
