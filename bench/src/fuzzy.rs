//! Measures the speed of fuzzy hashes and of their matching, and compares with the program ssdeep.
//!
//! ```text
//! files (made once)   --> digests: reprise, ssdeep               --> MB per CPU second, digests compared
//! digests (made once) --> pairs: reprise, ssdeep -x up to 10,000 --> CPU seconds, growth, pairs compared
//! ```
//! More than half of the documents belong to families of edited copies. The digests for matching are computed once
//! and kept in a file; the documents are not kept.

mod made;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use reprise_engine::fuzzy_hashes::{Digest, lines, pairs};
use serde::{Deserialize, Serialize};

use crate::measure::{self, Meter, Outcome, Usage};

/// Measures fuzzy hashes and compares with ssdeep.
#[derive(Args)]
pub(crate) struct Fuzzy {
    /// The numbers of documents to match.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    documents: Vec<usize>,
    /// The sizes of the generated files, in MB.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 10, 50])]
    megabytes: Vec<usize>,
    /// The number of rounds of each step of Reprise. The fastest round counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// The directory for the files.
    #[arg(long, value_name = "DIR", default_value_os_t = crate::default_scratch())]
    scratch: PathBuf,
    /// Do not run ssdeep.
    #[arg(long)]
    no_peers: bool,
}

/// A step, which runs in its own process.
#[derive(Args)]
pub(crate) struct FuzzyStep {
    what: What,
    /// Files to hash, or a file of digests.
    files: Vec<PathBuf>,
}

/// The kind of step.
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Computes the digest of each file.
    Digests,
    /// Matches the digests of a file with each other.
    Pairs,
}

/// The answer of a step.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FuzzyAnswer {
    /// The digest of each file.
    digests: Vec<String>,
    /// The pairs with a score above zero, for each number of documents in [`PREFIXES`].
    pairs: Vec<Pairs>,
}

/// A summary of a set of pairs. Different sets have different summaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Pairs {
    number: u64,
    /// The number of pairs with a score of [`NEAR`] or more.
    near: u64,
    /// The sum of the hashes of all pairs with their scores.
    sum: u64,
}

/// Numbers of documents. The pairs among the first documents are summarized for each number.
const PREFIXES: [u32; 4] = [u32::MAX, 1_000, 10_000, 100_000];
/// The lowest score of near-copies.
const NEAR: u8 = 90;
/// The most seconds that ssdeep may be expected to take.
const PEER_SECONDS: f64 = 300.0;
/// The most documents that ssdeep matches.
const PEER_DOCUMENTS: usize = 10_000;

impl Fuzzy {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let directory = self.scratch.join("bench-data").join("fuzzy");
        fs::create_dir_all(&directory)?;
        let has_peer = !self.no_peers && has_ssdeep();
        if !self.no_peers && !has_peer {
            println!("fuzzy        ssdeep is not installed: answers are not compared with it");
        }
        let digests_right = self.digests(&directory, has_peer)?;
        let pairs_right = self.matching(&directory, has_peer)?;
        Ok(measure::verdict(digests_right && pairs_right))
    }

    /// Measures digests of files of each kind. Returns true if all equal those of ssdeep.
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
                    print!("  WRONG: the digests differ from those of ssdeep");
                    is_right = false;
                }
            }
            println!();
        }
        Ok(is_right)
    }

    /// Measures the matching of more and more documents. Returns true if the pairs equal those of ssdeep and those
    /// found among fewer documents.
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
                    "answers      WRONG: the pairs among the first documents differ from those before"
                );
                is_right = false;
            }
            before = Some(row);
        }
        if has_peer {
            println!(
                "             ssdeep -x compares each pair twice, so half of its time is counted"
            );
        }
        Ok(is_right)
    }

    /// Runs a step in its own process, several times, and returns the fastest run.
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

/// The result of matching a number of documents.
struct Row {
    documents: usize,
    usage: Usage,
    pairs: Vec<Pairs>,
}

impl Row {
    fn new(documents: usize, outcome: Outcome<FuzzyAnswer>) -> Result<Row> {
        let pairs = outcome.answer.pairs;
        ensure!(pairs.len() == PREFIXES.len(), "a step printed no pairs");
        Ok(Row {
            documents,
            usage: outcome.usage,
            pairs,
        })
    }

    fn all(&self) -> Pairs {
        self.pairs[0]
    }

    /// Returns true if the first documents have the same pairs as before. They are always the same documents.
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

/// Returns true if ssdeep would take less than [`PEER_SECONDS`]. Its time grows with the square of the documents.
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

    /// Computes digests. The time includes reading, as for ssdeep.
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

/// Returns the digests that ssdeep computes, and its CPU seconds.
fn ssdeep_digests(files: &[PathBuf]) -> Result<(Vec<String>, f64)> {
    let (said, seconds) = measure::run_other(Command::new("ssdeep").arg("-s").args(files))?;
    let mut digests = Vec::new();
    for (_, line) in lines::read(&said)? {
        digests.push(line?.digest.to_string());
    }
    Ok((digests, seconds))
}

/// Returns the pairs that ssdeep finds in a file of digests, and half of its CPU seconds.
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

/// Parses a line such as `"3","17",99`. Lines between documents are empty.
fn pair_of(line: &str) -> Result<Option<(u32, u32, u8)>> {
    if line.is_empty() {
        return Ok(None);
    }
    let unknown = || anyhow!("ssdeep printed an unknown line: {line:?}");
    let mut parts = line.split(',').map(|part| part.trim_matches('"'));
    let mut next = || parts.next().with_context(unknown);
    Ok(Some((
        next()?.parse().with_context(unknown)?,
        next()?.parse().with_context(unknown)?,
        next()?.parse().with_context(unknown)?,
    )))
}
