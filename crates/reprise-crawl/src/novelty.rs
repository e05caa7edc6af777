//! Decides whether a page has content that no earlier page had.
//!
//! Fuzzy hashes find pages that are nearly the same as *one* other page. The pages of an endless calendar are short and
//! differ in every date, so no two of them are similar enough; yet after some months each page consists of text that
//! other pages had. Therefore this module remembers phrases of three words, in which all numbers of up to four digits
//! are equal. A page with hardly any new phrase has no new content, even if it is unique. The result guides the order of
//! requests and the stop rule; it never makes a page a duplicate.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of words in a phrase.
const WORDS: usize = 3;
/// The number of new phrases that make a page new: about as many as two new words bring.
const FRESH_MIN: usize = 2 * WORDS + 1;
/// The longest number, in digits, that counts as equal to all others: days, years and page numbers.
const DIGITS_FOLDED: usize = 4;
/// The highest number of phrases of a page. The rest of the page is ignored.
const PAGE_SHINGLES_MAX: usize = 20_000;
/// The highest number of phrases that are remembered, about 200 MB. After that, all unknown phrases stay new.
const ALL_SHINGLES_MAX: usize = 20_000_000;

/// Returns the hashes of the phrases of a text, sorted and distinct.
pub(crate) fn shingles(text: &str) -> Vec<u32> {
    let words: Vec<u32> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(PAGE_SHINGLES_MAX)
        .map(word)
        .collect();
    let of = |words: &[u32]| {
        words.iter().fold(0u32, |hash, word| {
            (hash.rotate_left(11) ^ word).wrapping_mul(0x9e37_79b1)
        })
    };
    let mut all: Vec<u32> = if words.len() < WORDS {
        vec![of(&words)]
    } else {
        words.windows(WORDS).map(of).collect()
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the FNV-1a hash of a word in lower case.
fn word(word: &str) -> u32 {
    if word.len() <= DIGITS_FOLDED && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return 1;
    }
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(0x811c_9dc5, |hash, c| {
            (hash ^ u32::from(c)).wrapping_mul(0x0100_0193)
        })
}

/// The phrases of all pages so far.
#[derive(Debug, Default)]
pub(crate) struct Phrases {
    seen: HashSet<u32, BuildHasherDefault<AsIs>>,
}

impl Phrases {
    /// Adds the phrases of a page. Returns true if enough of them are new.
    pub(crate) fn add(&mut self, shingles: &[u32]) -> bool {
        let is_full = self.seen.len() >= ALL_SHINGLES_MAX;
        let fresh = shingles
            .iter()
            .filter(|shingle| {
                if is_full {
                    !self.seen.contains(*shingle)
                } else {
                    self.seen.insert(**shingle)
                }
            })
            .count();
        // A page with fewer phrases is new if all of them are.
        fresh >= FRESH_MIN.min(shingles.len())
    }
}

/// A hasher for values that are hashes already.
#[derive(Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        // The hash table uses the upper bits, so spread the value over them.
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = u64::from(value);
    }
}

#[cfg(test)]
mod tests {
    use super::{Phrases, shingles};

    #[test]
    fn a_calendar_soon_has_nothing_new() {
        let months = ["January", "February", "March", "April", "May", "June"];
        let mut phrases = Phrases::default();
        let page = |month: &str, year: u32| {
            shingles(&format!(
                "Events in {month} {year} Mon Tue Wed Thu Fri 1 2 3 4 5 no events next month"
            ))
        };
        assert!(phrases.add(&page("January", 2024)));
        for year in 2024..2030 {
            for month in months {
                assert!(!phrases.add(&page(month, year)), "{month} {year}");
            }
        }
    }

    #[test]
    fn new_words_are_new() {
        let mut phrases = Phrases::default();
        let template = "home about contact imprint privacy ".repeat(20);
        assert!(phrases.add(&shingles(&template)));
        assert!(phrases.add(&shingles(&format!(
            "{template} the quick brown fox jumps over the lazy dog"
        ))));
        assert!(!phrases.add(&shingles(&format!(
            "{template} the quick brown fox jumps over the lazy dog"
        ))));
        assert!(phrases.add(&shingles("tiny page")));
        assert!(!phrases.add(&shingles("Tiny, page!")));
        // Long numbers count as content.
        assert!(phrases.add(&shingles(
            "12345 23456 34567 45678 56789 67890 78901 89012 90123 10234"
        )));
        assert!(phrases.add(&shingles(
            "22345 33456 44567 55678 66789 77890 88901 99012 10123 20234"
        )));
    }
}
