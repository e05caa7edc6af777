//! The attack experiment as a whole.

use reprise_imatch::attack::{
    AttackError, AttackInput, AttackOptions, AttackWords, Defence, NoiseKind, simulate,
};
use reprise_imatch::{Bigrams, ContextConfig, ContextRule, Contexts, Lexicon, Part, Sides, Terms};

use crate::attacks::ANY;
use crate::signatures::lexicon_of;
use crate::words;

/// A lexicon with contexts, and documents to attack its signatures with.
struct Setting {
    lexicon: Lexicon,
    contexts: Contexts,
    payloads: Vec<Terms>,
    good: Vec<Terms>,
    dictionary: Vec<String>,
}

impl Setting {
    fn new() -> Self {
        let lexicon = lexicon_of("cheap pills order now meeting agenda minutes");
        let payloads = ["nothing here", "cheap pills here", "order pills now"].map(words);
        let good = [
            "the meeting agenda was sent to all of us in time yesterday",
            "see you soon and thanks for the very nice dinner last night",
        ];
        let good: Vec<Terms> = good
            .iter()
            .cycle()
            .take(6)
            .map(|text| words(text))
            .collect();
        let mut bigrams = Bigrams::new(&lexicon, 1000);
        for document in payloads.iter().chain(&good) {
            bigrams.add(document);
        }
        let rule = ContextRule::Count(1);
        let sides = Sides::Either;
        let contexts = bigrams.contexts(&ContextConfig { rule, sides });
        Self {
            lexicon,
            contexts,
            payloads: payloads.into(),
            good,
            dictionary: ["zebra", "now", "agenda"].map(str::to_owned).into(),
        }
    }

    fn input(&self) -> AttackInput<'_> {
        AttackInput {
            payloads: &self.payloads,
            good: &self.good,
            dictionary: &self.dictionary,
            part: Part {
                lexicon: &self.lexicon,
                contexts: Some(&self.contexts),
            },
            config: ANY,
        }
    }
}

fn options() -> AttackOptions {
    AttackOptions {
        runs: 100,
        copies: 4,
        ..AttackOptions::default()
    }
}

#[test]
fn every_attack_is_simulated() {
    let setting = Setting::new();
    let found = simulate(&setting.input(), &options()).unwrap();
    assert_eq!(found, simulate(&setting.input(), &options()).unwrap());
    // The first payload with a signature, between two unknown words.
    assert_eq!((found.payload_terms, found.lexicon), (5, 7));
    let attacks: Vec<_> = (found.attacks.iter())
        .map(|attack| (attack.words, attack.defence))
        .collect();
    let expected = [
        AttackWords::Dictionary,
        AttackWords::Good,
        AttackWords::LikeCorpus,
        AttackWords::GuessedContexts,
    ];
    let expected: Vec<_> = (expected.iter())
        .flat_map(|&words| [Defence::Plain, Defence::Hardened].map(|defence| (words, defence)))
        .collect();
    assert_eq!(attacks, expected);
    let [plain, hardened] = [&found.attacks[0], &found.attacks[1]];
    // `now` and `agenda` are in the lexicon, but have no valid context alone.
    assert_eq!((plain.vocabulary, plain.lexicon), (3, 2));
    assert_eq!((hardened.lexicon, hardened.formula), (0, None));
    assert_eq!(found.removals.len(), 2);
    assert_eq!(found.removals[0].payloads, 1);
    let rows: Vec<_> = (found.fragmentation.iter())
        .map(|row| (row.noise, row.words, row.campaigns))
        .collect();
    let expected = [NoiseKind::Words, NoiseKind::Sentences]
        .map(|noise| [5, 20, 80].map(|words| (noise, words, 2)));
    assert_eq!(rows, expected.concat());
}

#[test]
fn without_contexts_there_is_one_defence() {
    let setting = Setting::new();
    let mut input = setting.input();
    input.part.contexts = None;
    input.good = &[];
    let found = simulate(&input, &options()).unwrap();
    assert_eq!(found.attacks.len(), 1);
    assert_eq!(found.attacks[0].defence, Defence::Plain);
    assert_eq!(found.fragmentation[0].hardened, None);
    assert!(found.fragmentation[0].rates.is_empty());
}

#[test]
fn experiments_without_input_are_refused() {
    let setting = Setting::new();
    let mut input = setting.input();
    (input.good, input.dictionary) = (&[], &[]);
    assert_eq!(simulate(&input, &options()), Err(AttackError::NoWords));
    let mut input = setting.input();
    input.payloads = &setting.payloads[..1];
    let error = AttackError::NoPayload { documents: 1 };
    assert_eq!(simulate(&input, &options()), Err(error));
}

#[test]
fn options_out_of_range_are_named() {
    let check = |options: AttackOptions, name: &str| {
        let error = options.validate().unwrap_err();
        assert_eq!(
            simulate(&Setting::new().input(), &options),
            Err(error.clone())
        );
        assert!(error.to_string().contains(name), "{error}");
    };
    let with = |change: fn(&mut AttackOptions)| {
        let mut options = options();
        change(&mut options);
        options
    };
    check(with(|options| options.runs = 0), "runs");
    check(with(|options| options.copies = 0), "copies");
    check(with(|options| options.noise.push(usize::MAX)), "noise");
    check(
        with(|options| options.believed_size = usize::MAX),
        "believed_size",
    );
    assert_eq!(options().validate(), Ok(()));
}

#[cfg(feature = "serde")]
#[test]
fn json_keys_are_stable() {
    let found = simulate(&Setting::new().input(), &options()).unwrap();
    let json = serde_json::to_value(&found).unwrap();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(json["attacks"][7]["words"], "the same in guessed contexts");
    assert_eq!(json["attacks"][7]["defence"], "hardened");
    assert_eq!(json["fragmentation"][3]["noise"], "sentences");
    let mut expected = [
        "runs",
        "succeeded",
        "mean",
        "stddev",
        "median",
        "min",
        "max",
    ];
    expected.sort_unstable();
    let mut found = keys(&json["attacks"][0]["simulated"]);
    found.sort_unstable();
    assert_eq!(found, expected);
    let mut found = keys(&json["removals"][0]);
    found.sort_unstable();
    let expected = [
        "defence",
        "learned",
        "payloads",
        "simulated",
        "useful",
        "words",
    ];
    assert_eq!(found, expected);
}
