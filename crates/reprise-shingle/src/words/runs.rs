//! Words of any characters, char by char.

use unicode_segmentation::UnicodeSegmentation;

use super::letters::{begins_anew, continues, is_alphanumeric, push_lower, stands_alone};
use super::{Seer, letters};

/// Shows the words from `at` on, until there is one that begins with ASCII or the text ends; says
/// where that is. A word that begins right at `at` is shown in any case.
pub(super) fn walk(text: &str, mut at: usize, lower: &mut String, seer: &mut impl Seer) -> usize {
    loop {
        let run = Run::of(&text[at..]);
        let mut show = |word: &str| {
            lower.clear();
            for c in word.chars() {
                push_lower(c, lower);
            }
            seer.other(at..at + word.len(), lower);
            at += word.len();
        };
        if run.text.is_empty() {
            // Nothing begins here.
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

/// Letters and digits in a row, with what belongs to them; or just one that stands alone.
struct Run<'a> {
    text: &'a str,
    /// Is it a single word, as far as can be told in passing?
    stays_together: bool,
}

impl<'a> Run<'a> {
    /// The run at the start of a text, perhaps of nothing.
    fn of(text: &'a str) -> Self {
        let mut is_alone = text.starts_with(stands_alone);
        let mut stays_together = true;
        let end = text.char_indices().find(|&(at, c)| {
            if at == 0 {
                // Letters that belong to one before have none here.
                stays_together = (is_alone || letters::stays_together(c)) && !continues(c);
                return !is_alphanumeric(c);
            }
            if stands_alone(c) || is_alone && begins_anew(c) {
                return true;
            }
            let is_letter = is_alphanumeric(c);
            let belongs = is_letter || continues(c);
            if is_alone && (is_letter || c == JOINER) {
                // It may belong to the one that stands alone or not: UAX 29 knows.
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
