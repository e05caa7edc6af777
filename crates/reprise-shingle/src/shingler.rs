//! A document on its way to shingles.

use crate::select::minima;
use crate::words::tokens;
use crate::{Shingles, phrases::phrases};

/// Collects the words of a document, then samples its phrases.
///
/// One `Shingler` is meant for many documents, one after the other: it keeps its memory, which is
/// 16 bytes a word of the longest document.
#[derive(Default)]
pub struct Shingler {
    tokens: Vec<u64>,
    /// Of all words, if there are as many as words.
    phrases: Vec<u64>,
    /// The word at hand in lower case, where that takes room.
    lower: String,
}

impl Shingler {
    /// A document without words.
    pub fn new() -> Shingler {
        Shingler::default()
    }

    /// Forgets the document.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.phrases.clear();
    }

    /// Adds a stretch of text without markup. Its [`words`](crate::words()) do not go on from one
    /// stretch to the next.
    pub fn add(&mut self, text: &str) {
        tokens(text, &mut self.lower, &mut self.tokens);
    }

    /// Adds a word by its token, which is its [`word_fingerprint`](crate::word_fingerprint).
    pub fn add_token(&mut self, token: u64) {
        self.tokens.push(token);
    }

    /// The token of each word so far.
    pub fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// Fingerprint of the phrase that begins at each word.
    pub fn phrases(&mut self) -> &[u64] {
        if self.phrases.len() != self.tokens.len() {
            phrases(&self.tokens, &mut self.phrases);
        }
        &self.phrases
    }

    /// The shingles, or nothing for a document without words.
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
    fn a_document_without_words_has_nothing() {
        let mut shingler = Shingler::new();
        shingler.add(" -- ");
        assert_eq!(shingler.tokens(), []);
        assert_eq!(shingler.phrases(), []);
        assert_eq!(shingler.shingles(), None);
    }

    #[test]
    fn words_end_with_their_stretch() {
        let mut shingler = Shingler::new();
        shingler.add("some");
        shingler.add("thing else");
        let expected = ["some", "thing", "else"].map(word_fingerprint);
        assert_eq!(shingler.tokens(), expected);
        assert_eq!(shingler.phrases().len(), 3);
        // One more word changes all phrases that go round.
        shingler.add_token(word_fingerprint("again"));
        let expected = oracle::phrases(shingler.tokens());
        assert_eq!(shingler.phrases(), expected);
        shingler.clear();
        assert_eq!(shingler.shingles(), None);
    }

    #[test]
    fn one_word_over_and_over() {
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
        fn shingles_are_the_slow_ones(words in proptest::collection::vec(0_u64..300, 1..3000)) {
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
            fn a_circle_has_no_start(
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
