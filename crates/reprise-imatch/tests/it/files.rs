//! Tests files: round trips, fixed content, and invalid files.

use proptest::prelude::*;
use reprise_imatch::{
    Bigrams, Class, ContextConfig, ContextRule, Contexts, FileError, InformationConfig, Lexicon,
    Sides, train_by_information,
};

use crate::signatures::{documents, lexicon_of};
use crate::{classified, words};

const LEXICON: &str = "reprise-lexicon 1\nrules invisible=remove look-alikes=fold numbers=drop chars=1..40\n\
    choice information\ndocuments 3\ngood 2\nbad 1\nterms 2\ncheap\t1\t0\t1\t918295834\nmeeting\t2\t2\t0\t918295834\n";

fn lexicon() -> Lexicon {
    let corpus = [
        (words("the meeting minutes"), Class::Good),
        (words("the meeting agenda"), Class::Good),
        (words("the cheap pills"), Class::Bad),
    ];
    let config = InformationConfig {
        leaning: None,
        size_max: 2,
        documents_min: 1,
        share_max: 1.0,
    };
    let statistics = classified(corpus.iter().map(|(terms, class)| (terms, *class)));
    train_by_information(&statistics, &config).unwrap()
}

fn contexts(lexicon: &Lexicon) -> Contexts {
    let mut bigrams = Bigrams::new(lexicon, 1000);
    bigrams.add(&words("a cheap meeting"));
    bigrams.add(&words("the cheap"));
    let config = ContextConfig {
        rule: ContextRule::Count(1),
        sides: Sides::Either,
    };
    bigrams.contexts(&config)
}

#[test]
fn the_file_of_a_lexicon_has_this_content() {
    let written = lexicon().to_bytes();
    assert_eq!(String::from_utf8(written.clone()).unwrap(), LEXICON);
    let read = Lexicon::parse(&written).unwrap();
    assert_eq!(read.to_bytes(), written);
    assert_eq!(read.fingerprint(), lexicon().fingerprint());
    assert_eq!(read.get("meeting"), Some(1));
}

#[test]
fn the_file_of_contexts_has_this_content() {
    let lexicon = lexicon();
    let written = contexts(&lexicon).to_bytes();
    let expected = format!(
        "reprise-contexts 1\nlexicon {}\ndocuments 2\nrule count 1\nsides either\nrows 4\n\
         cheap\tbefore\ta the\ncheap\tafter\t$ meeting\nmeeting\tbefore\tcheap\nmeeting\tafter\t$\n",
        lexicon.fingerprint()
    );
    assert_eq!(String::from_utf8(written.clone()).unwrap(), expected);
    assert_eq!(
        Contexts::parse(&written, &lexicon).unwrap().to_bytes(),
        written
    );
    let error = Contexts::parse(&written, &lexicon_of("other")).unwrap_err();
    assert_eq!(error, FileError::Lexicon);
}

#[test]
fn errors_name_the_line() {
    for (from, to, expected) in [
        (
            "reprise-lexicon 1",
            "reprise-lexicon 2",
            "does not begin with",
        ),
        ("fold", "bend", "line 2"),
        ("chars=1..40", "chars=1..40 x", "line 2"),
        ("choice information", "choice", "line 3"),
        ("documents 3", "documents 99999999999", "line 4"),
        ("good 2", "good -2", "line 5"),
        ("bad 1", "bad 2", "line 6"),
        ("terms 2", "terms 3", "should have 3 rows, found 2"),
        ("terms 2", "terms 18446744073709551615", "found 2"),
        ("cheap\t1", "cheap\t9", "line 8"),
        ("cheap", "zebra", "line 9"),
        ("cheap", "meeting", "line 9"),
        ("cheap", "che ap", "line 8"),
        ("cheap\t1\t0\t1", "cheap\t1\t0\t1\t7", "line 8"),
        ("918295834\n", "x\n", "line 8"),
    ] {
        let file = LEXICON.replacen(from, to, 1);
        let error = Lexicon::parse(file.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{from} {to}: {error}");
    }
    assert!(Lexicon::parse(b"").is_err());
    let cut = &LEXICON.as_bytes()[..LEXICON.len() - 1];
    assert!(
        Lexicon::parse(cut)
            .unwrap_err()
            .to_string()
            .contains("line feed")
    );
}

proptest! {
    #[test]
    fn contexts_round_trip(corpus in documents(), share in 0.0_f64..1.0, both in any::<bool>()) {
        let lexicon = lexicon_of("a b ä 東");
        let mut bigrams = Bigrams::new(&lexicon, 1000);
        for document in &corpus {
            bigrams.add(document);
        }
        let sides = if both { Sides::Both } else { Sides::Either };
        let contexts = bigrams.contexts(&ContextConfig { rule: ContextRule::Share(share), sides });
        let read = Contexts::parse(&contexts.to_bytes(), &lexicon).unwrap();
        prop_assert_eq!(read.to_bytes(), contexts.to_bytes());
        prop_assert_eq!((read.config(), read.len()), (contexts.config(), contexts.len()));
        for document in &corpus {
            prop_assert_eq!(read.covered(document), contexts.covered(document));
        }
    }

    #[test]
    fn a_damaged_file_is_refused_or_is_another_valid_file(place in any::<prop::sample::Index>(), byte in any::<u8>(), len in 0_usize..40) {
        let lexicon = lexicon();
        let mut bytes = lexicon.to_bytes();
        let place_in = place.index(bytes.len());
        bytes.splice(place_in..(place_in + len).min(bytes.len()), [byte]);
        if let Ok(read) = Lexicon::parse(&bytes) {
            prop_assert!(Lexicon::parse(&read.to_bytes()).is_ok());
        }
        let mut bytes = contexts(&lexicon).to_bytes();
        let place_in = place.index(bytes.len());
        bytes.splice(place_in..(place_in + len).min(bytes.len()), [byte]);
        if let Ok(read) = Contexts::parse(&bytes, &lexicon) {
            prop_assert!(Contexts::parse(&read.to_bytes(), &lexicon).is_ok());
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let lexicon = lexicon();
        prop_assert!(Lexicon::parse(&bytes).is_err());
        for header in [&b"reprise-lexicon 1\n"[..], b"reprise-contexts 1\n"] {
            let file = [header, &bytes].concat();
            let _ = Lexicon::parse(&file);
            let _ = Contexts::parse(&file, &lexicon);
        }
    }
}
