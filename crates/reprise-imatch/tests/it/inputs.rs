//! Tests unusual documents.

use std::fmt::Write;

use proptest::prelude::*;
use reprise_imatch::{Part, Signer, SignerConfig, TermRules, Terms};

use crate::signatures::lexicon_of;
use crate::{RULES, words};

const ANY: SignerConfig = SignerConfig {
    overlap_min: 1,
    randomised: None,
};

fn terms(text: &str, rules: &TermRules) -> String {
    Terms::of(text, rules).iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn rules_exclude_words() {
    assert_eq!(
        terms("Buy 100 pills, 50% OFF: x2", &RULES),
        "buy pills off x2"
    );
    let all = TermRules {
        drop_numbers: false,
        ..RULES
    };
    assert_eq!(terms("٣ 100 a1", &all), "٣ 100 a1");
    assert_eq!(terms("٣ 100 a1", &RULES), "a1");
    let middling = TermRules {
        chars_min: 2,
        chars_max: 4,
        ..RULES
    };
    assert_eq!(terms("a äö abcd abcde", &middling), "äö abcd");
}

#[test]
fn deceptive_spellings_are_undone() {
    let texts = [
        "viagra",
        "V\u{200b}I\u{200d}A\u{ad}GRA",
        "\u{feff}vi\u{430}gr\u{430}",
        "ＶＩＡＧＲＡ",
        "\u{2060}v\u{456}agr\u{3b1}",
    ];
    for text in texts {
        assert_eq!(terms(text, &RULES), "viagra", "{text:?}");
    }
    let kept = TermRules {
        remove_invisible: false,
        fold_look_alikes: false,
        ..RULES
    };
    for text in &texts[1..] {
        assert_ne!(terms(text, &kept), "viagra", "{text:?}");
    }
    assert_eq!(terms("Живаго и Νίκος", &RULES), "живаго и νίκος");
}

#[test]
fn empty_and_very_long_documents() {
    let lexicon = lexicon_of("w7 w99999 other");
    let contexts = None;
    let part = Part {
        lexicon: &lexicon,
        contexts,
    };
    let signer = Signer::new(part, None, ANY).unwrap();
    for nothing in ["", " \n", "... !", "\u{200b}"] {
        let found = signer.sign(&Terms::of(nothing, &RULES));
        assert_eq!((found.primary, found.overlap), (None, 0));
        assert!(found.all.is_empty() && found.terms.is_empty());
        assert!(
            !found.matches(&found),
            "documents without signatures never match"
        );
    }
    let mut long = String::new();
    for number in 0..100_000 {
        write!(long, "w{number} ").unwrap();
    }
    assert_eq!(
        signer.sign(&Terms::of(&long, &RULES)).terms,
        ["w7", "w99999"]
    );
    let one_word = "x".repeat(1 << 20);
    assert!(
        Terms::of(&one_word, &RULES).is_empty(),
        "the word is too long for a term"
    );
}

#[test]
fn scripts_without_spaces() {
    let lexicon = lexicon_of("東 京 ก");
    let contexts = None;
    let part = Part {
        lexicon: &lexicon,
        contexts,
    };
    let signer = Signer::new(part, None, ANY).unwrap();
    assert_eq!(
        signer.sign(&Terms::of("東京都に行く。กขค", &RULES)).terms,
        ["ก", "京", "東"]
    );
}

#[test]
fn overlap_counts_distinct_terms() {
    let lexicon = lexicon_of("absent words");
    assert_eq!(lexicon.overlap(&words("something else")), 0);
    assert_eq!(lexicon.overlap(&words("words and words")), 1);
}

#[test]
fn words_that_cannot_be_terms_are_left_out() {
    let found = Terms::of_words(["a", "", "b c", "d\n", "\u{7f}", "^", "$", "e"]);
    assert_eq!(format!("{found:?}"), r#"["a", "e"]"#);
    assert_eq!(
        (found.len(), found.get(1), found.get(2)),
        (2, Some("e"), None)
    );
}

proptest! {
    #[test]
    fn any_text_has_terms_within_the_rules(text in any::<String>()) {
        for term in Terms::of(&text, &RULES).iter() {
            prop_assert!((1..=40).contains(&term.chars().count()));
            prop_assert!(!term.contains(char::is_whitespace));
        }
    }

    #[test]
    fn invisible_characters_change_nothing(text in "[a-zäж ]{0,20}", places in prop::collection::vec((any::<prop::sample::Index>(), "[\u{200b}-\u{200f}\u{ad}\u{feff}]"), 0..5)) {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, hidden) in places {
            chars.insert(place.index(chars.len() + 1), hidden.chars().next().unwrap());
        }
        let hidden: String = chars.into_iter().collect();
        prop_assert_eq!(Terms::of(&hidden, &RULES), Terms::of(&text, &RULES));
    }
}
