//! Compares simulated attacks with the formulas, in cases in which the assumptions of the formulas hold.

use reprise_imatch::attack::formulas::{trials_context, trials_plain};
use reprise_imatch::attack::{AttackError, Attempts, Draw, Guess, Place, Removals};
use reprise_imatch::{
    Bigrams, ContextConfig, ContextRule, Contexts, Lexicon, Part, Randomised, Sides, Signer,
    SignerConfig, Terms,
};

use crate::signatures::lexicon_of;
use crate::words;

const RUNS: usize = 20_000;
pub(crate) const ANY: SignerConfig = SignerConfig {
    overlap_min: 1,
    randomised: None,
};

/// The attacker tries 400 words, of which the first 40 are in the lexicon, and makes 20 guesses for each
/// word, of which the first 10 are valid for a lexicon word.
const VOCABULARY: usize = 400;
const LEXICON: usize = 40;
const GUESSES: usize = 20;
const VALID: usize = 10;

/// A payload and a lexicon for which the assumptions of the formulas hold.
struct World {
    lexicon: Lexicon,
    contexts: Contexts,
    payload: Terms,
    vocabulary: Vec<String>,
}

fn world() -> World {
    let vocabulary: Vec<String> = (0..VOCABULARY).map(|word| format!("w{word}")).collect();
    let lexicon = lexicon_of(&format!("pay load {}", vocabulary[..LEXICON].join(" ")));
    let mut bigrams = Bigrams::new(&lexicon, 100_000);
    for word in &vocabulary[..LEXICON] {
        for guess in 0..VALID {
            bigrams.add(&words(&format!("x {word} c{guess} x")));
        }
    }
    bigrams.add(&words("x pay for load x"));
    let contexts = bigrams.contexts(&ContextConfig {
        rule: ContextRule::Count(1),
        sides: Sides::Either,
    });
    World {
        lexicon,
        contexts,
        payload: words("x pay for load q"),
        vocabulary,
    }
}

pub(crate) fn signer<'a>(
    lexicon: &'a Lexicon,
    contexts: Option<&'a Contexts>,
    config: SignerConfig,
) -> Signer<'a> {
    Signer::new(Part { lexicon, contexts }, None, config).unwrap()
}

fn synthetic_guesses(_: &str) -> Vec<Guess> {
    let guess = |number| Guess {
        before: None,
        after: Some(format!("c{number}")),
    };
    (0..GUESSES).map(guess).collect()
}

fn is_near(found: f64, expected: f64, what: &str) {
    println!("{what}: simulated {found:.2}, formula {expected:.2}");
    assert!((found / expected - 1.0).abs() < 0.05, "{what}");
}

#[test]
fn simulations_agree_with_the_formulas() {
    let World {
        lexicon,
        contexts,
        payload,
        vocabulary,
    } = world();
    let tried = || vocabulary.iter().map(String::as_str);

    let plain = signer(&lexicon, None, ANY);
    let attempts = Attempts::with_words(&plain, &payload, Place::End, tried()).unwrap();
    let expected = attempts.expected();
    assert_eq!(
        (expected.vocabulary, expected.lexicon),
        (VOCABULARY, LEXICON)
    );
    let words = trials_plain(VOCABULARY, LEXICON);
    assert!((expected.attempts - words).abs() < 1e-9);
    let found = attempts
        .simulate(RUNS, Draw::WithoutReplacement, 1)
        .unwrap();
    assert_eq!(found.succeeded, RUNS);
    is_near(found.mean, words, "plain");
    // The variance of the negative hypergeometric distribution.
    let (n, l) = (VOCABULARY as f64, LEXICON as f64);
    let variance = l * (n + 1.0) * (n - l) / ((l + 1.0).powi(2) * (l + 2.0));
    is_near(found.stddev, variance.sqrt(), "standard deviation");

    let hardened = signer(&lexicon, Some(&contexts), ANY);
    let attempts =
        Attempts::with_guesses(&hardened, &payload, Place::End, tried(), synthetic_guesses);
    let attempts = attempts.unwrap();
    let expected = attempts.expected();
    assert_eq!(
        (expected.vocabulary, expected.lexicon),
        (VOCABULARY, LEXICON)
    );
    let (guesses, hit) = (GUESSES as f64, VALID as f64 / GUESSES as f64);
    let formula = trials_context(words, guesses, hit);
    assert!((expected.attempts - formula).abs() < 1e-9, "{expected:?}");
    let found = attempts.simulate(RUNS, Draw::WithReplacement, 2).unwrap();
    is_near(found.mean, formula, "hardened, guesses with replacement");
    let found = attempts
        .simulate(RUNS, Draw::WithoutReplacement, 3)
        .unwrap();
    is_near(
        found.mean,
        expected.attempts_exact,
        "hardened, guesses without replacement",
    );
    println!("gain: {:.1}, for C = {guesses}", found.mean / words);

    let alone = Attempts::with_words(&hardened, &payload, Place::End, tried()).unwrap();
    assert_eq!(
        alone.expected().lexicon,
        0,
        "words without a context change nothing"
    );
    let found = alone.simulate(10, Draw::WithoutReplacement, 4).unwrap();
    assert_eq!((found.succeeded, found.min), (0, VOCABULARY as u64));
}

#[test]
fn the_same_seed_gives_the_same_attack() {
    let world = world();
    let plain = signer(&world.lexicon, None, ANY);
    let tried = world.vocabulary.iter().map(String::as_str);
    let attempts = Attempts::with_words(&plain, &world.payload, Place::Start, tried).unwrap();
    let run = |seed| attempts.simulate(100, Draw::WithReplacement, seed).unwrap();
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

#[test]
fn randomised_lexicons_must_all_be_broken() {
    let world = world();
    let randomised = Some(Randomised {
        lexicons: 10,
        dropped_share: 0.3,
        seed: 11,
    });
    let config = SignerConfig {
        overlap_min: 1,
        randomised,
    };
    let lexicon = |config| {
        let signer = signer(&world.lexicon, None, config);
        let tried = world.vocabulary.iter().map(String::as_str);
        let attempts = Attempts::with_words(&signer, &world.payload, Place::End, tried).unwrap();
        attempts.expected().lexicon
    };
    assert!(
        lexicon(config) < LEXICON / 2,
        "only a few words change all signatures"
    );
    assert_eq!(lexicon(ANY), LEXICON);
}

#[test]
fn words_learned_from_one_payload_evade_with_another() {
    let lexicon = lexicon_of("a b c d");
    let plain = signer(&lexicon, None, ANY);
    let payloads = [words("a x b y"), words("a c z")];
    let target = words("a d t");
    let removals = Removals::new(&plain, &payloads, &target, Place::End).unwrap();
    // Seven words. The lexicon terms a and b of the first payload, and a and c of the second, are learned.
    // Of these, b and c are useful, and a is in the target already.
    assert_eq!(
        (removals.words(), removals.learned(), removals.useful()),
        (7, 4, 2)
    );
    let found = removals.simulate(RUNS, 1).unwrap();
    // The attempts until the first of 2 useful words among 7, and one attempt on the target.
    is_near(found.mean, trials_plain(7, 2) + 1.0, "removal");
    let error = Removals::new(&plain, &[words("x")], &target, Place::End).unwrap_err();
    assert_eq!(
        error,
        AttackError::NoSignature {
            payload: 0,
            overlap: 0
        }
    );
    assert!(Removals::new(&plain, &[], &target, Place::End).is_err());
}

#[test]
fn attacks_without_input_are_refused() {
    let lexicon = lexicon_of("a b");
    let plain = signer(&lexicon, None, ANY);
    let attempts = |payload, tried: &[&str]| {
        Attempts::with_words(&plain, &words(payload), Place::End, tried.iter().copied())
    };
    assert!(matches!(
        attempts("x", &["a"]),
        Err(AttackError::NoSignature { .. })
    ));
    assert_eq!(attempts("a", &[]), Err(AttackError::Nothing("words")));
    assert_eq!(
        attempts("a", &["a"]),
        Err(AttackError::Nothing("words")),
        "the payload contains the word already"
    );
    let some = attempts("a", &["b"]).unwrap();
    assert!(some.simulate(0, Draw::WithReplacement, 1).is_err());
}
