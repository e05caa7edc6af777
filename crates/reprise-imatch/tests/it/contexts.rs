//! Tests contexts: the edges of documents, the memory limit, and the coverage.

use std::collections::BTreeMap;

use proptest::prelude::*;
use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, Part, Side, Sides, Signer, SignerConfig,
    coverage_by_count, coverage_by_top,
};

use crate::signatures::{documents, lexicon_of};
use crate::{oracle, words};

fn config(count: u32, sides: Sides) -> ContextConfig {
    ContextConfig {
        rule: ContextRule::Count(count),
        sides,
    }
}

#[test]
fn the_edges_of_a_document_are_neighbours() {
    let lexicon = lexicon_of("buy now");
    let mut bigrams = Bigrams::new(&lexicon, 1000);
    bigrams.add(&words("buy it now"));
    let either = bigrams.contexts(&config(1, Sides::Either));
    assert!(either.is_valid("buy", Side::Before, None));
    assert!(either.is_valid("now", Side::After, None));
    assert!(!either.is_valid("buy", Side::After, None));
    assert!(!either.is_valid("now", Side::Before, None));
    assert!(either.is_valid("now", Side::Before, Some("it")));
    assert!(
        !either.is_valid("it", Side::Before, Some("buy")),
        "not a lexicon term"
    );
    let both = bigrams.contexts(&config(1, Sides::Both));
    let sign = |contexts, text: &str| {
        let part = Part {
            lexicon: &lexicon,
            contexts: Some(contexts),
        };
        let config = SignerConfig {
            overlap_min: 1,
            randomised: None,
        };
        Signer::new(part, None, config)
            .unwrap()
            .sign(&words(text))
            .terms
            .join(" ")
    };
    for (text, expected_either, expected_both) in [
        ("buy", "buy", ""),
        ("now", "now", ""),
        ("now buy", "", ""),
        ("x now buy x", "", ""),
        ("buy it", "buy", "buy"),
        ("x buy it now", "buy now", "now"),
        ("buy it now", "buy now", "buy now"),
        ("buy x buy it x it now x", "buy now", ""),
        ("", "", ""),
    ] {
        assert_eq!(sign(&either, text), expected_either, "{text}");
        assert_eq!(sign(&both, text), expected_both, "{text}");
    }
}

#[test]
fn memory_is_bounded_and_the_loss_is_known() {
    let lexicon = lexicon_of("a b");
    let rows_max = 1000;
    let mut bounded = Bigrams::new(&lexicon, rows_max);
    let mut free = Bigrams::new(&lexicon, usize::MAX);
    for number in 0..60_000 {
        let text = format!("n{number} a m{number} often a b r{}", number % 50);
        for bigrams in [&mut bounded, &mut free] {
            bigrams.add(&words(&text));
        }
    }
    assert!(bounded.bytes() < 4 << 20, "{} bytes", bounded.bytes());
    assert!(free.bytes() > 5 << 20, "{} bytes", free.bytes());
    assert!(bounded.lost() > 0 && free.lost() == 0);
    let lost = bounded.lost();
    let of = |bigrams: &mut Bigrams| -> BTreeMap<_, u32> {
        let neighbours = bigrams.neighbours(0);
        let owned = neighbours
            .iter()
            .map(|one| ((one.side, one.word.map(str::to_owned)), one.count));
        owned.collect()
    };
    let truth = of(&mut free);
    for (neighbour, count) in of(&mut bounded) {
        let count = count..=count + lost;
        assert!(
            count.contains(&truth[&neighbour]),
            "{neighbour:?} {count:?}"
        );
    }
    assert_eq!(bounded.occurrences(0), 120_000);
    let contexts = bounded.contexts(&config(1000, Sides::Either));
    assert!(contexts.is_valid("a", Side::Before, Some("often")));
    assert!(contexts.is_valid("b", Side::After, Some("r7")));
}

#[test]
fn the_most_frequent_neighbours_come_first() {
    let lexicon = lexicon_of("a");
    let mut bigrams = Bigrams::new(&lexicon, 1000);
    bigrams.add(&words("x a y a y a z"));
    let found: Vec<_> = bigrams
        .neighbours(0)
        .iter()
        .map(|one| (one.side, one.word.unwrap().to_owned(), one.count))
        .collect();
    let expected = [
        (Side::Before, "y", 2),
        (Side::After, "y", 2),
        (Side::Before, "x", 1),
        (Side::After, "z", 1),
    ];
    assert_eq!(
        found,
        expected.map(|(side, word, count)| (side, word.to_owned(), count))
    );
}

proptest! {
    #[test]
    fn coverage_equals_the_slow_one(corpus in documents(), count in 1_u32..5, top in 1_usize..8) {
        let lexicon = lexicon_of("a b c");
        let terms = oracle::terms_of(&lexicon);
        let counts = oracle::bigrams(&terms, &corpus);
        let mut bigrams = Bigrams::new(&lexicon, usize::MAX);
        for document in &corpus {
            bigrams.add(document);
        }

        let sum = |side, min| -> f64 {
            let kept = counts.iter().filter(|(key, count)| key.1 == side && **count >= min);
            kept.map(|(_, &count)| f64::from(count)).sum()
        };
        let found = coverage_by_count(&mut bigrams, &[count])[0];
        prop_assert_eq!(found.contexts, counts.values().filter(|&&some| some >= count).count() as u64);
        for (side, share) in [(Side::Before, found.before), (Side::After, found.after)] {
            prop_assert!((share - sum(side, count) / sum(side, 0).max(1.0)).abs() < 1e-9);
        }

        let mut shares = Vec::new();
        for term in &terms {
            let mut of_term: Vec<u32> = counts.iter().filter(|(key, _)| key.0 == *term).map(|(_, &count)| count).collect();
            of_term.sort_unstable_by(|a, b| b.cmp(a));
            if !of_term.is_empty() {
                let all: u32 = of_term.iter().sum();
                shares.push(f64::from(of_term.iter().take(top).sum::<u32>()) / f64::from(all));
            }
        }
        let mean = shares.iter().sum::<f64>() / (shares.len() as f64).max(1.0);
        prop_assert!((coverage_by_top(&mut bigrams, &[top])[0].mean - mean).abs() < 1e-9);
    }
}
