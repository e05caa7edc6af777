//! Replaced, inserted and deleted words.

use reprise_imatch::SplitMix64;

use super::Splice;
use super::places::words;
use crate::page::Page;
use crate::vocabulary::Vocabulary;

/// Returns an edit for each word that replaces it by another one.
pub(super) fn replaced(
    page: &Page,
    vocabulary: &Vocabulary,
    random: &mut SplitMix64,
) -> Vec<Splice> {
    let words = words(page).into_iter();
    words
        .map(|(span, word)| Splice {
            span,
            with: vocabulary.draw_other(&word, random).to_owned(),
        })
        .collect()
}

/// Returns as many insertions as the page has words, each before a random word.
pub(super) fn inserted(
    page: &Page,
    vocabulary: &Vocabulary,
    random: &mut SplitMix64,
) -> Vec<Splice> {
    let words = words(page);
    let insert = |_| {
        let place = random.pick(&words)?.0.start;
        Some(Splice {
            span: place..place,
            with: format!("{} ", vocabulary.draw(random)),
        })
    };
    (0..words.len()).filter_map(insert).collect()
}

/// Returns an edit for each word that deletes it. If there is white space before the word, the edit also deletes
/// the white space after it.
pub(super) fn deleted(page: &Page) -> Vec<Splice> {
    let text = page.text();
    let words = words(page).into_iter();
    words
        .map(|(mut span, _)| {
            if text[..span.start].ends_with(char::is_whitespace) {
                let rest = &text[span.end..];
                span.end += rest.len() - rest.trim_start_matches([' ', '\t']).len();
            }
            Splice {
                span,
                with: String::new(),
            }
        })
        .collect()
}
