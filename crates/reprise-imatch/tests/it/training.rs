//! Compares lexicons with slow ones, and tests training sets that give no lexicon.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use reprise_imatch::{
    Choice, Class, ContextConfig, ContextRule, Documents, FrequencyConfig, InformationConfig,
    Sides, SplitMix64, Statistics, TermRules, Terms, TrainError, TrainOptions, choose_lexicon,
    information_nanobits, train_by_frequency, train_by_information,
};

use crate::signatures::documents;
use crate::{RULES, classified, oracle, statistics, words};

const INFORMATION: InformationConfig = InformationConfig {
    leaning: None,
    size_max: 2,
    documents_min: 1,
    share_max: 1.0,
};

/// Computes mutual information by its definition, over the four cells of the table.
fn slow_information(with: Documents, all: Documents) -> f64 {
    let total = f64::from(all.good + all.bad);
    let cells = [
        (with.good, with.good + with.bad, all.good),
        (with.bad, with.good + with.bad, all.bad),
        (
            all.good - with.good,
            all.good + all.bad - with.good - with.bad,
            all.good,
        ),
        (
            all.bad - with.bad,
            all.good + all.bad - with.good - with.bad,
            all.bad,
        ),
    ];
    let cells = cells.map(|(both, row, column)| {
        let [both, row, column] = [both, row, column].map(|count| f64::from(count) / total);
        if both > 0.0 {
            both * (both / (row * column)).log2()
        } else {
            0.0
        }
    });
    cells.iter().sum()
}

proptest! {
    #[test]
    fn bands_equal_the_slow_ones(corpus in documents(), ranks_skipped in 0_usize..4, size_max in 1_usize..6, documents_min in 0_u32..4, share_max in 0.0_f64..1.0) {
        let config = FrequencyConfig { ranks_skipped, size_max, documents_min, share_max };
        let mut ranked: Vec<(Reverse<u32>, String)> = oracle::document_frequencies(&corpus)
            .into_iter()
            .filter(|(_, documents)| *documents >= documents_min && f64::from(*documents) / corpus.len() as f64 <= share_max)
            .map(|(word, documents)| (Reverse(documents), word))
            .collect();
        ranked.sort();
        let expected: BTreeSet<String> = ranked.into_iter().skip(ranks_skipped).take(size_max).map(|pair| pair.1).collect();
        match train_by_frequency(&statistics(&corpus), &config) {
            Ok(lexicon) => prop_assert_eq!(oracle::terms_of(&lexicon), expected),
            Err(error) => {
                let distinct = oracle::document_frequencies(&corpus).len();
                prop_assert_eq!(error, TrainError::NoTerms { distinct });
                prop_assert!(expected.is_empty());
            }
        }
    }

    #[test]
    fn information_equals_its_definition(good in 1_u32..500, bad in 1_u32..500, with_good in 0_u32..500, with_bad in 0_u32..500) {
        let (with_good, with_bad) = (with_good.min(good), with_bad.min(bad));
        let all = Documents { all: good + bad, good, bad };
        let with = Documents { all: with_good + with_bad, good: with_good, bad: with_bad };
        let slow = slow_information(with, all).max(0.0) * 1e9;
        prop_assert!((information_nanobits(with, all) as f64 - slow).abs() < 2.0);
    }
}

#[test]
fn words_with_the_most_information_are_chosen() {
    let corpus = [
        (words("the meeting minutes"), Class::Good),
        (words("the meeting agenda"), Class::Good),
        (words("the cheap pills"), Class::Bad),
        (words("the cheap offer"), Class::Bad),
    ];
    let statistics = classified(corpus.iter().map(|(terms, class)| (terms, *class)));
    let lexicon = train_by_information(&statistics, &INFORMATION).unwrap();
    let terms: Vec<&str> = lexicon.entries().map(|entry| entry.term).collect();
    assert_eq!(terms, ["cheap", "meeting"]);
    let entry = lexicon.entries().next().unwrap();
    assert_eq!(
        entry.documents,
        Documents {
            all: 2,
            good: 0,
            bad: 2
        }
    );
    assert_eq!(
        information_nanobits(entry.documents, lexicon.documents()),
        1_000_000_000
    );
    let leaning = Some(Class::Bad);
    let spammy = train_by_information(
        &statistics,
        &InformationConfig {
            leaning,
            size_max: 9,
            ..INFORMATION
        },
    );
    let spammy = spammy.unwrap();
    let terms: Vec<&str> = spammy.entries().map(|entry| entry.term).collect();
    assert_eq!(terms, ["cheap", "offer", "pills"]);
}

#[test]
fn a_training_set_of_one_class_is_refused() {
    let document = words("a b");
    for (class, missing) in [(Class::Good, "bad"), (Class::Bad, "good")] {
        let error =
            train_by_information(&classified([(&document, class)]), &INFORMATION).unwrap_err();
        assert_eq!(
            error,
            TrainError::OneClass {
                missing,
                documents: 1
            }
        );
        assert!(error.to_string().contains(missing), "{error}");
    }
    let error = train_by_information(&statistics([&document]), &INFORMATION).unwrap_err();
    assert_eq!(
        error,
        TrainError::OneClass {
            missing: "classified",
            documents: 1
        }
    );
}

#[test]
fn empty_training_sets_are_refused() {
    let none = Statistics::new(RULES);
    assert_eq!(
        train_by_information(&none, &INFORMATION).unwrap_err(),
        TrainError::NoDocuments
    );
    let band = FrequencyConfig {
        ranks_skipped: 0,
        size_max: 10,
        documents_min: 1,
        share_max: 1.0,
    };
    assert_eq!(
        train_by_frequency(&none, &band).unwrap_err(),
        TrainError::NoDocuments
    );
    let empty = [Terms::new(), Terms::new()];
    let error = train_by_frequency(&statistics(&empty), &band).unwrap_err();
    assert_eq!(error, TrainError::NoTerms { distinct: 0 });
    for share_max in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let band = FrequencyConfig { share_max, ..band };
        let error = train_by_frequency(&statistics(&empty), &band).unwrap_err();
        assert!(matches!(error, TrainError::Share { .. }));
    }
}

#[test]
fn the_criterion_follows_from_the_classes() {
    let document = words("cheap pills");
    let options = TrainOptions {
        documents_min: 1,
        share_max: 1.0,
        ..TrainOptions::default()
    };
    let choice = |statistics: &Statistics, options: &TrainOptions| {
        choose_lexicon(statistics, options).map(|lexicon| lexicon.choice())
    };
    let both = classified([(&document, Class::Good), (&document, Class::Bad)]);
    let one = classified([(&document, Class::Bad)]);
    assert_eq!(choice(&both, &options), Ok(Choice::Information));
    assert_eq!(choice(&one, &options), Ok(Choice::Frequency));
    let frequency = TrainOptions {
        by: Some(Choice::Frequency),
        ..options
    };
    assert_eq!(choice(&both, &frequency), Ok(Choice::Frequency));
    let leaning = TrainOptions {
        leaning: Some(Class::Bad),
        ..options
    };
    assert_eq!(choice(&one, &leaning), Err(TrainError::UnusedLeaning));
    let skipping = TrainOptions {
        ranks_skipped: 3,
        ..options
    };
    assert_eq!(choice(&both, &skipping), Err(TrainError::UnusedRanks));
}

#[test]
fn wrong_options_are_refused() {
    let options = TrainOptions::default();
    assert_eq!(options.validate(), Ok(()));
    let chars = TrainOptions {
        rules: TermRules {
            chars_min: 5,
            chars_max: 3,
            ..TermRules::DEFAULT
        },
        ..options
    };
    assert_eq!(chars.validate(), Err(TrainError::Chars { min: 5, max: 3 }));
    let share = TrainOptions {
        share_max: 1.5,
        ..options
    };
    assert_eq!(share.validate(), Err(TrainError::Share { found: 1.5 }));
    let contexts = TrainOptions {
        contexts: ContextConfig {
            rule: ContextRule::Share(-1.0),
            sides: Sides::Either,
        },
        ..options
    };
    assert_eq!(
        contexts.validate(),
        Err(TrainError::ContextShare { found: -1.0 })
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// With a memory limit, counts are too small by at most `lost`, and frequent terms are never forgotten.
    #[test]
    fn errors_of_bounded_counts_are_bounded(seed: u64, bytes_max in 20_000_usize..200_000) {
        let mut random = SplitMix64::new(seed);
        let mut bounded = Statistics::within(RULES, bytes_max);
        let mut all = Statistics::new(RULES);
        for number in 0..600 {
            let rare = (0..20).map(|_| format!("w{}", random.below(20_000)));
            let document: Vec<String> = rare.chain([format!("often{}", number % 3)]).collect();
            let document = Terms::of_words(document.iter().map(String::as_str));
            bounded.add(&document, None);
            all.add(&document, None);
            prop_assert!(bounded.bytes() <= bytes_max);
        }
        prop_assert_eq!(bounded.documents(), all.documents());
        let truth: HashMap<&str, u32> =
            all.entries().map(|entry| (entry.term, entry.documents.all)).collect();
        let found: HashMap<&str, u32> =
            bounded.entries().map(|entry| (entry.term, entry.documents.all)).collect();
        for (term, &count) in &found {
            prop_assert!(count <= truth[term] && count + bounded.lost() >= truth[term]);
        }
        for (term, &count) in &truth {
            prop_assert!(found.contains_key(term) || count <= bounded.lost());
        }
    }
}
