//! Each method on copies that are easy to judge.

use reprise_convert::Format;
use reprise_imatch::SplitMix64;
use reprise_text::{ChunkForm, Content};

use super::{ChunkHash, FileHash, FuzzyHash, IMatch, Method, MethodKind, Nilsimsa, Shingles};
use crate::defaults::OVERLAP_MIN;
use crate::page::{Page, Reading};
use crate::training::train;

fn page(text: &str) -> Page {
    let reading = Reading {
        content: Content::Html,
        format: Format::Html,
    };
    Page::new(reading, text.to_owned())
}

/// The number of sentences of an invented language. Each has eight words that no other sentence has.
const SENTENCES: usize = 60;

/// Makes a page of random sentences, each in a paragraph. `number` is the seed.
fn prose(language: char, number: u64, sentences: usize) -> String {
    let random = &mut SplitMix64::new(number);
    let mut text = String::from("<title>Prose</title>");
    for _ in 0..sentences {
        let sentence = random.below(SENTENCES);
        let words = (0..8).map(|place| word(language, sentence * 8 + place));
        text.push_str("\n<p>");
        text.push_str(&words.collect::<Vec<_>>().join(" "));
        text.push('.');
    }
    text
}

/// Makes a word from a number. It consists of letters, because I-Match ignores numbers.
fn word(language: char, number: usize) -> String {
    let digits = number.to_string();
    let letters = digits.bytes().map(|digit| char::from(digit - b'0' + b'a'));
    std::iter::once(language).chain(letters).collect()
}

#[track_caller]
fn check(method: &dyn Method, original: &str, found: &[&str], missed: &[&str]) {
    let finder = method
        .finder(&page(original))
        .expect("the page itself is found");
    assert!(finder(&page(original)));
    for copy in found {
        assert!(finder(&page(copy)), "{} misses {copy}", method.kind());
    }
    for copy in missed {
        assert!(!finder(&page(copy)), "{} finds {copy}", method.kind());
    }
}

#[test]
fn every_method_separates_copies_from_other_pages() {
    let original = prose('w', 1, 50);
    let wrapped = original.replace(' ', "\n");
    let one_word = original.replacen("wb", "another", 1);
    let stranger = prose('v', 2, 50);
    check(
        &FileHash,
        &original,
        &[],
        &[&wrapped, &one_word, &stranger, ""],
    );
    let chunks = ChunkHash {
        form: ChunkForm::Markup,
        chars_min: 25,
    };
    check(&chunks, &original, &[&wrapped, &one_word], &[&stranger, ""]);
    let shingles = Shingles {
        similarity_min: 0.65,
    };
    check(
        &shingles,
        &original,
        &[&wrapped, &one_word],
        &[&stranger, ""],
    );
    check(
        &FuzzyHash { score_min: 90 },
        &original,
        &[&wrapped],
        &[&stranger, ""],
    );
    check(
        &Nilsimsa { score_min: 115 },
        &original,
        &[&wrapped, &one_word],
        &[""],
    );
}

#[test]
fn imatch_compares_terms_and_with_contexts_ignores_word_salad() {
    let pages: Vec<Page> = (0..40).map(|number| page(&prose('w', number, 6))).collect();
    let trained = train(&pages.iter().collect::<Vec<_>>()).unwrap();
    let plain = IMatch::new(&trained.lexicon, None, OVERLAP_MIN).unwrap();
    let hardened = IMatch::new(&trained.lexicon, trained.contexts.as_ref(), OVERLAP_MIN).unwrap();
    assert_eq!(
        (plain.kind(), hardened.kind()),
        (MethodKind::IMatch, MethodKind::IMatchContext)
    );
    assert!(plain.rule() != hardened.rule());
    let original = prose('w', 100, 4);
    let same_terms = format!("{original} {original}");
    // A lexicon term between words that are not among its contexts.
    let mut terms = trained.lexicon.entries().map(|entry| entry.term);
    let known = |term: &str| {
        original
            .split(|char: char| !char.is_alphabetic())
            .any(|word| word == term)
    };
    let term = terms
        .find(|term| !known(term))
        .expect("the page does not have all terms");
    let salad = original.replacen("<p>", &format!("<p>qqqq {term} qqqqq "), 1);
    check(&plain, &original, &[&same_terms], &[&salad]);
    check(&hardened, &original, &[&salad], &[&prose('w', 200, 4)]);
}

#[test]
fn methods_without_anything_to_compare_are_blind() {
    let methods: [&dyn Method; 4] = [
        &ChunkHash {
            form: ChunkForm::Text,
            chars_min: 100,
        },
        &Shingles {
            similarity_min: 0.65,
        },
        &FuzzyHash { score_min: 90 },
        &Nilsimsa { score_min: 115 },
    ];
    for method in methods {
        assert!(
            method.finder(&page("<p> </p>")).is_none(),
            "{}",
            method.kind()
        );
    }
    assert!(FileHash.finder(&page("")).is_some());
}

#[test]
fn names_are_parsed() {
    for kind in MethodKind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    let error = "magic".parse::<MethodKind>().unwrap_err().to_string();
    assert!(
        error.contains("magic") && error.contains("imatch-context"),
        "{error}"
    );
}
