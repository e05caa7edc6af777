//! The fingerprints of phrases.

use crate::rabin::{Rabin, Step};
use crate::{PHRASE_WORDS, polynomials};

static PHRASES: Rabin = Rabin::new(polynomials::PHRASES);

/// Takes the first word out of a fingerprint that has just been extended past it: it stands
/// before [`PHRASE_WORDS`] words and the 64 zeros.
static LEAVE: Step = Step::new(polynomials::PHRASES, 64 * (PHRASE_WORDS as u32 + 1));

/// Puts the fingerprint of the phrase that begins at each word into `phrases`. The last word is
/// followed by the first, as often as needed.
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
        // With the word goes the one before all bits, which stood before it; there has to be one
        // behind it instead. Both are of the word's place: the one is x^64 there, and 1.
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
    fn few_words_go_round_and_round() {
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
        fn rolling_is_direct(tokens in proptest::collection::vec(any::<u64>(), 0..30)) {
            prop_assert_eq!(phrases_of(&tokens), oracle::phrases(&tokens));
        }
    }
}
