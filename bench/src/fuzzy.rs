//! Fuzzy hashes: how fast they are made and matched, beside the program ssdeep on the same files.
//!
//! ```text
//! files (made once)   --> digests: reprise, ssdeep               --> MB per CPU second, digests compared
//! digests (made once) --> pairs: reprise, ssdeep -x up to 10,000 --> CPU seconds, growth, pairs compared
//! ```
//! More than half of the documents are in families of edited copies. Their digests are made once, from documents
//! that are not kept; what is measured is matching alone.

mod made;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use reprise_engine::fuzzy::{Digest, lines, pairs};
use serde::{Deserialize, Serialize};

use crate::measure::{self, Meter, Outcome, Usage};

/// Measures fuzzy hashes beside ssdeep.
#[derive(Args)]
pub(crate) struct Fuzzy {
    /// How many documents are matched, one number after the other.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    documents: Vec<usize>,
    /// Sizes of the generated files, in MB.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 10, 50])]
    megabytes: Vec<usize>,
    /// Rounds of each step of our own; the quickest counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Where the files are kept.
    #[arg(long, value_name = "DIR", default_value_os_t = crate::default_scratch())]
    scratch: PathBuf,
    /// Leave ssdeep out.
    #[arg(long)]
    no_peers: bool,
}

/// One step, in a process of its own.
#[derive(Args)]
pub(crate) struct FuzzyStep {
    what: What,
    /// Files to make digests of, or a file of digests.
    files: Vec<PathBuf>,
}

/// What a step does.
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Makes the digest of each file.
    Digests,
    /// Matches the digests of a file with each other.
    Pairs,
}

/// What a step finds.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FuzzyAnswer {
    /// The digest of each file.
    digests: Vec<String>,
    /// All pairs with a score above zero, and those of the first documents only: by [`PREFIXES`].
    pairs: Vec<Pairs>,
}

/// A set of pairs, such that equal sets are equal here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Pairs {
    number: u64,
    /// Those with a score of [`NEAR`] or more.
    near: u64,
    /// A sum over all: documents and score of each, scattered.
    sum: u64,
}

/// The numbers of first documents whose pairs are told apart.
const PREFIXES: [u32; 4] = [u32::MAX, 1_000, 10_000, 100_000];
/// Two documents with this score are near-copies.
const NEAR: u8 = 90;
/// ssdeep is left out where it would take more seconds than this.
const PEER_SECONDS: f64 = 300.0;
/// ssdeep is left out from more documents on.
const PEER_DOCUMENTS: usize = 10_000;

impl Fuzzy {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let directory = self.scratch.join("bench-data").join("fuzzy");
        fs::create_dir_all(&directory)?;
        let has_peer = !self.no_peers && has_ssdeep();
        if !self.no_peers && !has_peer {
            println!("fuzzy        ssdeep is not installed, so nothing is compared with it");
        }
        let digests_right = self.digests(&directory, has_peer)?;
        let pairs_right = self.matching(&directory, has_peer)?;
        Ok(measure::verdict(digests_right && pairs_right))
    }

    /// Makes digests of files of each kind. Are all those of ssdeep?
    fn digests(&self, directory: &Path, has_peer: bool) -> Result<bool> {
        println!(
            "{:<30} {:>7} {:>16} {:>16} {:>7}",
            "digests of", "MB", "MB/CPU s", "ssdeep MB/CPU s", "times"
        );
        let mut is_right = true;
        for set in made::file_sets(directory, &self.megabytes)? {
            let own = self.step("digests", &set.files)?;
            let speed = |seconds: f64| set.bytes as f64 / seconds / 1e6;
            let seconds = own.usage.cpu_seconds;
            print!(
                "{:<30} {:>7} {:>16.0}",
                set.name,
                set.bytes / 1_000_000,
                speed(seconds)
            );
            if has_peer {
                let (digests, peer) = ssdeep_digests(&set.files)?;
                print!(" {:>16.0} {:>7.1}", speed(peer), peer / seconds);
                if digests != own.answer.digests {
                    print!("  WRONG: not the digests of ssdeep");
                    is_right = false;
                }
            }
            println!();
        }
        Ok(is_right)
    }

    /// Matches ever more documents. Are the pairs those of ssdeep, and those of fewer documents?
    fn matching(&self, directory: &Path, has_peer: bool) -> Result<bool> {
        println!(
            "{:<12} {:>10} {:>10} {:>9} {:>9} {:>10} {:>14} {:>7}",
            "documents", "pairs", "from 90", "CPU s", "peak MB", "growth", "ssdeep CPU s", "times"
        );
        let mut is_right = true;
        let mut before: Option<Row> = None;
        let mut peer_before: Option<(usize, f64)> = None;
        for &documents in &self.documents {
            let path = made::digest_file(directory, documents)?;
            let own = self.step("pairs", std::slice::from_ref(&path))?;
            let row = Row::new(documents, own)?;
            row.print(before.as_ref());
            if has_peer && documents <= PEER_DOCUMENTS && is_soon(peer_before, documents) {
                let (found, seconds) = ssdeep_pairs(&path)?;
                print!(
                    " {:>14.2} {:>7.0}",
                    seconds,
                    seconds / row.usage.cpu_seconds
                );
                if found != row.all() {
                    print!("  WRONG: ssdeep finds {found:?}, not {:?}", row.all());
                    is_right = false;
                }
                peer_before = Some((documents, seconds));
            }
            println!();
            if before.is_some_and(|before| !row.extends(&before)) {
                println!(
                    "answers      WRONG: among the first documents are other pairs than before"
                );
                is_right = false;
            }
            before = Some(row);
        }
        if has_peer {
            println!(
                "             ssdeep -x looks at each pair from both sides; half of its time is counted"
            );
        }
        Ok(is_right)
    }

    /// The quickest of some runs of a step of our own, in a process of its own.
    fn step(&self, what: &str, files: &[PathBuf]) -> Result<Outcome<FuzzyAnswer>> {
        let mut best: Option<Outcome<FuzzyAnswer>> = None;
        for _ in 0..self.rounds {
            let mut command = Command::new(std::env::current_exe()?);
            let next: Outcome<FuzzyAnswer> =
                measure::run(command.args(["step-fuzzy", what]).args(files))?;
            let is_better = best
                .as_ref()
                .is_none_or(|best| next.usage.cpu_seconds < best.usage.cpu_seconds);
            if is_better {
                best = Some(next);
            }
        }
        best.context("there is at least one round")
    }
}

/// What matching so many documents gave.
struct Row {
    documents: usize,
    usage: Usage,
    pairs: Vec<Pairs>,
}

impl Row {
    fn new(documents: usize, outcome: Outcome<FuzzyAnswer>) -> Result<Row> {
        let pairs = outcome.answer.pairs;
        ensure!(pairs.len() == PREFIXES.len(), "a step told no pairs");
        Ok(Row {
            documents,
            usage: outcome.usage,
            pairs,
        })
    }

    fn all(&self) -> Pairs {
        self.pairs[0]
    }

    /// The first documents are always the same: so are their pairs.
    fn extends(&self, before: &Row) -> bool {
        let prefix = PREFIXES
            .iter()
            .position(|&prefix| prefix as usize == before.documents);
        prefix.is_none_or(|prefix| self.pairs[prefix] == before.all())
    }

    fn print(&self, before: Option<&Row>) {
        let growth = before.map_or(String::new(), |before| {
            format!(
                "{:.1} for {}",
                self.usage.cpu_seconds / before.usage.cpu_seconds,
                self.documents / before.documents.max(1)
            )
        });
        print!(
            "{:<12} {:>10} {:>10} {:>9.3} {:>9} {:>10}",
            self.documents,
            self.all().number,
            self.all().near,
            self.usage.cpu_seconds,
            self.usage.peak_bytes / 1_000_000,
            growth,
        );
    }
}

/// Would ssdeep be done soon? Its time grows with the square.
fn is_soon(before: Option<(usize, f64)>, documents: usize) -> bool {
    before.is_none_or(|(fewer, seconds)| {
        let times = documents as f64 / fewer.max(1) as f64;
        seconds * times * times <= PEER_SECONDS
    })
}

impl Pairs {
    fn add(&mut self, a: u32, b: u32, score: u8) {
        let key = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let key = (key ^ (key >> 29) ^ u64::from(score)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.sum = self.sum.wrapping_add(key ^ (key >> 32));
        self.number += 1;
        self.near += u64::from(score >= NEAR);
    }
}

impl FuzzyStep {
    pub(crate) fn run(&self) -> Result<Outcome<FuzzyAnswer>> {
        match self.what {
            What::Digests => self.digests(),
            What::Pairs => self.pairs(),
        }
    }

    /// Reading is counted, as it is for ssdeep.
    fn digests(&self) -> Result<Outcome<FuzzyAnswer>> {
        let meter = Meter::start();
        let digests = self.files.iter().map(|path| {
            let bytes = fs::read(path).with_context(|| path.display().to_string())?;
            Ok(Digest::of(&bytes))
        });
        let digests = digests.collect::<Result<Vec<Digest>>>()?;
        let usage = meter.stop();
        let answer = FuzzyAnswer {
            digests: digests.iter().map(ToString::to_string).collect(),
            pairs: Vec::new(),
        };
        Ok(Outcome { usage, answer })
    }

    fn pairs(&self) -> Result<Outcome<FuzzyAnswer>> {
        let meter = Meter::start();
        let mut digests = Vec::new();
        for path in &self.files {
            let file = fs::read(path).with_context(|| path.display().to_string())?;
            for (_, line) in lines::read(&file)? {
                digests.push(line?.digest);
            }
        }
        let found = pairs(&digests, 1);
        let usage = meter.stop();
        let mut sets = vec![Pairs::default(); PREFIXES.len()];
        for pair in found {
            for (set, prefix) in sets.iter_mut().zip(PREFIXES) {
                if pair.b < prefix {
                    set.add(pair.a, pair.b, pair.score);
                }
            }
        }
        let answer = FuzzyAnswer {
            digests: Vec::new(),
            pairs: sets,
        };
        Ok(Outcome { usage, answer })
    }
}

fn has_ssdeep() -> bool {
    let mut command = Command::new("ssdeep");
    let said = command
        .arg("-V")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    said.status().is_ok_and(|status| status.success())
}

/// The digests that ssdeep makes of files, and its CPU seconds.
fn ssdeep_digests(files: &[PathBuf]) -> Result<(Vec<String>, f64)> {
    let (said, seconds) = measure::run_other(Command::new("ssdeep").arg("-s").args(files))?;
    let mut digests = Vec::new();
    for (_, line) in lines::read(&said)? {
        digests.push(line?.digest.to_string());
    }
    Ok((digests, seconds))
}

/// The pairs that ssdeep finds in a file of digests, each with each, and half of its CPU seconds.
fn ssdeep_pairs(path: &Path) -> Result<(Pairs, f64)> {
    let (said, seconds) = measure::run_other(Command::new("ssdeep").args(["-x", "-c"]).arg(path))?;
    let mut pairs = Pairs::default();
    for line in String::from_utf8(said)?.lines() {
        if let Some((a, b, score)) = pair_of(line)?
            && a < b
        {
            pairs.add(a, b, score);
        }
    }
    Ok((pairs, seconds / 2.0))
}

/// `"3","17",99`; there are empty lines between the documents.
fn pair_of(line: &str) -> Result<Option<(u32, u32, u8)>> {
    if line.is_empty() {
        return Ok(None);
    }
    let unknown = || anyhow!("ssdeep says {line:?}");
    let mut parts = line.split(',').map(|part| part.trim_matches('"'));
    let mut next = || parts.next().with_context(unknown);
    Ok(Some((
        next()?.parse().with_context(unknown)?,
        next()?.parse().with_context(unknown)?,
        next()?.parse().with_context(unknown)?,
    )))
}
