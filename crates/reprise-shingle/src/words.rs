//! The words of a text.
//!
//! - [`ascii`]: finds words of ASCII letters and digits, many bytes at a time.
//! - [`runs`]: finds all others, char by char.
//! - [`letters`]: what belongs to a word, and lower case.

mod ascii;
mod letters;
mod runs;

use std::ops::Range;

use crate::polynomials;
use crate::rabin::Rabin;
use ascii::{AsciiWordBits, lower_case, number_at};

static WORDS: Rabin = Rabin::new(polynomials::WORDS);

/// Calls `see` with every word of a text: its bytes in the text, and its lower-case form.
///
/// A word is a run of letters and digits of any script, as long as possible
/// ([`char::is_alphanumeric`]); a combining mark, or whatever else belongs to the character before
/// it, goes on with the word. Where Unicode sees the boundary of a word inside the run (UAX 29), the
/// run is cut: each Chinese character is a word, and so is each character in Hiragana or Thai, but
/// not in Katakana or Hangul. Lower case is that of each character by itself.
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

    impl<F: FnMut(Range<usize>, &str)> Seer for Show<F> {
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

/// The token of one word in lower case: its fingerprint.
pub fn word_fingerprint(word: &str) -> u64 {
    WORDS.fingerprint(word.as_bytes())
}

/// Adds the token of every word. `lower` is room to work in.
pub(crate) fn tokens(text: &str, lower: &mut String, tokens: &mut Vec<u64>) {
    struct Collect<'a>(&'a mut Vec<u64>);

    impl Seer for Collect<'_> {
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

/// The token of a word of ASCII letters and digits in any case.
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

/// Wants to see words.
trait Seer {
    /// A word of ASCII letters and digits, in the case it has in the text.
    fn ascii(&mut self, text: &str, range: Range<usize>);
    /// Another word, or one of ASCII all the same.
    fn other(&mut self, range: Range<usize>, lower: &str);
}

/// Shows all words of a text, in order.
fn walk(text: &str, lower: &mut String, seer: &mut impl Seer) {
    let mut at = 0;
    while at < text.len() {
        let ascii = AsciiWordBits::at(text.as_bytes(), at);
        let mut next = at + ascii.len;
        let mut left = ascii.bits;
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            let end = start + (!(left >> start)).trailing_zeros() as usize;
            if end == ascii.len {
                // It may go on behind the window.
                next = at + start;
                break;
            }
            seer.ascii(text, at + start..at + end);
            left &= u64::MAX << end;
        }
        at = if ascii.is_full() && next > at {
            next
        } else {
            // Here is something beyond ASCII, a word that leads up to it, or one longer than
            // the window.
            runs::walk(text, next, lower, seer)
        };
    }
}

#[cfg(test)]
mod tests;
