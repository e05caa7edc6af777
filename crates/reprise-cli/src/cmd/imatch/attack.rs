//! `reprise imatch attack`: who wants to evade signatures, simulated.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::imatch::attack::knowledge::{good_words, guesses, words_in_band};
use reprise_engine::imatch::attack::{AttackError, Attempts, Draw, Place, Removals, Trials};
use reprise_engine::imatch::{
    Bigrams, Class, FrequencyConfig, Lexicon, Part, Sides, Signer, Statistics, Terms,
};
use reprise_engine::index::MEMORY_BYTES_DEFAULT;
use reprise_engine::report::html::{self, Attacks, RemovalAttack, WordAttack, render_attacks};

use super::super::converting::ConvertFlags;
use super::super::corpora::Corpora;
use super::super::resources::ThreadsFlag;
use super::super::signing::{SignFlags, Signing};
use super::fragments::{Campaigns, Noises};
use crate::exit::Usage;
use crate::{human, input_name, output_file};

/// Simulate who wants to evade signatures: how many attempts it takes, and into how many pieces campaigns fall.
///
/// The attacker adds words to a payload, or removes some, until its signature changes. What the paper's formulas
/// expect stands beside it. Then each payload becomes a campaign of copies with noise around them, and the
/// pieces are counted that it falls into without and with contexts.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Payloads: corpora or anything that index reads. The first with a signature is attacked, the next ones are
    /// what the attacker learns from
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Good documents that the attacker has: good words, their contexts, and sentences for noise
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    good: Vec<String>,
    /// Words that the attacker has, one a line; what follows a blank or tab is ignored
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Most words of the dictionary, and of good words
    #[arg(long, value_name = "N", default_value_t = 5000)]
    words: usize,
    /// How large the attacker believes the lexicon to be
    #[arg(long, value_name = "N", default_value_t = 2000)]
    believed_size: usize,
    /// Contexts that the attacker guesses for a word
    #[arg(long, value_name = "N", default_value_t = 10)]
    guesses: usize,
    /// Payloads that words are removed from
    #[arg(long, value_name = "N", default_value_t = 4)]
    payloads: usize,
    /// Runs of each simulation
    #[arg(long, value_name = "N", default_value_t = 2000)]
    runs: usize,
    /// Payloads that become campaigns
    #[arg(long, value_name = "N", default_value_t = 20)]
    campaigns: usize,
    /// Copies in a campaign
    #[arg(long, value_name = "N", default_value_t = 50)]
    copies: usize,
    /// Words of noise in a copy
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [5, 20, 80])]
    noise: Vec<usize>,
    /// What the draws follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    sign: SignFlags,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
    /// Also write one HTML file with tables and plots
    #[arg(long, value_name = "FILE", value_parser = output_file::named_parser())]
    html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What is attacked, and who attacks it.
struct Ground<'a> {
    /// Without contexts and, where there are any, with them.
    signers: Vec<(&'static str, Signer<'a>)>,
    target: Terms,
    others: Vec<Terms>,
    campaigns: Vec<Terms>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check()?;
    let signing = args.sign.read(0)?;
    let rules = signing.lexicon().rules();
    let payloads = args.read(&args.inputs, &signing)?;
    let good = args.read(&args.good, &signing)?;
    let dictionary = match &args.dictionary {
        Some(path) => read_words(path, args.words)?,
        None => Vec::new(),
    };
    if good.is_empty() && dictionary.is_empty() {
        let message = "the attacker has no words: give --good documents, or a --dictionary";
        return Err(Usage(message.to_owned()).into());
    }
    let ground = args.ground(&signing, payloads)?;
    let mut attacker = Statistics::new(rules);
    for terms in &good {
        attacker.add(terms, Some(Class::Good));
    }
    for terms in [&ground.target].into_iter().chain(&ground.others) {
        attacker.add(terms, Some(Class::Bad));
    }
    let mut attacks = Vec::new();
    let words: Vec<&str> = dictionary.iter().map(String::as_str).collect();
    args.alone("dictionary words", &ground, &words, &mut attacks)?;
    if !good.is_empty() {
        let best = good_words(&attacker, args.words);
        let best: Vec<&str> = best.iter().map(String::as_str).collect();
        args.alone("good words", &ground, &best, &mut attacks)?;
        args.in_context(&ground, &attacker, &good, &signing, &mut attacks)?;
    }
    let removals = args.remove(&ground)?;
    let noises = Noises::new(&dictionary, &good);
    let fragmentation = Campaigns {
        signers: &ground.signers,
        payloads: &ground.campaigns,
        copies: args.copies,
        seed: args.seed,
    }
    .of(&noises, &args.noise);
    let found = Attacks {
        payload_terms: ground.target.len(),
        lexicon: signing.lexicon().len(),
        attacks,
        removals,
        fragmentation,
    };
    if let Some(path) = &args.html {
        output_file::write(path, render_attacks(&found))?;
        say!("written to {}", path.display());
    }
    if args.json {
        println!("{}", serde_json::to_string(&found)?);
    } else {
        print!("{}", text(&found));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// More than this is a slip of the keyboard, and would not end or not fit.
    fn check(&self) -> Result<(), Usage> {
        let noise = self.noise.iter().copied().max().unwrap_or(0);
        let limits = [
            ("--words", self.words, 0..=10_000_000),
            ("--believed-size", self.believed_size, 0..=10_000_000),
            ("--guesses", self.guesses, 0..=10_000),
            ("--payloads", self.payloads, 0..=10_000),
            ("--runs", self.runs, 1..=10_000_000),
            ("--campaigns", self.campaigns, 0..=100_000),
            ("--copies", self.copies, 1..=100_000),
            ("--noise", noise, 0..=100_000),
        ];
        match limits
            .iter()
            .find(|(_, value, range)| !range.contains(value))
        {
            None => Ok(()),
            Some((flag, _, range)) => Err(Usage(format!(
                "{flag} must be from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    fn read(&self, names: &[String], signing: &Signing) -> anyhow::Result<Vec<Terms>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let threads = self.threads.count()?;
        let corpora = Corpora::open(names, threads, MEMORY_BYTES_DEFAULT, true)?;
        let mut found = Vec::new();
        for texts in corpora.texts(&self.convert.converter()?, threads) {
            texts.for_each_terms(&signing.lexicon().rules(), |_, terms| {
                if !terms.is_empty() {
                    found.push(terms.clone());
                }
            })?;
        }
        Ok(found)
    }

    /// Chooses payloads that have a signature, with contexts and without, each once.
    fn ground<'s>(&self, signing: &'s Signing, all: Vec<Terms>) -> anyhow::Result<Ground<'s>> {
        let lexicon = signing.lexicon();
        let signer = |contexts| {
            Signer::new(Part { lexicon, contexts }, None, signing.config())
                .map_err(|error| Usage(error.to_string()))
        };
        let mut signers = vec![("plain", signer(None)?)];
        if let Some(contexts) = signing.contexts() {
            signers.push(("hardened", signer(Some(contexts))?));
        }
        let read = all.len();
        let mut seen = std::collections::HashSet::new();
        let mut payloads = all
            .into_iter()
            .map(|terms| wrapped(&terms))
            .filter(|terms| {
                let is_signed = signers
                    .iter()
                    .all(|(_, signer)| signer.sign(terms).primary.is_some());
                is_signed && seen.insert(signers[0].1.sign(terms).primary)
            });
        let Some(target) = payloads.next() else {
            let read = human::counted(read as u64, "document");
            return Err(Usage(format!(
                "no payload among {read} has a signature; lower --min-terms, or train on documents like these"
            ))
            .into());
        };
        let campaigns: Vec<Terms> = [target.clone()]
            .into_iter()
            .chain(payloads)
            .take(self.campaigns.max(self.payloads + 1))
            .collect();
        Ok(Ground {
            others: campaigns[1..].iter().take(self.payloads).cloned().collect(),
            campaigns: campaigns.into_iter().take(self.campaigns).collect(),
            signers,
            target,
        })
    }

    /// Tries each of these words alone.
    fn alone(
        &self,
        name: &'static str,
        ground: &Ground<'_>,
        words: &[&str],
        attacks: &mut Vec<WordAttack>,
    ) -> anyhow::Result<()> {
        for (defence, signer) in &ground.signers {
            let words = words.iter().copied();
            let attempts = Attempts::with_words(signer, &ground.target, Place::Start, words);
            attacks.extend(self.simulated(name, defence, attempts)?);
        }
        Ok(())
    }

    /// Tries the words that a lexicon of this corpus would have, alone and with contexts that are guessed.
    fn in_context(
        &self,
        ground: &Ground<'_>,
        attacker: &Statistics,
        good: &[Terms],
        signing: &Signing,
        attacks: &mut Vec<WordAttack>,
    ) -> anyhow::Result<()> {
        let band = FrequencyConfig {
            ranks_skipped: 0,
            size_max: self.believed_size,
            documents_min: 2,
            share_max: 0.5,
        };
        let Ok(band) = words_in_band(attacker, &band) else {
            return Ok(());
        };
        let words: Vec<&str> = band.entries().map(|entry| entry.term).collect();
        self.alone("words of a like corpus", ground, &words, attacks)?;
        let mut bigrams = Bigrams::new(&band, 10_000_000);
        for terms in good {
            bigrams.add(terms);
        }
        let sides = signing
            .contexts()
            .map_or(Sides::Either, |some| some.config().sides);
        for (defence, signer) in &ground.signers {
            let attempts = self.guessed(signer, &ground.target, &band, &mut bigrams, sides);
            attacks.extend(self.simulated("the same in guessed contexts", defence, attempts)?);
        }
        Ok(())
    }

    fn guessed(
        &self,
        signer: &Signer<'_>,
        target: &Terms,
        band: &Lexicon,
        bigrams: &mut Bigrams,
        sides: Sides,
    ) -> Result<Attempts, AttackError> {
        let words = band.entries().map(|entry| entry.term);
        let guess = |word: &str| guesses(bigrams, band, word, sides, self.guesses);
        Attempts::with_guesses(signer, target, Place::Start, words, guess)
    }

    /// Runs a simulation; nothing where there was nothing to try.
    fn simulated(
        &self,
        words: &'static str,
        defence: &'static str,
        attempts: Result<Attempts, AttackError>,
    ) -> anyhow::Result<Option<WordAttack>> {
        let attempts = match attempts {
            Err(AttackError::Nothing(_)) => return Ok(None),
            attempts => attempts?,
        };
        let expected = attempts.expected();
        let found = attempts.simulate(self.runs, Draw::WithoutReplacement, self.seed)?;
        let is_possible = expected.lexicon > 0;
        Ok(Some(WordAttack {
            words,
            defence,
            vocabulary: expected.vocabulary,
            lexicon: expected.lexicon,
            guesses: expected.guesses,
            hit: expected.hit,
            formula: is_possible.then_some(expected.attempts),
            formula_exact: is_possible.then_some(expected.attempts_exact),
            simulated: trials(&found),
        }))
    }

    fn remove(&self, ground: &Ground<'_>) -> anyhow::Result<Vec<RemovalAttack>> {
        let mut found = Vec::new();
        for (defence, signer) in &ground.signers {
            let removals = Removals::new(signer, &ground.others, &ground.target, Place::Start);
            let removals = match removals {
                Err(AttackError::Nothing(_)) => continue,
                removals => removals?,
            };
            found.push(RemovalAttack {
                defence,
                payloads: ground.others.len(),
                words: removals.words(),
                learned: removals.learned(),
                useful: removals.useful(),
                simulated: trials(&removals.simulate(self.runs, self.seed)?),
            });
        }
        Ok(found)
    }
}

/// A payload between two words that nobody knows. The edge of a document is a context too; without them the
/// first word that an attacker adds would take it from the payload, whatever the word.
fn wrapped(payload: &Terms) -> Terms {
    let wrap = std::iter::once("xxqx");
    Terms::of_words(wrap.clone().chain(payload.iter()).chain(wrap))
}

/// The first word of each line, in lower case.
fn read_words(path: &Path, most: usize) -> Result<Vec<String>, Usage> {
    let bytes = fs::read(path)
        .map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(words.take(most).map(str::to_lowercase).collect())
}

fn trials(of: &Trials) -> html::Trials {
    html::Trials {
        runs: of.runs,
        succeeded: of.succeeded,
        mean: of.mean,
        stddev: of.deviation,
        median: of.median,
        min: of.min,
        max: of.max,
    }
}

fn text(found: &Attacks) -> String {
    let mut text = format!(
        "payload of {}, lexicon of {}\n\n",
        human::counted(found.payload_terms as u64, "term"),
        human::counted(found.lexicon as u64, "term"),
    );
    text += "attempts until the signature changes\n";
    let _ = writeln!(
        text,
        "{:<29} {:<9} {:>6} {:>6} {:>5} {:>6} {:>9} {:>10} {:>8} {:>7}",
        "words added", "defence", "N", "L", "C", "p_h", "formula", "simulated", "stddev", "evaded"
    );
    for attack in &found.attacks {
        let formula =
            (attack.formula).map_or("never".to_owned(), |formula| format!("{formula:.1}"));
        let _ = writeln!(
            text,
            "{:<29} {:<9} {:>6} {:>6} {:>5.1} {:>6.3} {formula:>9} {:>10.1} {:>8.1} {:>6.0}%",
            attack.words,
            attack.defence,
            attack.vocabulary,
            attack.lexicon,
            attack.guesses,
            attack.hit,
            attack.simulated.mean,
            attack.simulated.stddev,
            evaded(&attack.simulated),
        );
    }
    for removal in &found.removals {
        let _ = writeln!(
            text,
            "words removed from {}, {}: {} words, {} change a signature, {} of these the target's; simulated {:.1}, stddev {:.1}, evaded {:.0}%",
            human::counted(removal.payloads as u64, "payload"),
            removal.defence,
            removal.words,
            removal.learned,
            removal.useful,
            removal.simulated.mean,
            removal.simulated.stddev,
            evaded(&removal.simulated),
        );
    }
    text + &super::fragments::text(&found.fragmentation)
}

fn evaded(trials: &html::Trials) -> f64 {
    100.0 * trials.succeeded as f64 / trials.runs as f64
}
