//! Letters of another script that look the same.

use reprise_text::{Content, visible_runs_in_page};

use super::Splice;
use crate::page::Page;

/// Returns an edit for each letter of the visible text that has a look-alike.
pub(super) fn swapped(page: &Page) -> Vec<Splice> {
    let text = page.text();
    let content = page.reading().content;
    let mut found = Vec::new();
    visible_runs_in_page(content, text, |run| {
        for (at, letter) in run.text.char_indices() {
            let Some(other) = look_alike(letter) else {
                continue;
            };
            let span = run.in_page(at..at + letter.len_utf8());
            // A letter that comes from a character reference cannot be edited. A letter after a bare `&` is
            // left alone: replacing it could create or destroy a reference.
            let is_itself = text[span.clone()].chars().eq([letter]);
            if is_itself && !(content == Content::Html && is_in_reference(&text[..span.start])) {
                found.push(Splice {
                    span,
                    with: other.to_string(),
                });
            }
        }
    });
    found
}

/// Returns true if the text ends in an ampersand and the beginning of a name or number.
fn is_in_reference(before: &str) -> bool {
    // The longest name of a reference has 31 letters. The limit bounds the time for long words.
    let mut end = before.bytes().rev().take(40);
    end.find(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#') == Some(b'&')
}

/// Returns the Cyrillic letter that looks like a Latin one.
fn look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'j' => 'ј',
        'o' => 'о',
        'p' => 'р',
        's' => 'ѕ',
        'x' => 'х',
        'y' => 'у',
        'A' => 'А',
        'B' => 'В',
        'C' => 'С',
        'E' => 'Е',
        'H' => 'Н',
        'I' => 'І',
        'J' => 'Ј',
        'K' => 'К',
        'M' => 'М',
        'O' => 'О',
        'P' => 'Р',
        'S' => 'Ѕ',
        'T' => 'Т',
        'X' => 'Х',
        _ => return None,
    })
}
