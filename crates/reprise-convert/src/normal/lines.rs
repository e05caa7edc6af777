//! Joins words that are hyphenated at the end of a line.

use std::cell::LazyCell;
use std::collections::HashSet;

const SOFT_HYPHEN: char = '\u{ad}';

/// Words before which a hyphen replaces an omitted word.
const SUSPENDING: [&str; 12] = [
    "and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en",
];

/// Joins words across line ends and drops soft hyphens. [`super::normalize`] states the rules.
pub(super) fn join_lines(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    // Computed on demand: few texts have a hyphen at a line end that needs the words as evidence.
    let words = LazyCell::new(|| Words::of(text));
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let left = line.trim_end();
        let right = lines.peek().map_or("", |next| next.trim_start());
        let right = &right[..length_while(right, char::is_alphanumeric)];
        let mut stem = left;
        let mut end = if lines.peek().is_some() { "\n" } else { "" };
        if left.ends_with(SOFT_HYPHEN) && !right.is_empty() {
            end = "";
        } else if let Some(before) = left.strip_suffix('-') {
            match joint(before, right, || words.keeps_hyphen(before, right)) {
                Joint::None => {}
                Joint::Hyphen => end = "",
                Joint::Word => (stem, end) = (before, ""),
            }
        }
        push_hard(&mut joined, if end.is_empty() { stem } else { line });
        joined.push_str(end);
        if end.is_empty()
            && let Some(next) = lines.peek_mut()
        {
            *next = next.trim_start();
        }
    }
    joined
}

fn push_hard(joined: &mut String, text: &str) {
    joined.extend(text.split(SOFT_HYPHEN));
}

/// The meaning of a hyphen at the end of a line.
enum Joint {
    /// It is not within a word.
    None,
    /// It belongs to the word.
    Hyphen,
    /// It only marks the line break.
    Word,
}

fn joint(before: &str, right: &str, keeps_hyphen: impl FnOnce() -> bool) -> Joint {
    let left = last_word(before);
    if left.is_empty() || right.is_empty() || SUSPENDING.contains(&right) {
        return Joint::None;
    }
    let rest = &before[..before.len() - left.len()];
    let is_kept = !right.starts_with(char::is_lowercase)
        || rest.ends_with(['-', '\u{2010}', '\u{2011}'])
        || left.ends_with(char::is_numeric)
        || left.chars().nth(1).is_none()
        || right.chars().nth(1).is_none()
        || keeps_hyphen();
    if is_kept { Joint::Hyphen } else { Joint::Word }
}

/// The words of a text that do not end in a hyphen.
struct Words(HashSet<String>);

impl Words {
    fn of(text: &str) -> Words {
        let words = text.split(|char: char| !char.is_alphanumeric() && char != '-');
        let words = words.filter(|word| !word.ends_with('-'));
        Words(words.map(str::to_lowercase).collect())
    }

    fn keeps_hyphen(&self, before: &str, right: &str) -> bool {
        let (left, right) = (last_word(before).to_lowercase(), right.to_lowercase());
        self.0.contains(&format!("{left}-{right}")) && !self.0.contains(&(left + &right))
    }
}

fn length_while(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|char| !is_part(char)).unwrap_or(text.len())
}

fn last_word(text: &str) -> &str {
    let others = text.trim_end_matches(char::is_alphanumeric);
    &text[others.len()..]
}
