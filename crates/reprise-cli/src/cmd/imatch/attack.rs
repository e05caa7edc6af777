//! `reprise imatch attack`: simulates attackers who want to evade signatures.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::defaults::imatch as defaults;
use reprise_engine::signatures::attack::{AttackOptions, Attacks, Fragments, Trials};
use reprise_engine::{AttackInputs, render_attacks, simulate_attacks, write_file};

use crate::console::Console;
use crate::flags::{ConvertFlags, MemoryFlag, SignFlags, ThreadsFlag, resources};
use crate::{human, input_name, output};

/// Simulate attackers who want to evade signatures
///
/// Counts the attempts until the signature of a payload changes, if the attacker adds words or removes some, and
/// compares them with the formulas of docs/imatch.md. Then it makes many copies of each payload, puts noise around
/// each copy, and counts the groups with different signatures, without and with contexts.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Payloads: corpora, or files and directories in any format that index reads. The first payload with a
    /// signature is attacked; the attacker learns from the others
    #[arg(required = true, value_name = "INPUT", value_parser = input_name::parser())]
    inputs: Vec<String>,
    /// Good documents of the attacker, who takes words, contexts and noise from them; can be repeated
    #[arg(long, value_name = "INPUT", value_parser = input_name::parser())]
    good: Vec<String>,
    /// File of the attacker's words: the first word of each line
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// HTML file to write, with tables and plots
    #[arg(long, value_name = "FILE", value_parser = output::named_parser())]
    html: Option<PathBuf>,
    /// Use at most N words of the dictionary, and at most N good words
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_WORDS, hide_short_help = true)]
    words: usize,
    /// Size of the lexicon, as the attacker assumes it
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_BELIEVED_SIZE, hide_short_help = true)]
    believed_size: usize,
    /// Number of contexts that the attacker guesses for each word
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_GUESSES, hide_short_help = true)]
    guesses: usize,
    /// Number of payloads from which words are removed
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_PAYLOADS, hide_short_help = true)]
    payloads: usize,
    /// Runs of each simulation
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_RUNS, hide_short_help = true)]
    runs: usize,
    /// Number of payloads that become campaigns
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_CAMPAIGNS, hide_short_help = true)]
    campaigns: usize,
    /// Copies in a campaign
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_COPIES, hide_short_help = true)]
    copies: usize,
    /// Words of noise in a copy
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_values_t = defaults::ATTACK_NOISE,
        hide_short_help = true
    )]
    noise: Vec<usize>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = defaults::ATTACK_SEED)]
    seed: u64,
    #[command(flatten)]
    sign: SignFlags,
    #[command(flatten)]
    threads: ThreadsFlag,
    #[command(flatten)]
    convert: ConvertFlags,
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let options = self.options();
        options.validate().map_err(reprise_engine::Error::from)?;
        let inputs = AttackInputs {
            payloads: self.inputs.clone(),
            good: self.good.clone(),
            dictionary: self.dictionary.clone(),
        };
        let bar = console.bar();
        let found = simulate_attacks(
            &inputs,
            &self.sign.read()?,
            &options,
            &self.convert.options()?,
            resources(MemoryFlag::default(), self.threads),
            &bar,
        )?;
        bar.finish();
        if let Some(path) = &self.html {
            write_file(path, render_attacks(&found).as_bytes())?;
            console.say(format!("plots written to {}", path.display()));
        }
        console.print(&found, None, || text(&found))?;
        Ok(ExitCode::SUCCESS)
    }

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
}

fn text(found: &Attacks) -> String {
    let mut text = format!(
        "payload of {}, lexicon of {}\n\nattempts until the signature changes\n",
        human::counted(found.payload_terms as u64, "term"),
        human::counted(found.lexicon as u64, "term"),
    );
    let _ = writeln!(
        text,
        "{:<29} {:<9} {:>6} {:>6} {:>5} {:>6} {:>9} {:>10} {:>8} {:>7}",
        "words added", "defence", "N", "L", "C", "p_h", "formula", "simulated", "stddev", "evaded"
    );
    for attack in &found.attacks {
        let _ = writeln!(
            text,
            "{:<29} {:<9} {:>6} {:>6} {:>5.1} {:>6.3} {:>9} {:>10.1} {:>8.1} {:>7}",
            attack.words,
            attack.defence,
            human::count(attack.vocabulary as u64),
            human::count(attack.lexicon as u64),
            attack.guesses,
            attack.hit,
            decimal(attack.formula, "never"),
            attack.simulated.mean,
            attack.simulated.stddev,
            evaded(&attack.simulated),
        );
    }
    for removal in &found.removals {
        let _ = writeln!(
            text,
            "words removed from {}, {}: {} of {} change a signature, {} of them that of the target; \
             simulated {:.1}, stddev {:.1}, evaded {}",
            human::counted(removal.payloads as u64, "payload"),
            removal.defence,
            human::count(removal.learned as u64),
            human::counted(removal.words as u64, "word"),
            human::count(removal.useful as u64),
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
        "\nmean number of fragments of {} with {} each\n",
        human::counted(first.campaigns as u64, "campaign"),
        human::counted_as(first.copies as u64, "copy", "copies")
    );
    let _ = writeln!(
        text,
        "{:<10} {:>6} {:>7} {:>9} {:>10} {:>10} {:>8}",
        "noise", "words", "plain", "hardened", "mean rate", "best rate", "rate > 1"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<10} {:>6} {:>7.1} {:>9} {:>10} {:>10} {:>8}",
            row.noise,
            human::count(row.words as u64),
            row.plain,
            decimal(row.hardened, "-"),
            decimal(row.mean_rate, "-"),
            decimal(row.best_rate, "-"),
            row.improved.map_or("-".to_owned(), human::percent),
        );
    }
    text
}

fn decimal(value: Option<f64>, none: &str) -> String {
    value.map_or(none.to_owned(), |value| format!("{value:.1}"))
}

fn evaded(trials: &Trials) -> String {
    human::percent(trials.succeeded as f64 / trials.runs as f64)
}
