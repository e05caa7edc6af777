//! Computes the fingerprints of phrases.

use crate::rabin::{Rabin, Step};
use crate::{PHRASE_WORDS, polynomials};

static PHRASES: Rabin = Rabin::new(polynomials::PHRASES);

/// Moves a word to its place in a fingerprint that has been extended past the phrase: before
/// [`PHRASE_WORDS`] words and the 64 zeros. Subtracting it there removes the first word of a phrase.
static LEAVE: Step = Step::new(polynomials::PHRASES, 64 * (PHRASE_WORDS as u32 + 1));

/// Replaces `phrases` with the fingerprints of the phrases that begin at each word. The first word
/// follows the last, as often as needed.
pub(crate) fn phrases(tokens: &[u64], phrases: &mut Vec<u64>) {
    phrases.clear();
    phrases.reserve(tokens.len());
    let mut circle = tokens.iter().cycle();
    let mut phrase = PHRASES.empty();
    for token in circle.by_ref().take(PHRASE_WORDS) {
        phrase = PHRASES.extend_8(phrase, *token);
    }
    for (first, next) in tokens.iter().zip(circle) {
        phrases.push(phrase);
        // The leading one bit leaves together with the word. A new one is needed after the word.
        // Seen from the place of the word, the old one is x^64 and the new one is 1.
        let leaving = LEAVE.apply(first ^ PHRASES.empty() ^ 1);
        phrase = PHRASES.extend_8(phrase, *next) ^ leaving;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::phrases;
    use crate::oracle;

    fn phrases_of(tokens: &[u64]) -> Vec<u64> {
        let mut found = vec![1, 2, 3];
        phrases(tokens, &mut found);
        found
    }

    #[test]
    fn few_words_repeat_around_the_circle() {
        let direct = |words: [u64; 5]| oracle::phrases(&words)[0];
        assert_eq!(phrases_of(&[]), []);
        assert_eq!(phrases_of(&[7]), [direct([7; 5])]);
        assert_eq!(
            phrases_of(&[7, 8]),
            [direct([7, 8, 7, 8, 7]), direct([8, 7, 8, 7, 8])]
        );
        assert_eq!(
            phrases_of(&[1, 2, 3, 4]),
            [
                direct([1, 2, 3, 4, 1]),
                direct([2, 3, 4, 1, 2]),
                direct([3, 4, 1, 2, 3]),
                direct([4, 1, 2, 3, 4])
            ]
        );
        assert_eq!(
            phrases_of(&[1, 2, 3, 4, 5]),
            [
                direct([1, 2, 3, 4, 5]),
                direct([2, 3, 4, 5, 1]),
                direct([3, 4, 5, 1, 2]),
                direct([4, 5, 1, 2, 3]),
                direct([5, 1, 2, 3, 4])
            ]
        );
        let six = phrases_of(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(six.len(), 6);
        assert_eq!(six[1], direct([2, 3, 4, 5, 6]));
        assert_eq!(six[2], direct([3, 4, 5, 6, 1]));
        assert_eq!(six[5], direct([6, 1, 2, 3, 4]));
    }

    proptest! {
        #[test]
        fn rolling_fingerprints_equal_direct_ones(tokens in proptest::collection::vec(any::<u64>(), 0..30)) {
            prop_assert_eq!(phrases_of(&tokens), oracle::phrases(&tokens));
        }
    }
}
