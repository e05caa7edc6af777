//! Counts the edits until a copy is no longer found.
//!
//! More edits do not always make a copy harder to find: a score can rise again when one more word is replaced,
//! and a paragraph can move back to its old place. So there is no single number of edits up to which a copy is
//! found. This module reports the result of a cheap search that an attacker could make:
//!
//! 1. Try copies with 1, 2, 3, 5, 8, 12, ... edits (1.5 times as many each time) until one is not found.
//! 2. Halve the interval between it and the last copy that was found, until the two differ by one edit.
//!
//! The copy with the reported number of edits is *not* found. The copy with one edit less *is* found, and so
//! were all copies that step 1 tried before. A number of edits between the steps might have been enough.

use crate::edits::{EditKind, Edits};
use crate::methods::{Finder, Method};
use crate::page::Page;

/// The outcome of one method on copies of one page, for one kind of edit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The copy with this number of edits is not found; the copy with one less is.
    Evaded {
        /// The number of edits.
        edits: usize,
    },
    /// The copy with all possible edits is found.
    Never,
    /// The page does not allow such edits.
    Impossible,
    /// The method does not find even the unchanged page.
    Blind,
}

/// The outcomes of one page for one kind of edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The kind of edit.
    pub edit: EditKind,
    /// The number of such edits that the page allows.
    pub possible: usize,
    /// The outcome of each method.
    pub outcomes: Vec<Outcome>,
}

/// Tries all methods on copies of a page with more and more edits.
///
/// - Input: the finder of each method (`None` if the method is blind), and the possible edits of the page.
/// - Output: an outcome for each method.
/// - Time: about 30 copies for each method, fewer for short pages.
pub fn evade(finders: &[Option<Finder<'_>>], edit: EditKind, edits: &Edits<'_>) -> Trial {
    let possible = edits.len();
    let outcomes = if possible == 0 {
        let outcome = |finder: &Option<Finder<'_>>| match finder {
            Some(_) => Outcome::Impossible,
            None => Outcome::Blind,
        };
        finders.iter().map(outcome).collect()
    } else {
        search(finders, edits)
    };
    Trial {
        edit,
        possible,
        outcomes,
    }
}

/// Returns the finder of each method for a page.
pub fn finders<'m>(
    methods: &'m [Box<dyn Method + 'm>],
    original: &Page,
) -> Vec<Option<Finder<'m>>> {
    methods
        .iter()
        .map(|method| method.finder(original))
        .collect()
}

fn search(finders: &[Option<Finder<'_>>], edits: &Edits<'_>) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = finders
        .iter()
        .map(|finder| finder.is_none().then_some(Outcome::Blind))
        .collect();
    let mut last = 0;
    for count in ladder(edits.len()) {
        if outcomes.iter().all(Option::is_some) {
            break;
        }
        // All methods without an outcome share the copy.
        let copy = edits.apply(count);
        for (outcome, finder) in outcomes.iter_mut().zip(finders) {
            if let (None, Some(finder)) = (&outcome, finder)
                && !finder(&copy)
            {
                *outcome = Some(Outcome::Evaded {
                    edits: crossing(finder, edits, last, count),
                });
            }
        }
        last = count;
    }
    outcomes
        .into_iter()
        .map(|outcome| outcome.unwrap_or(Outcome::Never))
        .collect()
}

/// Returns a number of edits at which the copy is not found but the copy with one edit less is. The copy with
/// `found` edits is found, the copy with `missed` edits is not.
fn crossing(finder: &Finder<'_>, edits: &Edits<'_>, found: usize, missed: usize) -> usize {
    let (mut found, mut missed) = (found, missed);
    while missed - found > 1 {
        let middle = found.midpoint(missed);
        if finder(&edits.apply(middle)) {
            found = middle;
        } else {
            missed = middle;
        }
    }
    missed
}

/// Returns 1, 2, 3, 5, 8, 12, ... up to and including `last`.
fn ladder(last: usize) -> impl Iterator<Item = usize> {
    let next = move |&count: &usize| (count < last).then(|| (count + count.div_ceil(2)).min(last));
    std::iter::successors(Some(1).filter(|_| last > 0), next)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reprise_convert::Format;
    use reprise_text::Content;

    use super::{Outcome, evade, ladder};
    use crate::edits::{EditKind, Edits};
    use crate::methods::Finder;
    use crate::page::{Page, Reading};
    use crate::vocabulary::Vocabulary;

    /// Makes a page whose words are all `x`.
    fn page(words: usize) -> Page {
        let reading = Reading {
            content: Content::Plain,
            format: Format::Text,
        };
        Page::new(reading, "x ".repeat(words))
    }

    /// Makes a finder that depends only on the number of replaced words.
    fn by_count<'f>(is_found: impl Fn(usize) -> bool + 'f) -> Finder<'f> {
        let replaced = |copy: &Page| {
            copy.text()
                .split(' ')
                .filter(|word| !matches!(*word, "x" | ""))
                .count()
        };
        Box::new(move |copy| is_found(replaced(copy)))
    }

    fn check(words: usize, finders: &[Option<Finder<'_>>]) -> Vec<Outcome> {
        let (page, vocabulary) = (page(words), Vocabulary::of([]));
        let edits = Edits::of(&page, EditKind::Replace, &vocabulary, "", 1);
        let trial = evade(finders, EditKind::Replace, &edits);
        assert_eq!((trial.edit, trial.possible), (EditKind::Replace, words));
        trial.outcomes
    }

    #[test]
    fn steps() {
        assert_eq!(ladder(0).count(), 0);
        assert_eq!(ladder(1).collect::<Vec<_>>(), [1]);
        assert_eq!(ladder(20).collect::<Vec<_>>(), [1, 2, 3, 5, 8, 12, 18, 20]);
        assert!(ladder(100_000).count() < 32);
    }

    #[test]
    fn every_outcome() {
        let finders = [
            Some(by_count(|_| true)),
            Some(by_count(|count| count < 1)),
            Some(by_count(|count| count < 37)),
            Some(by_count(|count| count < 100)),
            None,
        ];
        let evaded = |edits| Outcome::Evaded { edits };
        let expected = [
            Outcome::Never,
            evaded(1),
            evaded(37),
            evaded(100),
            Outcome::Blind,
        ];
        assert_eq!(check(100, &finders), expected);
        let expected = [Outcome::Impossible, Outcome::Impossible, Outcome::Blind];
        assert_eq!(
            check(
                0,
                &[
                    Some(by_count(|_| true)),
                    Some(by_count(|count| count < 1)),
                    None
                ]
            ),
            expected
        );
    }

    proptest! {
        /// For any method, the copy with the reported edits is missed, the copy with one edit less is found,
        /// and every earlier step was found.
        #[test]
        fn outcomes_follow_their_definition(is_found in prop::collection::vec(any::<bool>(), 1..80)) {
            let found = |count: usize| count == 0 || is_found[count - 1];
            let outcome = check(is_found.len(), &[Some(by_count(found))])[0];
            match outcome {
                Outcome::Evaded { edits } => {
                    prop_assert!(!found(edits) && found(edits - 1));
                    prop_assert!(ladder(is_found.len()).take_while(|&step| step < edits).all(found));
                }
                Outcome::Never => prop_assert!(ladder(is_found.len()).all(found)),
                other => prop_assert!(false, "{other:?}"),
            }
        }

        #[test]
        fn a_threshold_is_found_exactly(words in 1_usize..300, threshold in 1_usize..300) {
            let outcome = check(words, &[Some(by_count(|count| count < threshold))])[0];
            let expected = if threshold <= words {
                Outcome::Evaded { edits: threshold }
            } else {
                Outcome::Never
            };
            prop_assert_eq!(outcome, expected);
        }
    }
}
