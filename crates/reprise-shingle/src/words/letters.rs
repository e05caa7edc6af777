//! Tells which characters belong to a word, and converts them to lower case.
//!
//! The results are those of the standard library and of `unicode-segmentation`. The functions here are
//! faster for the most common characters. Tests compare them for all characters.

use unicode_segmentation::UnicodeSegmentation;

/// Returns true if the character is a letter or a digit.
#[inline]
pub(super) fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    is_common_letter(c) || stands_alone(c) || c.is_alphanumeric()
}

/// Returns true for the common letters that do not extend another character: most of Latin, Greek,
/// Cyrillic, Hebrew, Arabic, Katakana and Hangul.
#[inline]
fn is_common_letter(c: char) -> bool {
    matches!(c,
        '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2c1}' | '\u{3a3}'..='\u{3f5}'
        | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' | '\u{5d0}'..='\u{5ea}'
        | '\u{620}'..='\u{64a}' | '\u{30a1}'..='\u{30fa}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns true if the character certainly does not belong to a character before it that
/// [stands alone](stands_alone).
#[inline]
pub(super) fn begins_anew(c: char) -> bool {
    c.is_ascii() || is_common_letter(c) || stands_alone(c)
}

/// Returns true if the letter is a word by itself, together with the marks that extend it, next to any
/// neighbours. These are letters of scripts without spaces: Thai, Hiragana, Han.
#[inline]
pub(super) fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{e01}'..='\u{e30}' | '\u{e40}'..='\u{e46}')
}

/// Returns true if the character and a letter before it are one grapheme cluster. That holds for
/// combining marks and for the invisible joiner and non-joiner. Some of these characters are letters
/// themselves.
pub(super) fn continues(c: char) -> bool {
    match c {
        // ASCII, punctuation of Latin-1, General Punctuation after the joiners, punctuation of CJK
        // and of full-width forms.
        '\0'..='\u{bf}'
        | '\u{200e}'..='\u{20cf}'
        | '\u{3000}'..='\u{3029}'
        | '\u{ff00}'..='\u{ff9d}' => false,
        '\u{300}'..='\u{36f}' => true,
        _ if is_common_letter(c) || stands_alone(c) => false,
        _ => {
            let mut bytes = [b'a'; 5];
            let end = 1 + c.encode_utf8(&mut bytes[1..]).len();
            let both = str::from_utf8(&bytes[..end]).unwrap_or_default();
            both.graphemes(true).nth(1).is_none()
        }
    }
}

/// Returns true for the characters whose runs are never split by UAX 29: letters, digits and marks of
/// Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Devanagari and Hangul.
pub(super) fn stays_together(c: char) -> bool {
    matches!(c,
        '\0'..='\u{7f}' | '\u{c0}'..='\u{9f3}' | '\u{1e00}'..='\u{1fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Appends a character in lower case.
#[inline]
pub(super) fn push_lower(c: char, lower: &mut String) {
    match c {
        '\0'..='\u{7f}' => lower.push(c.to_ascii_lowercase()),
        // Lower-case letters of Latin-1 and Cyrillic, and scripts without case: Hebrew to Myanmar, CJK,
        // Hangul.
        '\u{df}'..='\u{ff}'
        | '\u{430}'..='\u{45f}'
        | '\u{590}'..='\u{109f}'
        | '\u{2e80}'..='\u{a63f}'
        | '\u{ac00}'..='\u{d7ff}' => lower.push(c),
        _ => lower.extend(c.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Debug builds are too slow for all of these characters.
    const STEP: usize = if cfg!(debug_assertions) { 19 } else { 1 };

    fn all() -> impl Iterator<Item = char> {
        '\0'..=char::MAX
    }

    #[test]
    fn letters_and_digits_are_those_of_the_standard_library() {
        for c in all() {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    fn letters_that_stand_alone_are_split_from_their_neighbours() {
        let neighbours = [
            "a",
            "1",
            "א",
            "ア",
            "가",
            "中",
            "の",
            "ก",
            "a\u{301}",
            "中\u{301}",
        ];
        for c in all().filter(|&c| stands_alone(c)).step_by(STEP) {
            for other in neighbours {
                let text = format!("{other}{c}\u{301}{other}");
                let expected = [other, &format!("{c}\u{301}"), other];
                assert!(text.split_word_bounds().eq(expected), "{c:?}");
            }
        }
    }

    #[test]
    fn continuing_characters_extend_a_letter() {
        for c in all().filter(|c| !c.is_control()) {
            let both = format!("a{c}");
            assert_eq!(continues(c), both.graphemes(true).count() == 1, "{c:?}");
        }
        for mark in [
            '\u{301}', '\u{64e}', '\u{5b8}', '\u{94d}', '\u{e48}', '\u{3099}', '\u{20dd}',
        ] {
            assert!(continues(mark), "{mark:?}");
        }
        for other in [
            ' ', '_', '\'', '’', '-', '\u{ad}', '\u{a0}', '。', '\u{feff}', '\u{200b}', '😀',
        ] {
            assert!(!continues(other), "{other:?}");
        }
    }

    #[test]
    fn runs_that_stay_together_are_never_split() {
        let in_words = |c: &char| c.is_alphanumeric() || continues(*c);
        for c in all()
            .filter(|&c| stays_together(c))
            .filter(in_words)
            .step_by(STEP)
        {
            for text in [
                format!("a{c}a"),
                format!("1{c}1"),
                format!("א{c}א"),
                format!("{c}{c}"),
            ] {
                assert_eq!(text.split_word_bounds().count(), 1, "{c:?}");
            }
        }
    }

    #[test]
    fn lower_case_is_that_of_the_standard_library() {
        let mut lower = String::new();
        for c in all() {
            lower.clear();
            push_lower(c, &mut lower);
            assert!(lower.chars().eq(c.to_lowercase()), "{c:?}");
        }
    }
}
