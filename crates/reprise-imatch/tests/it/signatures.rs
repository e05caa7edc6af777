//! Compares signatures with slow ones, and tests what they must not depend on.

use proptest::prelude::*;
use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, FrequencyConfig, Lexicon, Part, Randomised, Sides, Signer,
    SignerConfig, SignerError, Terms, train_by_frequency,
};

use crate::{oracle, statistics, words};

const WHOLE: FrequencyConfig = FrequencyConfig {
    ranks_skipped: 0,
    size_max: usize::MAX,
    documents_min: 1,
    share_max: 1.0,
};
const ANY: SignerConfig = SignerConfig {
    overlap_min: 1,
    randomised: None,
};

/// Returns a lexicon of these words.
pub(crate) fn lexicon_of(terms: &str) -> Lexicon {
    train_by_frequency(&statistics([&words(terms)]), &WHOLE).unwrap()
}

fn plain(lexicon: &Lexicon, config: SignerConfig) -> Signer<'_> {
    let contexts = None;
    Signer::new(Part { lexicon, contexts }, None, config).unwrap()
}

/// Generates documents of a few distinct words, so that they often share words.
pub(crate) fn documents() -> impl Strategy<Value = Vec<Terms>> {
    let word = prop::sample::select(vec!["a", "b", "c", "d", "e", "ä", "東", "ff"]);
    let document = prop::collection::vec(word, 0..12).prop_map(Terms::of_words);
    prop::collection::vec(document, 1..8)
}

proptest! {
    #[test]
    fn signatures_equal_the_slow_ones(
        corpus in documents(),
        others in documents(),
        documents_min in 1_u32..4,
        count in 1_u32..4,
        share in 0.01_f64..0.7,
        by_count in any::<bool>(),
        both in any::<bool>(),
        overlap_min in 0_u32..4,
    ) {
        let config = FrequencyConfig { documents_min, ..WHOLE };
        let Ok(lexicon) = train_by_frequency(&statistics(&corpus), &config) else { return Ok(()) };
        let mut bigrams = Bigrams::new(&lexicon, usize::MAX);
        for document in &corpus {
            bigrams.add(document);
        }
        let rule = if by_count { ContextRule::Count(count) } else { ContextRule::Share(share) };
        let sides = if both { Sides::Both } else { Sides::Either };
        let config = ContextConfig { rule, sides };
        let contexts = bigrams.contexts(&config);
        let terms = oracle::terms_of(&lexicon);
        let counts = oracle::bigrams(&terms, &corpus);
        for contexts in [None, Some(&contexts)] {
            let signer_config = SignerConfig { overlap_min, randomised: None };
            let signer = Signer::new(Part { lexicon: &lexicon, contexts }, None, signer_config).unwrap();
            for document in corpus.iter().chain(&others) {
                let slow = oracle::chosen(&terms, contexts.map(|_| (&counts, config)), document);
                let fast = signer.sign(document);
                prop_assert!(fast.terms.iter().eq(slow.iter()), "{:?} {:?}", fast, slow);
                prop_assert_eq!(fast.overlap as usize, slow.len());
                let is_enough = slow.len() >= overlap_min.max(1) as usize;
                prop_assert_eq!(fast.primary, is_enough.then(|| oracle::signature(&slow)));
            }
        }
    }

    #[test]
    fn order_and_repetition_do_not_count(mut document in prop::collection::vec("[a-d]{1,2}", 1..20), at in any::<prop::sample::Index>()) {
        let lexicon = lexicon_of("a b ab cd dd");
        let randomised = Some(Randomised { lexicons: 5, dropped_share: 0.3, seed: 7 });
        let signer = plain(&lexicon, SignerConfig { overlap_min: 1, randomised });
        let sign = |words: &[String]| signer.sign(&Terms::of_words(words.iter().map(String::as_str)));
        let before = sign(&document);
        document.push(document[at.index(document.len())].clone());
        document.reverse();
        let middle = document.len() / 2;
        document.rotate_left(middle);
        prop_assert_eq!(sign(&document), before);
    }

    #[test]
    fn randomised_lexicons_are_the_lexicon_without_some_terms(document in prop::collection::vec("[a-e]", 1..20), seed in any::<u64>()) {
        let lexicon = lexicon_of("a b c d e");
        let randomised = Some(Randomised { lexicons: 64, dropped_share: 0.5, seed });
        let all = plain(&lexicon, SignerConfig { overlap_min: 1, randomised });
        let document = Terms::of_words(document.iter().map(String::as_str));
        let found = all.sign(&document);
        // Each signature is that of a subset of the terms.
        let terms: Vec<String> = found.terms.iter().map(|&term| term.to_owned()).collect();
        let subsets = (1..1_u32 << terms.len()).map(|bits| {
            let kept = (0..terms.len()).filter(|place| bits >> place & 1 == 1);
            oracle::signature(&kept.map(|place| terms[place].clone()).collect())
        });
        let subsets: Vec<_> = subsets.collect();
        prop_assert!(found.all.iter().all(|signature| subsets.contains(signature)));
        prop_assert!(found.all.is_sorted() && found.all.contains(&found.primary.unwrap()));
    }
}

#[test]
fn signatures_never_change() {
    let lexicon = lexicon_of("alpha beta gamma");
    let randomised = Some(Randomised {
        lexicons: 3,
        dropped_share: 0.4,
        seed: 1,
    });
    let config = SignerConfig {
        overlap_min: 1,
        randomised,
    };
    let found = plain(&lexicon, config).sign(&words("gamma x alpha beta"));
    // printf 'alpha\nbeta\ngamma\n' | sha256sum | cut -c-40
    assert_eq!(
        found.primary.unwrap().to_string(),
        "4fdbc441ea7b546100e086ac1e4fc5ae6749b731"
    );
    let all: Vec<String> = found.all.iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "4fdbc441ea7b546100e086ac1e4fc5ae6749b731",
            "aa5989aacb57830a365b63654addd2b3e7427ce3",
            "ae9a6306a205417afddd14316cc1d0d5e04a98f1",
            "f2c82decdd7181cf98945929a62598db7e6b477e"
        ]
    );
}

#[test]
fn a_randomised_lexicon_lacks_about_its_share() {
    let names: Vec<String> = (0..4000).map(|number| format!("w{number}")).collect();
    let document = Terms::of_words(names.iter().map(String::as_str));
    let lexicon = train_by_frequency(&statistics([&document]), &WHOLE).unwrap();
    // Two terms have a second signature if exactly one of them is dropped.
    let one_dropped = |seed| {
        let randomised = Some(Randomised {
            lexicons: 1,
            dropped_share: 0.3,
            seed,
        });
        let config = SignerConfig {
            overlap_min: 1,
            randomised,
        };
        let signer = plain(&lexicon, config);
        let has_second = |name: &&String| {
            let document = Terms::of_words(["w0", name.as_str()]);
            signer.sign(&document).all.len() > 1
        };
        names.iter().filter(has_second).count() as f64 / names.len() as f64
    };
    for seed in 0..8 {
        let share = one_dropped(seed);
        // If w0 is kept, these are the dropped terms, otherwise the kept ones.
        assert!(
            (share - 0.3).abs() < 0.03 || (share - 0.7).abs() < 0.03,
            "{share}"
        );
    }
}

#[test]
fn randomised_lexicons_match_despite_noise() {
    let lexicon = lexicon_of("a b c d e f g h i j");
    let randomised = Some(Randomised {
        lexicons: 40,
        dropped_share: 0.3,
        seed: 3,
    });
    let config = SignerConfig {
        overlap_min: 2,
        randomised,
    };
    let signer = plain(&lexicon, config);
    let [payload, noisy] = ["a b c d", "a b c d h"].map(|text| signer.sign(&words(text)));
    assert_ne!(payload.primary, noisy.primary);
    assert!(payload.matches(&noisy));
}

#[test]
fn a_secondary_lexicon_extends_documents_with_too_few_terms() {
    let (first, second) = (lexicon_of("a b"), lexicon_of("a c d"));
    let contexts = None;
    let parts = [&first, &second].map(|lexicon| Part { lexicon, contexts });
    let config = SignerConfig {
        overlap_min: 2,
        randomised: None,
    };
    let signer = Signer::new(parts[0], Some(parts[1]), config).unwrap();
    let enough = signer.sign(&words("b a c"));
    assert_eq!((enough.terms, enough.is_extended), (vec!["a", "b"], false));
    let extended = signer.sign(&words("d c a"));
    assert_eq!((extended.terms, extended.overlap), (vec!["a", "c", "d"], 1));
    assert!(extended.is_extended && extended.primary.is_some());
    let none = signer.sign(&words("d x"));
    assert_eq!((none.primary, none.overlap), (None, 0));
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let (one, other) = (lexicon_of("a b"), lexicon_of("a c"));
    let config = ContextConfig {
        rule: ContextRule::Count(1),
        sides: Sides::Either,
    };
    let contexts = Bigrams::new(&other, 10).contexts(&config);
    let part = Part {
        lexicon: &one,
        contexts: Some(&contexts),
    };
    let error = Signer::new(part, None, ANY).unwrap_err();
    assert!(matches!(error, SignerError::Contexts { .. }), "{error}");
    let part = Part {
        lexicon: &one,
        contexts: None,
    };
    for (lexicons, dropped_share) in [(65, 0.1), (1, 1.5), (1, f64::NAN)] {
        let randomised = Some(Randomised {
            lexicons,
            dropped_share,
            seed: 0,
        });
        let config = SignerConfig {
            overlap_min: 1,
            randomised,
        };
        assert!(Signer::new(part, None, config).is_err());
    }
}
