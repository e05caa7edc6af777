//! Simulates attacks on the signatures of one half of real mail, by an attacker who has the other half.

use reprise_imatch::attack::knowledge::{good_words, guesses, words_in_band};
use reprise_imatch::attack::{Attempts, Draw, Place, Removals};
use reprise_imatch::{
    Bigrams, Class, ContextConfig, ContextRule, FrequencyConfig, InformationConfig, Lexicon, Sides,
    Signer, Statistics, Terms, train_by_information,
};

use crate::attacks::{ANY, signer};
use crate::mails::{MAIL_RULES, Mail, mail};

const RUNS: usize = 2000;
const DEFENDER: InformationConfig = InformationConfig {
    leaning: None,
    size_max: 15_000,
    documents_min: 2,
    share_max: 0.5,
};
/// The band that the attacker assumes for the lexicon.
const BAND: FrequencyConfig = FrequencyConfig {
    ranks_skipped: 0,
    size_max: 2000,
    documents_min: 5,
    share_max: 0.3,
};

fn statistics_of(ham: &[Terms], spam: &[Terms]) -> Statistics {
    let mut statistics = Statistics::new(MAIL_RULES);
    for (documents, class) in [(ham, Class::Good), (spam, Class::Bad)] {
        for document in documents {
            statistics.add(document, Some(class));
        }
    }
    statistics
}

fn bigrams_of(lexicon: &Lexicon, mail: &Mail, is_defender: bool) -> Bigrams {
    let mut bigrams = Bigrams::new(lexicon, 10_000_000);
    let documents = if is_defender {
        mail.train_ham.iter().chain(&mail.train_spam)
    } else {
        mail.test_ham.iter().chain(&mail.test_spam)
    };
    documents.for_each(|document| bigrams.add(document));
    bigrams
}

/// Puts a document between two words that are in no lexicon, as the attack experiment does: otherwise the
/// first added word would take the edge of the document, which is a context, from the payload.
fn wrapped(document: &Terms) -> Terms {
    let wrap = std::iter::once("xxqx");
    Terms::of_words(wrap.clone().chain(document.iter()).chain(wrap))
}

/// Returns the five shortest spam mails with at least ten terms in context.
fn payloads(mail: &Mail, hardened: &Signer) -> Vec<Terms> {
    let mut payloads: Vec<Terms> = mail
        .test_spam
        .iter()
        .map(wrapped)
        .filter(|terms| hardened.sign(terms).overlap >= 10)
        .collect();
    payloads.sort_by_key(Terms::len);
    payloads.dedup();
    payloads.truncate(5);
    payloads
}

/// Prints a line of the table and returns the mean number of attempts.
fn row(name: &str, defence: &str, attempts: &Attempts) -> f64 {
    let expected = attempts.expected();
    let found = attempts
        .simulate(RUNS, Draw::WithoutReplacement, 1)
        .unwrap();
    println!(
        "{name:<26} {defence:<8} {:>5} {:>5} {:>5.1} {:>6.3} {:>9.1} {:>10.1} {:>10.1}",
        expected.vocabulary,
        expected.lexicon,
        expected.guesses,
        expected.hit,
        expected.attempts,
        found.mean,
        found.stddev
    );
    found.mean
}

/// Tries words alone against both defences, and returns the mean number of attempts against the plain one.
fn alone(name: &str, signers: [&Signer; 2], payload: &Terms, words: &[&str]) -> f64 {
    let [easy, hard] =
        [("plain", signers[0]), ("hardened", signers[1])].map(|(defence, signer)| {
            let words = words.iter().copied();
            let attempts = Attempts::with_words(signer, payload, Place::Start, words).unwrap();
            row(name, defence, &attempts)
        });
    assert!(hard > easy, "{name}");
    easy
}

#[test]
fn attacks_need_more_attempts_with_contexts() {
    let Some(mail) = mail() else { return };
    let defender = statistics_of(&mail.train_ham, &mail.train_spam);
    let lexicon = train_by_information(&defender, &DEFENDER).unwrap();
    let contexts = bigrams_of(&lexicon, mail, true).contexts(&ContextConfig {
        rule: ContextRule::Count(15),
        sides: Sides::Either,
    });
    let plain = signer(&lexicon, None, ANY);
    let hardened = signer(&lexicon, Some(&contexts), ANY);
    let payloads = payloads(mail, &hardened);
    let (payload, others) = payloads.split_first().unwrap();

    println!(
        "attempts                   defence      N     L     C    p_h   formula  simulated  deviation"
    );
    let attacker = statistics_of(&mail.test_ham, &mail.test_spam);
    let band = words_in_band(&attacker, &BAND).unwrap();
    let good = good_words(&attacker, 1000);
    let [dictionary, good] = [&mail.dictionary[..5000], &good]
        .map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
    let banded: Vec<&str> = band.entries().map(|entry| entry.term).collect();
    let signers = [&plain, &hardened];
    alone("dictionary words", signers, payload, &dictionary);
    alone("good words", signers, payload, &good);
    let easy = alone("words of a like corpus", signers, payload, &banded);

    let mut bigrams = bigrams_of(&band, mail, false);
    let guess = |word: &str| guesses(&mut bigrams, &band, word, Sides::Either, 10);
    let words = banded.iter().copied();
    let guessed = Attempts::with_guesses(&hardened, payload, Place::Start, words, guess).unwrap();
    let hard = row("the same, contexts guessed", "hardened", &guessed);
    assert!(hard > easy);

    for (defence, signer) in [("plain", &plain), ("hardened", &hardened)] {
        let removals = Removals::new(signer, others, payload, Place::Start).unwrap();
        let found = removals.simulate(RUNS, 1).unwrap();
        println!(
            "removal, {} payloads: {defence:<8} {} words, {} learned, {} useful; simulated {:.1}, deviation {:.1}",
            others.len(),
            removals.words(),
            removals.learned(),
            removals.useful(),
            found.mean,
            found.stddev
        );
    }
}
