//! `reprise imatch attack`: simulates attackers who want to evade signatures.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reprise_engine::imatch::attack::{
    AttackError, AttackInput, AttackOptions, Attacks, Fragments, Trials, simulate,
};
use reprise_engine::imatch::{Terms, defaults};
use reprise_engine::index::MEMORY_BYTES_DEFAULT;
use reprise_engine::report::html::render_attacks;

use super::super::converting::ConvertFlags;
use super::super::corpora::Corpora;
use super::super::resources::ThreadsFlag;
use super::super::signing::{SignFlags, Signing};
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
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_WORDS)]
    words: usize,
    /// How large the attacker believes the lexicon to be
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_BELIEVED_SIZE)]
    believed_size: usize,
    /// Contexts that the attacker guesses for a word
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_GUESSES)]
    guesses: usize,
    /// Payloads that words are removed from
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_PAYLOADS)]
    payloads: usize,
    /// Runs of each simulation
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_RUNS)]
    runs: usize,
    /// Payloads that become campaigns
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_CAMPAIGNS)]
    campaigns: usize,
    /// Copies in a campaign
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_COPIES)]
    copies: usize,
    /// Words of noise in a copy
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = defaults::ATTACK_NOISE)]
    noise: Vec<usize>,
    /// What the draws follow from
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_SEED)]
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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let options = args.options();
    options.validate().map_err(usage)?;
    let signing = args.sign.read(0)?;
    let payloads = args.read(&args.inputs, &signing)?;
    let good = args.read(&args.good, &signing)?;
    let dictionary = args.dictionary.as_deref().map(read_words).transpose()?;
    let input = AttackInput {
        payloads: &payloads,
        good: &good,
        dictionary: &dictionary.unwrap_or_default(),
        part: signing.part(),
        config: signing.config(),
    };
    let found = simulate(&input, &options).map_err(usage)?;
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
    fn options(&self) -> AttackOptions {
        AttackOptions {
            words: self.words,
            believed_size: self.believed_size,
            guesses: self.guesses,
            payloads: self.payloads,
            runs: self.runs,
            campaigns: self.campaigns,
            copies: self.copies,
            noise: self.noise.clone(),
            seed: self.seed,
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
}

/// Adds the flag names to an error about the input or the options.
#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn usage(error: AttackError) -> Usage {
    Usage(match error {
        AttackError::OutOfRange {
            option, min, max, ..
        } => {
            format!("--{} must be from {min} to {max}", option.replace('_', "-"))
        }
        AttackError::NoWords => {
            "the attacker has no words: give --good documents, or a --dictionary".to_owned()
        }
        AttackError::NoPayload { documents } => format!(
            "no payload among {} has a signature; lower --min-terms, or train on documents like these",
            human::counted(documents as u64, "document")
        ),
        error => error.to_string(),
    })
}

/// Returns the first word of each line, in lower case.
fn read_words(path: &Path) -> Result<Vec<String>, Usage> {
    let bytes = fs::read(path)
        .map_err(|error| Usage(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(words.map(str::to_lowercase).collect())
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
    text + &fragments_text(&found.fragmentation)
}

fn fragments_text(rows: &[Fragments]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let mut text = format!(
        "\npieces that {} campaigns of {} fall into\n",
        first.campaigns, first.copies
    );
    let _ = writeln!(
        text,
        "{:<10} {:>6} {:>7} {:>9} {:>10} {:>10} {:>8}",
        "noise", "words", "plain", "hardened", "mean rate", "best rate", "rate > 1"
    );
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    for row in rows {
        let improved = row
            .improved
            .map_or("-".to_owned(), |share| format!("{:.0}%", share * 100.0));
        let _ = writeln!(
            text,
            "{:<10} {:>6} {:>7.1} {:>9} {:>10} {:>10} {improved:>8}",
            row.noise,
            row.words,
            row.plain,
            shown(row.hardened),
            shown(row.mean_rate),
            shown(row.best_rate),
        );
    }
    text
}

fn evaded(trials: &Trials) -> f64 {
    100.0 * trials.succeeded as f64 / trials.runs as f64
}
