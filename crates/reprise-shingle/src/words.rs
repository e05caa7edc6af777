//! Finds the words of a text.
//!
//! - [`ascii`]: finds words of ASCII letters and digits, many bytes at a time.
//! - [`runs`]: finds all other words, character by character.
//! - [`letters`]: tells which characters belong to a word, and converts them to lower case.

mod ascii;
mod letters;
mod runs;

use std::ops::Range;

use crate::polynomials;
use crate::rabin::Rabin;
use ascii::{AsciiWordBits, lower_case, number_at};

static WORDS: Rabin = Rabin::new(polynomials::WORDS);

/// Calls `see` for every word of a text, with its byte range and its lower-case form.
///
/// A word is a maximal run of letters and digits of any script ([`char::is_alphanumeric`]). Combining
/// marks, and other characters that extend the one before them, continue the run. If UAX 29 has a word
/// boundary inside the run, the run is split there: each Chinese character is a word, and each character
/// in Hiragana or Thai, but Katakana and Hangul are not split. Each character is converted to lower case
/// independently of its neighbours.
///
/// ```
/// let mut found = Vec::new();
/// reprise_shingle::words("Can't see № 10: Ärger, 東京!", |range, word| {
///     found.push((range.start, word.to_owned()));
/// });
/// let found: Vec<(usize, &str)> = found.iter().map(|(at, word)| (*at, word.as_str())).collect();
/// assert_eq!(
///     found,
///     [(0, "can"), (4, "t"), (6, "see"), (14, "10"), (18, "ärger"), (26, "東"), (29, "京")]
/// );
/// ```
pub fn words(text: &str, see: impl FnMut(Range<usize>, &str)) {
    struct Show<F>(F, String);

    impl<F: FnMut(Range<usize>, &str)> WordSink for Show<F> {
        fn ascii(&mut self, text: &str, range: Range<usize>) {
            let Self(see, lower) = self;
            lower.clear();
            lower.push_str(&text[range.clone()]);
            lower.make_ascii_lowercase();
            see(range, lower);
        }

        fn other(&mut self, range: Range<usize>, lower: &str) {
            self.0(range, lower);
        }
    }

    walk(text, &mut String::new(), &mut Show(see, String::new()));
}

/// Returns the token of a word: its fingerprint. The word must be in lower case.
pub fn word_fingerprint(word: &str) -> u64 {
    WORDS.fingerprint(word.as_bytes())
}

/// Appends the token of every word of a text. `lower` is a buffer.
pub(crate) fn tokens(text: &str, lower: &mut String, tokens: &mut Vec<u64>) {
    struct Collect<'a>(&'a mut Vec<u64>);

    impl WordSink for Collect<'_> {
        #[inline]
        fn ascii(&mut self, text: &str, range: Range<usize>) {
            self.0.push(ascii_fingerprint(text.as_bytes(), range));
        }

        fn other(&mut self, _: Range<usize>, lower: &str) {
            self.0.push(word_fingerprint(lower));
        }
    }

    walk(text, lower, &mut Collect(tokens));
}

/// Returns the token of a word of ASCII letters and digits in upper or lower case.
#[inline]
fn ascii_fingerprint(text: &[u8], range: Range<usize>) -> u64 {
    let Range { start: mut at, end } = range;
    if end - at < 8 {
        let letters = lower_case(number_at(text, at) >> (64 - 8 * (end - at)));
        return WORDS.short(letters, end - at);
    }
    let mut fingerprint = WORDS.empty();
    while end - at >= 8 {
        fingerprint = WORDS.extend_8(fingerprint, lower_case(number_at(text, at)));
        at += 8;
    }
    if at == end {
        return fingerprint;
    }
    let letters = lower_case(number_at(text, at) >> (64 - 8 * (end - at)));
    WORDS.extend_few(fingerprint, letters, end - at)
}

/// Receives the words of a text.
trait WordSink {
    /// Receives a word of ASCII letters and digits, not yet in lower case.
    fn ascii(&mut self, text: &str, range: Range<usize>);
    /// Receives any word, with its lower-case form.
    fn other(&mut self, range: Range<usize>, lower: &str);
}

/// Gives all words of a text to `sink`, in order.
fn walk(text: &str, lower: &mut String, sink: &mut impl WordSink) {
    let mut at = 0;
    while at < text.len() {
        let ascii = AsciiWordBits::at(text.as_bytes(), at);
        let mut next = at + ascii.len;
        let mut left = ascii.bits;
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            let end = start + (!(left >> start)).trailing_zeros() as usize;
            if end == ascii.len {
                // The word may continue after these bytes.
                next = at + start;
                break;
            }
            sink.ascii(text, at + start..at + end);
            left &= u64::MAX << end;
        }
        at = if ascii.is_full() && next > at {
            next
        } else {
            // The next character is not ASCII, or the word before it reaches up to it, or the word
            // is longer than the 64 bytes.
            runs::walk(text, next, lower, sink)
        };
    }
}

#[cfg(test)]
mod tests;
