//! Numbers words: a hash table of 8-byte slots over one allocation of text.
//!
//! Words are numbered in the order of insertion, so results do not depend on the table. The hash has a
//! random key, so an attacker cannot prepare words that collide.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::terms::Terms;

/// The value of a free slot. No word has the number in its lower half.
const FREE: u64 = u64::MAX;

/// Distinct words, numbered from zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    words: Terms,
    /// The slots: none, or a power of two, of which at most three quarters are taken. The high half of a
    /// slot is that of the word's hash, so most other words are rejected without comparing them. The low
    /// half is the number of the word.
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

    /// Returns the word with a number that [`Self::insert`] returned.
    pub(crate) fn word(&self, number: u32) -> &str {
        self.words
            .get(number as usize)
            .expect("the number belongs to a word")
    }

    /// Returns all words in the order of their numbers.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> + Clone {
        self.words.iter()
    }

    /// Returns the number of a word, or `None` if it was not inserted.
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(word).0] {
            FREE => None,
            held => Some(held as u32),
        }
    }

    /// Returns the number of a word, and inserts the word if it is new.
    pub(crate) fn insert(&mut self, word: &str) -> u32 {
        if self.words.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let (slot, tag) = self.slot(word);
        if self.slots[slot] == FREE {
            let number = u32::try_from(self.words.len()).ok();
            // The last two numbers stand for the edge of a document and for unknown words.
            let number = number.filter(|&number| number < u32::MAX - 1);
            self.slots[slot] =
                tag | u64::from(number.expect("a vocabulary holds fewer than 2^32 - 2 words"));
            self.words.push(word);
        }
        self.slots[slot] as u32
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.bytes() + self.slots.capacity() * size_of::<u64>()
    }

    /// Returns the slot of a word, or the free slot where it would be, and the high half of its hash.
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
