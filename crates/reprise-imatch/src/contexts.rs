//! In which company each term of a lexicon is expected: its valid neighbours on either side.

use reprise_fingerprint::Fingerprint;

use crate::lexicon::Lexicon;
use crate::terms::Terms;
use crate::vocabulary::Vocabulary;

/// The neighbour of the first and of the last term: the edge of the document.
pub(crate) const EDGE: u32 = u32::MAX;

/// A word that is no neighbour of anything.
const UNKNOWN: u32 = u32::MAX - 1;

/// Before or after a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The neighbour precedes the term.
    Before,
    /// The neighbour follows the term.
    After,
}

/// Which contexts are valid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ContextRule {
    /// Neighbours seen on that side of the term at least so often in the tuning corpus. This is also
    /// the rule of a least probability of the bigram among all bigrams of the corpus.
    Count(u32),
    /// Neighbours seen on that side in at least this share (0 to 1) of the term's occurrences.
    Share(f64),
}

/// On how many sides the context of an occurrence must be valid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sides {
    /// One is enough.
    Either,
    /// Both must be.
    Both,
}

/// Which contexts are kept, and how they are asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ContextConfig {
    /// Which contexts are valid. The paper uses a count of 15.
    pub rule: ContextRule,
    /// On how many sides an occurrence needs a valid one. The paper uses either.
    pub sides: Sides,
}

/// The valid contexts of all terms of a lexicon.
///
/// Neighbours are numbers of four bytes, sorted for each term and side; their words are stored once.
#[derive(Clone, Debug)]
pub struct Contexts {
    pub(crate) config: ContextConfig,
    /// Documents of the tuning corpus.
    pub(crate) documents: u64,
    /// Which lexicon they belong to.
    pub(crate) lexicon: Fingerprint,
    /// How many terms that lexicon has.
    pub(crate) terms: u32,
    /// The terms of the lexicon under their own numbers, then all other neighbours.
    pub(crate) vocabulary: Vocabulary,
    pub(crate) before: Lists,
    pub(crate) after: Lists,
}

/// A sorted list of neighbours for each term, all in one array.
#[derive(Clone, Default, Debug)]
pub(crate) struct Lists {
    /// Where the list of each term ends.
    ends: Vec<u32>,
    neighbours: Vec<u32>,
}

/// How many occurrences of lexicon terms were looked at, and how many stood in a valid context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Covered {
    /// Occurrences in a valid context.
    pub valid: u64,
    /// All occurrences.
    pub occurrences: u64,
}

impl Contexts {
    /// Which contexts are kept, and how they are asked for.
    pub fn config(&self) -> ContextConfig {
        self.config
    }

    /// Documents of the tuning corpus.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The fingerprint of the lexicon they belong to.
    pub fn lexicon(&self) -> Fingerprint {
        self.lexicon
    }

    /// How many contexts there are, on both sides of all terms.
    pub fn len(&self) -> usize {
        self.before.neighbours.len() + self.after.neighbours.len()
    }

    /// Is no context valid?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes() + self.before.bytes() + self.after.bytes()
    }

    /// Is a neighbour valid beside a term? `None` is the edge of the document.
    pub fn is_valid(&self, term: &str, side: Side, neighbour: Option<&str>) -> bool {
        let number = self.vocabulary.get(term).filter(|&term| term < self.terms);
        let neighbour = neighbour.map_or(Some(EDGE), |word| self.vocabulary.get(word));
        match (number, neighbour) {
            (Some(term), Some(neighbour)) => self.lists(side).has(term, neighbour),
            _ => false,
        }
    }

    /// How many occurrences of lexicon terms in a document stand in a valid context.
    pub fn covered(&self, document: &Terms) -> Covered {
        let mut covered = Covered::default();
        self.each_occurrence(document, |_, is_valid| {
            covered.occurrences += 1;
            covered.valid += u64::from(is_valid);
        });
        covered
    }

    /// Shows every occurrence of a lexicon term: its number, and whether its context is valid.
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

    /// A vocabulary in which the terms of a lexicon have their own numbers.
    pub(crate) fn vocabulary_of(lexicon: &Lexicon) -> Vocabulary {
        let mut vocabulary = Vocabulary::new();
        for entry in lexicon.entries() {
            vocabulary.insert(entry.term);
        }
        vocabulary
    }
}

impl Lists {
    /// Lists from pairs of term and neighbour in ascending order, for `terms` terms.
    pub(crate) fn of(terms: u32, pairs: &[(u32, u32)]) -> Self {
        let end_of = |term| pairs.partition_point(|pair| pair.0 <= term) as u32;
        Self {
            ends: (0..terms).map(end_of).collect(),
            neighbours: pairs.iter().map(|pair| pair.1).collect(),
        }
    }

    /// The neighbours of a term, ascending.
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
