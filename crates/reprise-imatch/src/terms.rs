//! The terms of a document: its words in order, after folding and without the excluded ones.

use std::fmt;

use crate::fold::{fold_look_alikes, without_invisible};

/// The rules by which the words of a text become terms. A lexicon stores its rules, because only
/// signatures under the same rules can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TermRules {
    /// Removes invisible characters, such as zero-width spaces, before words are found.
    pub remove_invisible: bool,
    /// Replaces Cyrillic, Greek and full-width letters by the Latin letters they look like, in words that
    /// become all ASCII.
    pub fold_look_alikes: bool,
    /// Excludes words that consist of digits.
    pub drop_numbers: bool,
    /// The smallest number of characters of a term. Words of scripts without spaces are never too short.
    pub chars_min: u32,
    /// The largest number of characters of a term.
    pub chars_max: u32,
}

/// The terms of a document in order, in one allocation.
///
/// Terms are words in lower case as [`reprise_shingle::words`] finds them. An excluded word leaves no gap:
/// the words around it become neighbours.
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
    /// The offset in `text` where each term ends. A term begins where the one before it ends.
    ends: Vec<usize>,
}

impl Terms {
    /// Creates an empty list of terms.
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// Returns the terms of a text.
    pub fn of(text: &str, rules: &TermRules) -> Self {
        let mut terms = Self::new();
        terms.add(text, rules);
        terms
    }

    /// Returns the given words as terms, without any folding. Words without a letter or digit, and words
    /// with white space or control characters, are left out.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut terms = Self::new();
        for word in words.into_iter().filter(|word| is_term(word)) {
            terms.push(word);
        }
        terms
    }

    /// Appends the terms of another text. A word never continues from one text to the next.
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

    /// Removes all terms and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Returns the number of terms, including repetitions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the term with this index.
    pub fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    /// Returns all terms in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// Appends a word that is known to be a term.
    pub(crate) fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.ends.push(self.text.len());
    }

    /// Appends all terms of another document.
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
    /// The default rules, for mail and pages. They exclude numbers, which are mostly prices and dates, and
    /// very short and very long words.
    pub const DEFAULT: TermRules = TermRules {
        remove_invisible: true,
        fold_look_alikes: true,
        drop_numbers: true,
        chars_min: 2,
        chars_max: 20,
    };

    /// Returns true if the rules keep a folded word.
    fn keep(&self, word: &str) -> bool {
        let chars = word.chars().count();
        let is_long = chars >= self.chars_min as usize || word.starts_with(is_syllable);
        is_long
            && chars <= self.chars_max as usize
            && !(self.drop_numbers && word.chars().all(char::is_numeric))
    }
}

/// Returns true if the character may be a word by itself. From Thai on, most of Unicode is scripts without
/// spaces.
fn is_syllable(char: char) -> bool {
    char >= '\u{e00}'
}

/// Returns true if a word can be a term. The files of terms need white space as separators and other
/// characters as signs for the edges of documents.
pub(crate) fn is_term(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
        && !word.contains(|char: char| char.is_whitespace() || char.is_control())
}
