//! Counts the neighbours of lexicon terms in a tuning corpus, within a memory limit.
//!
//! Neighbours are collected as 8-byte numbers (side, term, neighbour). When there are enough of them,
//! they are sorted and merged into a sorted table of counts. If the table then has too many rows, those
//! with the smallest counts are dropped, together with the words that no row refers to. Therefore a count
//! may be too small, by at most [`Bigrams::lost`].

use reprise_fingerprint::Fingerprint;

use crate::contexts::{ContextConfig, ContextRule, Contexts, EDGE, Lists, Side};
use crate::lexicon::Lexicon;
use crate::terms::Terms;
use crate::vocabulary::Vocabulary;

/// The smallest number of neighbours that are collected before they are counted.
const PENDING_MIN: usize = 1 << 16;

/// The bytes that a context takes while contexts are counted: two copies of its row, and a part of its
/// word.
const CONTEXT_BYTES: usize = 48;

/// The number of times that each neighbour occurs next to each term of a lexicon.
#[derive(Clone, Debug)]
pub struct Bigrams {
    lexicon: Fingerprint,
    terms: u32,
    rows_max: usize,
    documents: u64,
    vocabulary: Vocabulary,
    occurrences: Vec<u32>,
    pending: Vec<u64>,
    /// The counts, sorted by key.
    rows: Vec<(Key, u32)>,
    lost: u32,
}

/// Side (1 bit), term (31 bits) and neighbour (32 bits), in this order.
type Key = u64;

/// A neighbour of a term, with its count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Neighbour<'a> {
    /// The side of the term.
    pub side: Side,
    /// The word, or `None` for the edge of the document.
    pub word: Option<&'a str>,
    /// The number of occurrences.
    pub count: u32,
}

impl Bigrams {
    /// Creates empty counts. At most `rows_max` contexts are kept between merges. Each takes 16 bytes, and
    /// some more for its word.
    pub fn new(lexicon: &Lexicon, rows_max: usize) -> Self {
        Self {
            lexicon: lexicon.fingerprint(),
            terms: lexicon.len() as u32,
            rows_max,
            documents: 0,
            vocabulary: Contexts::vocabulary_of(lexicon),
            occurrences: vec![0; lexicon.len()],
            pending: Vec::new(),
            rows: Vec::new(),
            lost: 0,
        }
    }

    /// Creates empty counts that take about `bytes_max` bytes at most.
    pub fn within(lexicon: &Lexicon, bytes_max: usize) -> Self {
        Self::new(lexicon, bytes_max / CONTEXT_BYTES)
    }

    /// Counts the neighbours in a document.
    pub fn add(&mut self, document: &Terms) {
        self.documents += 1;
        let mut before = None;
        let mut terms = document.iter().peekable();
        while let Some(word) = terms.next() {
            if let Some(term) = self.vocabulary.get(word).filter(|&term| term < self.terms) {
                let after = terms.peek().copied();
                let numbers = [before, after].map(|neighbour: Option<&str>| {
                    neighbour.map_or(EDGE, |word| self.vocabulary.insert(word))
                });
                self.occurrences[term as usize] = self.occurrences[term as usize].saturating_add(1);
                self.pending.push(key(Side::Before, term, numbers[0]));
                self.pending.push(key(Side::After, term, numbers[1]));
            }
            before = Some(word);
            if self.pending.len() >= PENDING_MIN.max(self.rows.len() / 2) {
                self.count();
            }
        }
    }

    /// Returns the number of documents of the tuning corpus.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns the largest possible error of a count, caused by rows that were dropped to save memory.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Returns the number of occurrences of the lexicon term with this number.
    pub fn occurrences(&self, term: u32) -> u32 {
        self.occurrences[term as usize]
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.vocabulary.bytes()
            + self.occurrences.capacity() * size_of::<u32>()
            + self.pending.capacity() * size_of::<u64>()
            + self.rows.capacity() * size_of::<(Key, u32)>()
    }

    /// Returns the contexts that are valid by the rule.
    pub fn contexts(&mut self, config: &ContextConfig) -> Contexts {
        self.count();
        let kept: Vec<Key> = self
            .rows
            .iter()
            .filter(|(key, count)| self.is_kept(*key, *count, config.rule))
            .map(|row| row.0)
            .collect();
        let (vocabulary, renumber) = self.used(kept.iter().copied());
        let lists = |side| {
            let mut pairs: Vec<(u32, u32)> = kept
                .iter()
                .filter(|&&key| side_of(key) == side)
                .map(|&key| (term_of(key), renumbered(neighbour_of(key), &renumber)))
                .collect();
            pairs.sort_unstable();
            Lists::of(self.terms, &pairs)
        };
        Contexts {
            config: *config,
            documents: self.documents,
            lexicon: self.lexicon,
            terms: self.terms,
            before: lists(Side::Before),
            after: lists(Side::After),
            vocabulary,
        }
    }

    /// Returns all neighbours of the term with this number, the most frequent first, then in the order of
    /// sides and words.
    pub fn neighbours(&mut self, term: u32) -> Vec<Neighbour<'_>> {
        self.count();
        let mut found = Vec::new();
        for side in [Side::Before, Side::After] {
            let start = self.rows.partition_point(|row| row.0 < key(side, term, 0));
            let rows = self.rows[start..].iter();
            let rows = rows.take_while(|row| row.0 <= key(side, term, EDGE));
            found.extend(rows.map(|&(key, count)| Neighbour {
                side,
                word: self.word(neighbour_of(key)),
                count,
            }));
        }
        found.sort_by(|a, b| (b.count, a.side, a.word).cmp(&(a.count, b.side, b.word)));
        found
    }

    /// Returns the side, the number of the term and the count of each row.
    pub(crate) fn counts(&mut self) -> impl Iterator<Item = (Side, u32, u32)> {
        self.count();
        let rows = self.rows.iter();
        rows.map(|&(key, count)| (side_of(key), term_of(key), count))
    }

    fn is_kept(&self, key: Key, count: u32, rule: ContextRule) -> bool {
        match rule {
            ContextRule::Count(min) => count >= min,
            ContextRule::Share(min) => {
                f64::from(count) >= min * f64::from(self.occurrences(term_of(key)))
            }
        }
    }

    fn word(&self, number: u32) -> Option<&str> {
        (number != EDGE).then(|| self.vocabulary.word(number))
    }

    /// Merges the pending neighbours into the counts.
    fn count(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        self.pending.sort_unstable();
        let mut merged = Vec::with_capacity(self.rows.len() + self.pending.len() / 2);
        let mut rows = self.rows.iter().copied().peekable();
        for run in self.pending.chunk_by(|a, b| a == b) {
            while let Some(row) = rows.next_if(|row| row.0 < run[0]) {
                merged.push(row);
            }
            let seen = rows.next_if(|row| row.0 == run[0]).map_or(0, |row| row.1);
            merged.push((run[0], seen.saturating_add(run.len() as u32)));
        }
        merged.extend(rows);
        self.rows = merged;
        self.pending.clear();
        if self.rows.len() > self.rows_max {
            self.prune();
        }
    }

    /// Drops the smallest counts until at most half of the allowed rows are left.
    fn prune(&mut self) {
        let mut counts: Vec<u32> = self.rows.iter().map(|row| row.1).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let dropped = counts[self.rows_max / 2];
        self.rows.retain(|row| row.1 > dropped);
        self.lost = self.lost.saturating_add(dropped);
        let (vocabulary, renumber) = self.used(self.rows.iter().map(|row| row.0));
        for (key, _) in &mut self.rows {
            let neighbour = renumbered(neighbour_of(*key), &renumber);
            *key = self::key(side_of(*key), term_of(*key), neighbour);
        }
        self.rows.sort_unstable();
        self.rows.shrink_to_fit();
        self.vocabulary = vocabulary;
    }

    /// Returns the vocabulary without the words that no key refers to, and the new number of each old
    /// word.
    fn used(&self, keys: impl Iterator<Item = Key>) -> (Vocabulary, Vec<u32>) {
        let mut is_used = vec![false; self.vocabulary.len()];
        is_used[..self.terms as usize].fill(true);
        for neighbour in keys.map(neighbour_of).filter(|&number| number != EDGE) {
            is_used[neighbour as usize] = true;
        }
        let mut vocabulary = Vocabulary::new();
        let words = self.vocabulary.words().zip(is_used);
        let renumber = words
            .map(|(word, is_used)| {
                if is_used {
                    vocabulary.insert(word)
                } else {
                    EDGE
                }
            })
            .collect();
        (vocabulary, renumber)
    }
}

fn renumbered(neighbour: u32, renumber: &[u32]) -> u32 {
    renumber.get(neighbour as usize).copied().unwrap_or(EDGE)
}

fn key(side: Side, term: u32, neighbour: u32) -> Key {
    let side = u64::from(side == Side::After);
    side << 63 | u64::from(term) << 32 | u64::from(neighbour)
}

fn side_of(key: Key) -> Side {
    if key >> 63 == 0 {
        Side::Before
    } else {
        Side::After
    }
}

fn term_of(key: Key) -> u32 {
    (key >> 32) as u32 & (u32::MAX >> 1)
}

fn neighbour_of(key: Key) -> u32 {
    key as u32
}
