//! Letters that look like others.

use reprise_text::{Content, visible_runs_in_page};

use super::Splice;
use crate::page::Page;

/// Every letter of the text that has a look-alike, swapped for it.
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
            // A letter that a reference stands for is not there, and one of a broken reference may be
            // what keeps it from being one.
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

/// Does this text end in an ampersand and the beginning of a name or number?
fn is_in_reference(before: &str) -> bool {
    // The longest name of a reference has 31 letters; a page may have words of any length.
    let mut end = before.bytes().rev().take(40);
    end.find(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#') == Some(b'&')
}

/// A letter of the Cyrillic script that is drawn like this Latin one.
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
