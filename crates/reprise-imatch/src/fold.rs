//! Undoes deceptive spellings: removes invisible characters and replaces look-alike letters.
//!
//! *Invisible* characters are removed from a text before its words are found: zero-width spaces and
//! joiners, soft hyphens, direction marks, variation selectors. They would split or change a word that
//! looks whole.
//!
//! *Look-alikes* are Cyrillic and Greek letters and full-width forms that look like a Latin letter or a
//! digit. A word is folded only if the result is all ASCII. A word with one foreign letter becomes the
//! word it looks like, while most Russian and Greek words do not change. A Russian word that consists
//! only of look-alikes is folded as well, but always to the same letters, so signatures still match.

use std::borrow::Cow;

/// Returns the text without invisible characters.
pub(crate) fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&char| !is_invisible(char)).collect())
}

/// Returns true if the character is neither visible nor a space.
fn is_invisible(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// Replaces `folded` with the Latin form of a word, in lower case. Returns false if the word is ASCII
/// already or has no Latin form.
pub(crate) fn fold_look_alikes(word: &str, folded: &mut String) -> bool {
    folded.clear();
    if word.is_ascii() {
        return false;
    }
    for char in word.chars() {
        let latin = if char.is_ascii() {
            Some(char)
        } else {
            look_alike(char)
        };
        match latin {
            Some(latin) => folded.push(latin.to_ascii_lowercase()),
            None => return false,
        }
    }
    true
}

/// Returns the ASCII letter or digit that a character of another script looks like.
///
/// Upper and lower case have separate entries: `Ν` looks like `N`, but `ν` looks like `v`.
fn look_alike(char: char) -> Option<char> {
    Some(match char {
        // Cyrillic, then Greek.
        'З' | 'з' => '3',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' => 'C',
        'Ԁ' => 'D',
        'Е' | 'Ё' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'І' | 'Ї' | 'Ӏ' | 'Ι' => 'I',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ԛ' => 'Q',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Ԝ' => 'W',
        'Х' | 'Χ' => 'X',
        'У' | 'Ү' | 'Υ' => 'Y',
        'Ζ' => 'Z',
        'а' | 'α' => 'a',
        'с' => 'c',
        'ԁ' => 'd',
        'е' | 'ё' => 'e',
        'һ' => 'h',
        'і' | 'ї' | 'ι' => 'i',
        'ј' => 'j',
        'κ' => 'k',
        'ӏ' => 'l',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'υ' => 'u',
        'ѵ' | 'ν' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'ү' => 'y',
        // Full-width forms of 0 to 9, A to Z and a to z.
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            char::from_u32(u32::from(char) - 0xff10 + 0x30)?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_fold_to_ascii() {
        let mut folded = String::new();
        assert!(fold_look_alikes("VІАGRА", &mut folded));
        assert_eq!(folded, "viagra");
        assert!(fold_look_alikes("ＦＲＥＥ９", &mut folded));
        assert_eq!(folded, "free9");
        assert!(!fold_look_alikes("живаго", &mut folded), "really Russian");
        assert!(!fold_look_alikes("plain", &mut folded), "nothing to fold");
        for char in '\u{80}'..='\u{ffff}' {
            assert!(look_alike(char).is_none_or(|latin| latin.is_ascii_alphanumeric()));
        }
    }

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(without_invisible("v\u{200b}i\u{ad}a\u{feff}gra"), "viagra");
        assert!(matches!(without_invisible("naïve 東京"), Cow::Borrowed(_)));
    }
}
