//! Finds the digests that match a given one, without comparing it with all of them.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::cut::{Cut, GRAM_BITS};
use crate::digest::Digest;
use crate::postings::Postings;
use crate::score::{EQUAL, Pattern};

/// An index that finds the digests matching a given one, without comparing it with all of them.
///
/// Digests that are equal, apart from runs of a character longer than three, are compared only once, so
/// many equal digests hardly slow down a query. A query compares each distinct digest that shares seven
/// characters in a row, so it is slow only if many digests do.
///
/// Memory: a distinct digest takes up to 84 entries of 16 to 20 bytes, one for each of its runs of seven
/// characters.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    groups: Vec<Group>,
    postings: Postings,
}

/// A digest that matches another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Match {
    /// The id that [`Index::insert`] returned.
    pub id: u32,
    /// The score of the two digests.
    pub score: u8,
}

#[derive(Clone, Debug)]
struct Entry {
    digest: Digest,
    /// The entry before this one in its group.
    before: Option<u32>,
}

/// Entries with the same [`Cut`].
#[derive(Clone, Debug)]
struct Group {
    cut: Cut,
    last: u32,
}

impl Index {
    /// Creates an empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a digest and returns its id. Ids count from zero.
    pub fn insert(&mut self, digest: &Digest) -> u32 {
        let id = u32::try_from(self.entries.len()).expect("an index holds fewer than 2^32 digests");
        let cut = Cut::of(digest);
        let before = if let Some(group) = self.group_of(&cut) {
            let group = &mut self.groups[group as usize];
            Some(std::mem::replace(&mut group.last, id))
        } else {
            let group = self.groups.len() as u32;
            self.postings.add(key_of_all(&cut), group);
            for (level, gram) in cut.grams() {
                self.postings.add(key_of_gram(level, gram), group);
            }
            self.groups.push(Group { cut, last: id });
            None
        };
        let digest = digest.clone();
        self.entries.push(Entry { digest, before });
        id
    }

    /// Returns the number of digests.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the index is empty.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the digest with this id.
    ///
    /// # Panics
    ///
    /// Panics if the index does not contain this id.
    pub fn digest(&self, id: u32) -> &Digest {
        &self.entries[id as usize].digest
    }

    /// Returns all digests that score at least `at_least` with this one, ordered by id.
    ///
    /// A score of 0 is not a match, so an `at_least` of 0 means 1.
    pub fn matches(&self, digest: &Digest, at_least: u8) -> Vec<Match> {
        let cut = Cut::of(digest);
        let mut matches = Vec::new();
        let mut seen = Seen::new(self.groups.len());
        if let Some(group) = self.group_of(&cut) {
            seen.insert(group);
            if EQUAL >= at_least {
                self.push_group(group, EQUAL, &mut matches);
            }
        }
        let pattern = Pattern::of(&cut);
        for (level, gram) in cut.grams() {
            for group in self.postings.of(key_of_gram(level, gram)) {
                if seen.insert(group) {
                    let score = pattern.score(&self.groups[group as usize].cut, at_least.max(1));
                    if score > 0 {
                        self.push_group(group, score, &mut matches);
                    }
                }
            }
        }
        matches.sort_unstable();
        matches
    }

    fn group_of(&self, cut: &Cut) -> Option<u32> {
        let mut groups = self.postings.of(key_of_all(cut));
        groups.find(|&group| self.groups[group as usize].cut == *cut)
    }

    fn push_group(&self, group: u32, score: u8, matches: &mut Vec<Match>) {
        let mut next = Some(self.groups[group as usize].last);
        while let Some(id) = next {
            matches.push(Match { id, score });
            next = self.entries[id as usize].before;
        }
    }
}

/// Returns the key of all digests with this gram.
fn key_of_gram(level: u8, gram: u64) -> u64 {
    u64::from(level) << GRAM_BITS | gram
}

/// Returns the key of all digests with this cut.
fn key_of_all(cut: &Cut) -> u64 {
    let mut hasher = DefaultHasher::new();
    cut.hash(&mut hasher);
    hasher.finish()
}

/// A set of small numbers, one bit each.
struct Seen(Vec<u64>);

impl Seen {
    fn new(numbers: usize) -> Self {
        Self(vec![0; numbers.div_ceil(64)])
    }

    /// Adds a number. Returns true if it was not in the set before.
    fn insert(&mut self, number: u32) -> bool {
        let word = &mut self.0[number as usize / 64];
        let bit = 1 << (number % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
