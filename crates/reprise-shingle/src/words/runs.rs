//! Finds words of any characters, character by character.

use unicode_segmentation::UnicodeSegmentation;

use super::letters::{begins_anew, continues, is_alphanumeric, push_lower, stands_alone};
use super::{WordSink, letters};

/// Gives the words from `at` on to `sink`, up to the first one that begins with an ASCII character.
///
/// Returns the offset of that word, or of the end of the text. A word that begins at `at` is always
/// given to `sink`.
pub(super) fn walk(
    text: &str,
    mut at: usize,
    lower: &mut String,
    sink: &mut impl WordSink,
) -> usize {
    loop {
        let run = Run::of(&text[at..]);
        let mut show = |word: &str| {
            lower.clear();
            for c in word.chars() {
                push_lower(c, lower);
            }
            sink.other(at..at + word.len(), lower);
            at += word.len();
        };
        if run.text.is_empty() {
            // No word begins here.
        } else if run.stays_together {
            show(run.text);
        } else {
            run.text.split_word_bounds().for_each(show);
        }
        let mut rest = text[at..].chars();
        loop {
            let here = text.len() - rest.as_str().len();
            match rest.next() {
                Some(c) if !is_alphanumeric(c) => {}
                Some(c) if !c.is_ascii() => {
                    at = here;
                    break;
                }
                _ => return here,
            }
        }
    }
}

const JOINER: char = '\u{200d}';

/// A run of letters and digits with the marks that extend them, or a single letter that stands alone.
struct Run<'a> {
    text: &'a str,
    /// True if the run is certainly a single word.
    stays_together: bool,
}

impl<'a> Run<'a> {
    /// Returns the run at the start of a text. It is empty if no word begins there.
    fn of(text: &'a str) -> Self {
        let mut is_alone = text.starts_with(stands_alone);
        let mut stays_together = true;
        let end = text.char_indices().find(|&(at, c)| {
            if at == 0 {
                // A letter that would extend the one before it has none here.
                stays_together = (is_alone || letters::stays_together(c)) && !continues(c);
                return !is_alphanumeric(c);
            }
            if stands_alone(c) || is_alone && begins_anew(c) {
                return true;
            }
            let is_letter = is_alphanumeric(c);
            let belongs = is_letter || continues(c);
            if is_alone && (is_letter || c == JOINER) {
                // Only UAX 29 tells whether it belongs to the letter that stands alone.
                (is_alone, stays_together) = (false, false);
            }
            stays_together &= !belongs || is_alone || letters::stays_together(c);
            !belongs
        });
        Self {
            text: end.map_or(text, |(at, _)| &text[..at]),
            stays_together,
        }
    }
}
