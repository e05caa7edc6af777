//! Words with numbers: a hash table of eight bytes a slot over one piece of text.
//!
//! Numbers are given in the order of insertion, so nothing depends on the table. Its hash has a
//! random key, which keeps prepared words from all falling into one place.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::terms::Terms;

/// What a slot without a word holds. No word has the last number.
const FREE: u64 = u64::MAX;

/// Distinct words, numbered from zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    words: Terms,
    /// A power of two of slots, at most three quarters of them taken; or none at all. The high half
    /// is that of the word's hash, so that other words are told apart without a look at them.
    slots: Vec<u64>,
    keys: RandomState,
}

impl Vocabulary {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The word with a number that [`Self::insert`] gave.
    pub(crate) fn word(&self, number: u32) -> &str {
        self.words
            .get(number as usize)
            .expect("the number was given to a word")
    }

    /// All words by their numbers.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> + Clone {
        self.words.iter()
    }

    /// The number of a word that is there.
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(word).0] {
            FREE => None,
            held => Some(held as u32),
        }
    }

    /// The number of a word, which is added if it is new.
    pub(crate) fn insert(&mut self, word: &str) -> u32 {
        if self.words.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let (slot, tag) = self.slot(word);
        if self.slots[slot] == FREE {
            let number = u32::try_from(self.words.len()).ok();
            // The two last numbers have meanings of their own.
            let number = number.filter(|&number| number < u32::MAX - 1);
            self.slots[slot] = tag | u64::from(number.expect("words are fewer than 2^32"));
            self.words.push(word);
        }
        self.slots[slot] as u32
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.slots.capacity() * size_of::<u64>()
    }

    /// Where a word is, or would be, and the high half of its hash.
    fn slot(&self, word: &str) -> (usize, u64) {
        let last = self.slots.len() - 1;
        let hash = self.keys.hash_one(word);
        let tag = hash & !u64::from(u32::MAX);
        let mut slot = hash as usize & last;
        loop {
            let held = self.slots[slot];
            let is_alike = held & !u64::from(u32::MAX) == tag;
            if held == FREE || is_alike && self.word(held as u32) == word {
                return (slot, tag);
            }
            slot = (slot + 1) & last;
        }
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; (self.slots.len() * 2).max(16)];
        for number in 0..self.words.len() as u32 {
            let (slot, tag) = self.slot(self.word(number));
            self.slots[slot] = tag | u64::from(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let mut vocabulary = Vocabulary::new();
        assert_eq!(vocabulary.get("0"), None);
        for number in 0..1000 {
            assert_eq!(vocabulary.insert(&number.to_string()), number);
            assert_eq!(vocabulary.insert(&(number / 2).to_string()), number / 2);
        }
        for number in 0..1000 {
            assert_eq!(vocabulary.get(&number.to_string()), Some(number));
            assert_eq!(vocabulary.word(number), number.to_string());
        }
        assert_eq!((vocabulary.len(), vocabulary.get("1000")), (1000, None));
        assert_eq!(vocabulary.words().count(), 1000);
    }
}
