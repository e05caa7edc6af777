//! The terms of a document: its words in order, after folding and without those that say nothing.

use std::fmt;

use crate::fold::{fold_look_alikes, without_invisible};

/// What becomes of the words of a text. A lexicon remembers the rules it was trained under, since
/// signatures can be compared only where the rules are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TermRules {
    /// Remove characters that nobody sees, such as zero-width spaces, before words are found.
    pub remove_invisible: bool,
    /// Turn Cyrillic, Greek and full-width letters into the Latin ones they look like, in words
    /// that then are ASCII throughout.
    pub fold_look_alikes: bool,
    /// Leave out words of digits only.
    pub drop_numbers: bool,
    /// Leave out words with fewer characters than this. Where scripts write no spaces, each character
    /// is a word and stays.
    pub chars_min: u32,
    /// Leave out words with more characters than this.
    pub chars_max: u32,
}

/// The terms of a document in order, in one piece of memory.
///
/// Terms are words in lower case as [`reprise_shingle::words`] finds them. A word that the rules
/// leave out is not there at all: the words around it become neighbours.
///
/// ```
/// use reprise_imatch::{TermRules, Terms};
///
/// let rules = TermRules {
///     remove_invisible: true,
///     fold_look_alikes: true,
///     drop_numbers: true,
///     chars_min: 2,
///     chars_max: 20,
/// };
/// let terms = Terms::of("Buy \u{200b}V\u{200b}iagr\u{430} in 2004, a bargain", &rules);
/// assert_eq!(terms.iter().collect::<Vec<_>>(), ["buy", "viagra", "in", "bargain"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Terms {
    text: String,
    /// Where each term ends in the text; it begins where the one before it ends.
    ends: Vec<usize>,
}

impl Terms {
    /// No terms.
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// The terms of a text.
    pub fn of(text: &str, rules: &TermRules) -> Self {
        let mut terms = Self::new();
        terms.add(text, rules);
        terms
    }

    /// These words as they are. One without any letter or digit, or with white space or control
    /// characters in it, is no term and is left out.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut terms = Self::new();
        for word in words.into_iter().filter(|word| is_term(word)) {
            terms.push(word);
        }
        terms
    }

    /// Adds the terms of a text that goes on where the last one ended, in a word of its own.
    pub fn add(&mut self, text: &str, rules: &TermRules) {
        let text = if rules.remove_invisible {
            without_invisible(text)
        } else {
            text.into()
        };
        let mut folded = String::new();
        reprise_shingle::words(&text, |range, lower| {
            let is_folded = rules.fold_look_alikes && fold_look_alikes(&text[range], &mut folded);
            let word = if is_folded { &folded } else { lower };
            if rules.keep(word) && is_term(word) {
                self.push(word);
            }
        });
    }

    /// Removes all terms but keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// How many terms there are, repeated ones too.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no term?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The term at a place.
    pub fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    /// All terms in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// Adds a word that is known to be a term.
    pub(crate) fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends.push(self.text.len());
    }

    /// Adds all terms of another document.
    pub(crate) fn extend(&mut self, terms: &Terms) {
        for term in terms.iter() {
            self.push(term);
        }
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl TermRules {
    /// For mail and pages: no numbers, which are prices and dates, and nothing very short or long.
    pub const DEFAULT: TermRules = TermRules {
        remove_invisible: true,
        fold_look_alikes: true,
        drop_numbers: true,
        chars_min: 2,
        chars_max: 20,
    };

    /// Does a word in its last form stay?
    fn keep(&self, word: &str) -> bool {
        let chars = word.chars().count();
        let is_long = chars >= self.chars_min as usize || word.starts_with(is_syllable);
        is_long
            && chars <= self.chars_max as usize
            && !(self.drop_numbers && word.chars().all(char::is_numeric))
    }
}

/// Does a character stand for more than a sound? From Thai on, scripts without spaces are most of Unicode.
fn is_syllable(char: char) -> bool {
    char >= '\u{e00}'
}

/// Can this be a term? Files of terms need something that stands between terms, and signs for the
/// edges of documents.
pub(crate) fn is_term(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
        && !word.contains(|char: char| char.is_whitespace() || char.is_control())
}
