//! The words that edits put into pages.

use std::collections::BTreeSet;

use reprise_imatch::SplitMix64;

use crate::page::Page;

/// With fewer words than this in the pages, the built-in words are added.
const WORDS_MIN: usize = 100;

/// The most letters of a word. Longer ones are mostly identifiers and addresses.
const CHARS_MAX: usize = 20;

/// Ordinary words, for pages with few words.
const BUILT_IN: &str = "about above across after again all along also always among and another answer around away \
    back because become before begin below best better between both bread bring build business by call came \
    carry change city clear close cold come could country course cover cross dark deep different door down \
    draw dry early earth easy enough even every example face fact fall farm father few field figure find fire \
    first follow food form found friend full garden general give good great green ground group grow half hand \
    hard head hear help here high hold home horse hour house idea island keep kind king know land large last \
    late learn leave letter life light line list little long look machine make man many map mark mean money \
    moon morning mother mountain move much music name near never new night north note number ocean often old \
    only open order other over own page paper part pass pattern people piece place plain plan plant play point \
    power problem produce question quick rain read ready real red rest right river road rock room round rule \
    run same school science sea second see sentence ship short side simple sing sleep slow small snow song \
    sound south special stand star start state stay step stone stop story street strong study sun surface table \
    talk teach tell test thing think time town travel tree true turn under unit use usual voice wait walk war \
    warm watch water way week well west white whole wind window winter wonder wood word work world write year young";

/// Distinct words, from which edits draw with equal probability.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    words: Vec<String>,
}

impl Vocabulary {
    /// Collects the visible words of `pages` that consist of letters, in lower case.
    pub fn of<'p>(pages: impl IntoIterator<Item = &'p Page>) -> Self {
        let mut words = BTreeSet::new();
        for page in pages {
            page.each_word(|_, word| {
                if word.chars().count() <= CHARS_MAX && word.chars().all(char::is_alphabetic) {
                    words.insert(word.to_owned());
                }
            });
        }
        if words.len() < WORDS_MIN {
            words.extend(BUILT_IN.split_whitespace().map(str::to_owned));
        }
        Self {
            words: words.into_iter().collect(),
        }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns false: there are at least the built-in words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Draws a word.
    pub(crate) fn draw(&self, random: &mut SplitMix64) -> &str {
        &self.words[random.below(self.words.len())]
    }

    /// Draws a word that differs from `word`.
    pub(crate) fn draw_other(&self, word: &str, random: &mut SplitMix64) -> &str {
        loop {
            let drawn = self.draw(random);
            if drawn != word {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use reprise_convert::Format;
    use reprise_imatch::SplitMix64;
    use reprise_text::Content;

    use super::{Vocabulary, WORDS_MIN};
    use crate::page::{Page, Reading};

    #[test]
    fn built_in_words_are_added_to_few_words() {
        let reading = Reading {
            content: Content::Html,
            format: Format::Html,
        };
        let of = |text: &str| Vocabulary::of([&Page::new(reading, text.to_owned())]);
        let built_in = of("").len();
        assert!(built_in > 2 * WORDS_MIN);
        assert_eq!(
            of("<p>and <b>Zyzzyva</b> 7 x86 <script>var").len(),
            built_in + 1
        );

        let mut letters = String::new();
        for first in 'a'..='z' {
            letters.extend(('a'..='z').flat_map(|second| [first, second, ' ']));
        }
        let vocabulary = of(&letters);
        assert_eq!(vocabulary.len(), 26 * 26);
        let random = &mut SplitMix64::new(1);
        assert!((0..5000).all(|_| vocabulary.draw_other("aa", random) != "aa"));
    }
}
