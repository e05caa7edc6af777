//! Measures campaigns of real spam with noise, as in the paper's figure 4.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use reprise_fingerprint::Fingerprint;
use reprise_imatch::noise::{Noise, NoiseConfig, campaign};
use reprise_imatch::{
    Bigrams, Class, ContextConfig, ContextRule, Contexts, Fragmentation, InformationConfig,
    Lexicon, Part, Reduction, Sides, Signer, SignerConfig, Statistics, Terms, coverage_by_count,
    coverage_by_top, shares_by_rate, train_by_information,
};

use crate::mails::{MAIL_RULES, Mail, mail};

const COPIES: usize = 50;
/// One of this number of payloads becomes a campaign.
const STEP: usize = 16;
const CONFIG: SignerConfig = SignerConfig {
    overlap_min: 20,
    randomised: None,
};

/// Trains a lexicon on the training half of the mail.
fn lexicon(mail: &Mail, leaning: Option<Class>) -> Lexicon {
    let mut statistics = Statistics::new(MAIL_RULES);
    let classes = [
        (&mail.train_ham, Class::Good),
        (&mail.train_spam, Class::Bad),
    ];
    for (documents, class) in classes {
        for document in documents {
            statistics.add(document, Some(class));
        }
    }
    let config = InformationConfig {
        leaning,
        size_max: 15_000,
        documents_min: 2,
        share_max: 0.5,
    };
    train_by_information(&statistics, &config).unwrap()
}

fn bigrams(mail: &Mail, lexicon: &Lexicon) -> Bigrams {
    let mut bigrams = Bigrams::new(lexicon, 10_000_000);
    for document in mail.train_ham.iter().chain(&mail.train_spam) {
        bigrams.add(document);
    }
    bigrams
}

fn signer<'a>(lexicon: &'a Lexicon, contexts: Option<&'a Contexts>) -> Signer<'a> {
    Signer::new(Part { lexicon, contexts }, None, CONFIG).unwrap()
}

/// Returns the number of fragments of a campaign.
fn fragments(signer: &Signer, copies: &[Terms]) -> usize {
    let signatures: Vec<_> = copies.iter().map(|copy| signer.sign(copy)).collect();
    Fragmentation::of(&signatures).fragments()
}

/// Returns spam mails with distinct signatures, both without and with contexts.
fn payloads<'a>(mail: &'a Mail, plain: &Signer, hardened: &Signer) -> Vec<&'a Terms> {
    let mut seen = HashSet::new();
    let mut is_new = |terms: &&Terms| {
        let signature = plain.sign(terms).primary;
        signature.is_some() && hardened.sign(terms).primary.is_some() && seen.insert(signature)
    };
    let payloads = mail.test_spam.iter().filter(|terms| is_new(terms));
    payloads.step_by(STEP).collect()
}

/// The results of all campaigns with one kind and amount of noise.
struct Row(Vec<Reduction>);

impl Row {
    fn mean(&self, of: impl Fn(&Reduction) -> f64) -> f64 {
        self.0.iter().map(of).sum::<f64>() / self.0.len() as f64
    }

    fn rate(&self) -> f64 {
        self.mean(Reduction::rate)
    }

    /// Returns the share of campaigns with a rate above one.
    fn improved(&self) -> f64 {
        self.mean(|one| f64::from(u8::from(one.rate() > 1.0)))
    }

    fn print(&self, noise: &str, words: usize) {
        println!(
            "{noise:<10}  {words:>5}  {:>5.1}  {:>8.1}  {:>9.1}  {:>9.1}  {:>6.0} %",
            self.mean(|one| one.before as f64),
            self.mean(|one| one.after as f64),
            self.rate(),
            self.0.iter().map(Reduction::rate).fold(0.0, f64::max),
            100.0 * self.improved()
        );
    }
}

#[test]
fn hardening_holds_campaigns_together() {
    let Some(mail) = mail() else { return };
    let dictionary: Vec<&str> = mail.dictionary.iter().map(String::as_str).collect();
    let settings = [
        (None, 3, Sides::Either),
        (None, 15, Sides::Either),
        (Some(Class::Bad), 3, Sides::Both),
        (Some(Class::Bad), 5, Sides::Both),
    ];
    for (leaning, count, sides) in settings {
        let lexicon = lexicon(mail, leaning);
        let rule = ContextRule::Count(count);
        let contexts = bigrams(mail, &lexicon).contexts(&ContextConfig { rule, sides });
        let (plain, hardened) = (signer(&lexicon, None), signer(&lexicon, Some(&contexts)));
        let payloads = payloads(mail, &plain, &hardened);
        println!(
            "\nlexicon of {} terms (leaning: {leaning:?}), {} contexts (count {count}, {sides:?}); {} campaigns of {COPIES}",
            lexicon.len(),
            contexts.len(),
            payloads.len()
        );
        println!("noise       words  plain  hardened  mean rate  best rate  above 1");
        let mut dictionary_rates = Vec::new();
        for (name, noise) in [
            ("dictionary", Noise::Words(&dictionary)),
            ("sentences", Noise::Sentences(&mail.sentences)),
        ] {
            for words in [5, 20, 80] {
                let reduction = |(payload, seed): (&&Terms, u64)| {
                    let config = NoiseConfig {
                        words,
                        copies: COPIES,
                        seed,
                    };
                    let copies = campaign(payload, noise, &config);
                    Reduction {
                        before: fragments(&plain, &copies),
                        after: fragments(&hardened, &copies),
                    }
                };
                let row = Row(payloads.iter().zip(1..).map(reduction).collect());
                row.print(name, words);
                if name == "dictionary" {
                    assert!(row.improved() > 0.9);
                    dictionary_rates.push(row.rate());
                    let shares = shares_by_rate(&row.0);
                    assert!((shares.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-9);
                }
            }
        }
        assert!(
            dictionary_rates[2] > COPIES as f64 / 2.0,
            "{dictionary_rates:?}"
        );
    }
}

/// Returns the number of pairs of mails with the same signature but different words, and the number of all
/// pairs with the same signature.
fn merges(signer: &Signer, mails: &[&Terms]) -> (usize, usize) {
    let mut groups: BTreeMap<Fingerprint, Vec<BTreeSet<&str>>> = BTreeMap::new();
    for mail in mails {
        if let Some(signature) = signer.sign(mail).primary {
            groups
                .entry(signature)
                .or_default()
                .push(mail.iter().collect());
        }
    }
    let (mut wrong, mut all) = (0, 0);
    for group in groups.values() {
        for (place, one) in group.iter().enumerate() {
            for other in &group[..place] {
                let shared = one.intersection(other).count();
                let alike = shared as f64 / (one.len() + other.len() - shared) as f64;
                all += 1;
                wrong += usize::from(alike < 0.5);
            }
        }
    }
    (wrong, all)
}

#[test]
fn hardening_rarely_merges_different_mails() {
    let Some(mail) = mail() else { return };
    let mails: Vec<&Terms> = mail.test_ham.iter().chain(&mail.test_spam).collect();
    let lexicon = lexicon(mail, None);
    let mut bigrams = bigrams(mail, &lexicon);
    println!("contexts             least terms   pairs with one signature   different   signed");
    let print = |name: &str, contexts: Option<&Contexts>, overlap_min| {
        let config = SignerConfig {
            overlap_min,
            randomised: None,
        };
        let lexicon = &lexicon;
        let signer = Signer::new(Part { lexicon, contexts }, None, config).unwrap();
        let (wrong, all) = merges(&signer, &mails);
        let has_signature = |mail: &&&Terms| signer.sign(mail).primary.is_some();
        let (count, of) = (mails.iter().filter(has_signature).count(), mails.len());
        println!("{name:<17} {overlap_min:>14} {all:>26} {wrong:>11}   {count} of {of}");
        (wrong, all)
    };
    for overlap_min in [5, 10, 20] {
        assert_eq!(print("none", None, overlap_min).0, 0);
        for (count, sides) in [(3, Sides::Either), (15, Sides::Either), (3, Sides::Both)] {
            let rule = ContextRule::Count(count);
            let contexts = bigrams.contexts(&ContextConfig { rule, sides });
            let name = format!("count {count}, {sides:?}").to_lowercase();
            let (wrong, all) = print(&name, Some(&contexts), overlap_min);
            // With few terms, mails that share only common text, such as the footers of mailing lists,
            // have the same signature. With at least 20 terms they do not.
            assert!(overlap_min < 20 || wrong == 0, "{wrong} of {all}");
        }
    }
}

#[test]
fn contexts_cover_usage_as_in_figure_1() {
    let Some(mail) = mail() else { return };
    let lexicon = lexicon(mail, None);
    let mut bigrams = bigrams(mail, &lexicon);
    let tops = coverage_by_top(&mut bigrams, &[1, 5, 10, 20, 40, 80, 160]);
    for top in &tops {
        println!(
            "top {:>3} contexts of each term cover {:.3} of its usage",
            top.contexts, top.mean
        );
    }
    assert!(tops.is_sorted_by(|a, b| a.mean <= b.mean) && tops[6].mean > 0.9);
    let counts = coverage_by_count(&mut bigrams, &[1, 2, 3, 5, 10, 15, 30]);
    for at in &counts {
        println!(
            "count {:>2}: {:>6} contexts cover {:.3} before, {:.3} after",
            at.count, at.contexts, at.before, at.after
        );
    }
    assert!((counts[0].before - 1.0).abs() < 1e-9 && (counts[0].after - 1.0).abs() < 1e-9);
    assert!(counts.is_sorted_by(|a, b| a.before >= b.before && a.contexts >= b.contexts));
    for (count, sides) in [(3, Sides::Either), (15, Sides::Either), (3, Sides::Both)] {
        let rule = ContextRule::Count(count);
        let contexts = bigrams.contexts(&ContextConfig { rule, sides });
        let (mut valid, mut all) = (0, 0);
        for document in &mail.test_spam {
            let covered = contexts.covered(document);
            valid += covered.valid;
            all += covered.occurrences;
        }
        println!("count {count}, {sides:?}: {valid} of {all} occurrences in other spam are valid");
    }
}
