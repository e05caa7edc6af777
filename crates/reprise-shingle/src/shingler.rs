//! Computes the shingles of a document.

use crate::select::minima;
use crate::words::tokens;
use crate::{Shingles, phrases::phrases};

/// Collects the words of a document and computes its phrases and shingles.
///
/// Use one `Shingler` for many documents, one after the other. It keeps its memory, 16 bytes per word of
/// the longest document.
#[derive(Default)]
pub struct Shingler {
    tokens: Vec<u64>,
    /// The phrases. They are up to date if there are as many phrases as tokens.
    phrases: Vec<u64>,
    /// A buffer for the lower-case form of a word.
    lower: String,
}

impl Shingler {
    /// Creates a shingler with an empty document.
    pub fn new() -> Shingler {
        Shingler::default()
    }

    /// Starts a new document.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.phrases.clear();
    }

    /// Adds text without markup. A [word](crate::words()) never continues from one call to the next.
    pub fn add(&mut self, text: &str) {
        tokens(text, &mut self.lower, &mut self.tokens);
    }

    /// Adds a word, given as its token: its [`word_fingerprint`](crate::word_fingerprint).
    pub fn add_token(&mut self, token: u64) {
        self.tokens.push(token);
    }

    /// Returns the tokens of all words so far.
    pub fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// Returns the fingerprints of the phrases that begin at each word.
    pub fn phrases(&mut self) -> &[u64] {
        if self.phrases.len() != self.tokens.len() {
            phrases(&self.tokens, &mut self.phrases);
        }
        &self.phrases
    }

    /// Returns the shingles, or `None` for a document without words.
    pub fn shingles(&mut self) -> Option<Shingles> {
        let phrases = self.phrases();
        (!phrases.is_empty()).then(|| minima(phrases))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{oracle, word_fingerprint};

    #[test]
    fn a_document_without_words_has_no_shingles() {
        let mut shingler = Shingler::new();
        shingler.add(" -- ");
        assert_eq!(shingler.tokens(), []);
        assert_eq!(shingler.phrases(), []);
        assert_eq!(shingler.shingles(), None);
    }

    #[test]
    fn words_end_with_the_added_text() {
        let mut shingler = Shingler::new();
        shingler.add("some");
        shingler.add("thing else");
        let expected = ["some", "thing", "else"].map(word_fingerprint);
        assert_eq!(shingler.tokens(), expected);
        assert_eq!(shingler.phrases().len(), 3);
        // One more word changes all phrases that wrap around.
        shingler.add_token(word_fingerprint("again"));
        let expected = oracle::phrases(shingler.tokens());
        assert_eq!(shingler.phrases(), expected);
        shingler.clear();
        assert_eq!(shingler.shingles(), None);
    }

    #[test]
    fn repetitions_of_one_word_change_nothing() {
        let mut shingler = Shingler::new();
        shingler.add("word");
        let once = shingler.shingles();
        shingler.clear();
        shingler.add(&"word ".repeat(200_000));
        assert_eq!(shingler.tokens().len(), 200_000);
        assert_eq!(shingler.shingles(), once);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 1 } else { 6 }))]

        #[test]
        fn shingles_equal_the_oracle(words in proptest::collection::vec(0_u64..300, 1..3000)) {
            let mut shingler = Shingler::new();
            for word in &words {
                shingler.add(&format!("{word} "));
            }
            let phrases = oracle::phrases(shingler.tokens());
            prop_assert_eq!(shingler.phrases(), &phrases);
            prop_assert_eq!(shingler.shingles(), oracle::shingles(&phrases));
        }
    }

    proptest! {
        #[test]
        fn rotating_the_words_changes_nothing(
            words in proptest::collection::vec(any::<u64>(), 1..200),
            by in any::<proptest::sample::Index>(),
        ) {
            let shingles = |words: &[u64]| {
                let mut shingler = Shingler::new();
                for &word in words {
                    shingler.add_token(word);
                }
                shingler.shingles()
            };
            let mut rotated = words.clone();
            rotated.rotate_left(by.index(words.len()));
            prop_assert_eq!(shingles(&words), shingles(&rotated));
        }
    }
}
