//! Measures near-copies of generated short pages, and compares with sketch libraries for Python.
//!
//! ```text
//! documents (made once, with the true pairs) --> reprise, datasketch, rensa, gaoya --> report
//! ```
//! A third of the documents belong to families of edited copies. Unrelated documents do not share phrases, so all true
//! pairs are within families, where slow code finds them exactly. The answers are right if every pair is a true one
//! and at least 98 % of the true pairs are found.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;
use reprise_engine::store::PageShingles;
use reprise_engine::{HashKind, Keep, Link, PageRef, StoreError};
use reprise_near::{NearContext, PageText, TextForm, TextReader, Unreadable, near_given};
use reprise_shingle::Shingler;
use serde::{Deserialize, Serialize};

use crate::measure::{self, Meter, Outcome};
use crate::peers;

/// Measures near-copies and compares with other libraries.
#[derive(Args)]
pub(crate) struct Near {
    /// The number of documents.
    #[arg(long, default_value_t = 50_000)]
    documents: usize,
    /// The lowest Jaccard similarity of near-copies.
    #[arg(long, default_value_t = 0.65)]
    similarity: f64,
    /// The directory for the documents.
    #[arg(long, value_name = "DIR", default_value_os_t = crate::default_scratch())]
    scratch: PathBuf,
    /// Do not run other libraries.
    #[arg(long)]
    no_peers: bool,
}

/// A step, which runs in its own process.
#[derive(Args)]
pub(crate) struct NearStep {
    documents: PathBuf,
    similarity: f64,
}

/// The answer of a step.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NearAnswer {
    /// The number of pairs that are reported as near-copies.
    pairs: u64,
    /// The number of true pairs among them.
    right: u64,
    /// The number of documents that could be removed.
    removable: u64,
}

const PEERS: [&str; 3] = ["gaoya", "rensa", "datasketch"];

impl Near {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let directory = self.scratch.join("bench-data");
        fs::create_dir_all(&directory)?;
        let path = directory.join(format!("near-{}.txt", self.documents));
        if !path.exists() {
            write_documents(&path, self.documents)?;
        }
        let truth = truth(&path, self.similarity)?;
        println!(
            "near         {} documents of 60 to 200 words; {} true pairs from {} on, {} linked to an earlier one",
            self.documents,
            truth.len(),
            self.similarity,
            linked(&truth),
        );
        println!(
            "{:<12} {:>14} {:>9} {:>9} {:>9} {:>10} {:>9}",
            "who", "documents/CPU s", "CPU s", "recall", "wrong", "removable", "peak MB"
        );
        let own = measure::run(
            Command::new(std::env::current_exe()?)
                .arg("step-near")
                .arg(&path)
                .arg(self.similarity.to_string()),
        )?;
        self.print("reprise", truth.len(), &own);
        if !self.no_peers {
            for peer in PEERS {
                if let Some(found) = self.peer(peer, &path) {
                    self.print(peer, truth.len(), &found);
                }
            }
        }
        let recall = own.answer.right as f64 / truth.len().max(1) as f64;
        let is_right = own.answer.pairs == own.answer.right && recall >= 0.98;
        Ok(measure::verdict(is_right))
    }

    fn print(&self, who: &str, truth: usize, outcome: &Outcome<NearAnswer>) {
        let (usage, answer) = (outcome.usage, &outcome.answer);
        println!(
            "{who:<12} {:>14.0} {:>9.2} {:>9.4} {:>9} {:>10} {:>9}",
            self.documents as f64 / usage.cpu_seconds,
            usage.cpu_seconds,
            answer.right as f64 / truth.max(1) as f64,
            answer.pairs - answer.right,
            answer.removable,
            usage.peak_bytes / 1_000_000,
        );
    }

    fn peer(&self, name: &str, path: &Path) -> Option<Outcome<NearAnswer>> {
        let python = peers::python(&self.scratch)?;
        let mut command = Command::new(python);
        command
            .arg(peers::peers_directory().join("near.py"))
            .arg(name)
            .arg(path)
            .arg(self.similarity.to_string());
        measure::run(&mut command)
            .inspect_err(|error| eprintln!("{name} is left out: {error:#}"))
            .ok()
    }
}

/// A random number generator (`SplitMix64`) with the same results on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Generates words of random letters.
pub(crate) fn vocabulary(random: &mut Random) -> Vec<String> {
    (0..20_000)
        .map(|_| {
            let length = 2 + random.below(9);
            (0..length)
                .map(|_| (b'a' + random.below(26) as u8) as char)
                .collect()
        })
        .collect()
}

/// Draws the number of a word. Low numbers are more frequent: the draw is the square of a uniform one.
pub(crate) fn word(random: &mut Random, vocabulary: &[String]) -> usize {
    let draw = random.below(1 << 20) as f64 / f64::from(1 << 20);
    (draw * draw * vocabulary.len() as f64) as usize
}

/// Writes one line per document: the number of its family, then its words.
fn write_documents(path: &Path, count: usize) -> Result<()> {
    let mut random = Random(1);
    let vocabulary = vocabulary(&mut random);
    let word = |random: &mut Random| word(random, &vocabulary);
    let mut file = BufWriter::new(File::create(path)?);
    let (mut written, mut family) = (0, 0);
    while written < count {
        let length = 60 + random.below(140);
        let base: Vec<usize> = (0..length).map(|_| word(&mut random)).collect();
        let copies = if random.below(10) < 3 {
            1 + random.below(4)
        } else {
            0
        };
        for copy in 0..=copies {
            let mut words = base.clone();
            if copy > 0 {
                for _ in 0..[0, 1, 2, 4, 8, 16][random.below(6)] {
                    let at = random.below(words.len());
                    words[at] = word(&mut random);
                }
            }
            let words: Vec<&str> = words
                .iter()
                .map(|&word| vocabulary[word].as_str())
                .collect();
            writeln!(file, "{family}\t{}", words.join(" "))?;
            written += 1;
        }
        family += 1;
    }
    file.flush()?;
    Ok(())
}

/// Reads the documents: the number of the family and the text of each.
fn read_documents(path: &Path) -> Result<Vec<(u64, String)>> {
    BufReader::new(File::open(path)?)
        .lines()
        .map(|line| {
            let line = line?;
            let (family, text) = line.split_once('\t').unwrap_or(("0", &line));
            Ok((family.parse()?, text.to_owned()))
        })
        .collect()
}

/// Finds the true pairs by comparing sets of phrases.
fn truth(path: &Path, similarity: f64) -> Result<BTreeSet<(usize, usize)>> {
    let documents = read_documents(path)?;
    let mut pairs = BTreeSet::new();
    let mut start = 0;
    for family in documents.chunk_by(|a, b| a.0 == b.0) {
        let sets: Vec<BTreeSet<Vec<&str>>> = family.iter().map(|(_, text)| phrases(text)).collect();
        for (one, a) in sets.iter().enumerate() {
            for (other, b) in sets.iter().enumerate().skip(one + 1) {
                let shared = a.intersection(b).count();
                let all = a.len() + b.len() - shared;
                if shared as f64 >= similarity * all as f64 {
                    pairs.insert((start + one, start + other));
                }
            }
        }
        start += family.len();
    }
    Ok(pairs)
}

/// Returns the number of documents that a true pair links to an earlier one.
fn linked(pairs: &BTreeSet<(usize, usize)>) -> usize {
    let later: BTreeSet<usize> = pairs.iter().map(|&(_, later)| later).collect();
    later.len()
}

fn phrases(text: &str) -> BTreeSet<Vec<&str>> {
    let words: Vec<&str> = text.split(' ').collect();
    (0..words.len())
        .map(|at| {
            (0..5)
                .map(|next| words[(at + next) % words.len()])
                .collect()
        })
        .collect()
}

/// Reads documents that are in memory.
struct Texts<'d>(&'d [(u64, String)]);

impl TextReader for Texts<'_> {
    fn read<T, M>(
        &self,
        pages: &[PageRef],
        _: TextForm,
        maker: impl Fn() -> M + Sync,
        mut give: impl FnMut(usize, Result<Option<T>, Unreadable>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>
    where
        T: Send,
        M: FnMut(PageText<'_>) -> T,
    {
        let mut make = maker();
        pages.iter().enumerate().try_for_each(|(index, page)| {
            let text = &self.0[page.page as usize].1;
            give(index, Ok(Some(make(PageText::Plain(text)))))
        })
    }
}

impl NearStep {
    pub(crate) fn run(&self) -> Result<Outcome<NearAnswer>> {
        let documents = read_documents(&self.documents)?;
        let meter = Meter::start();
        let mut shingler = Shingler::new();
        let mut given = Vec::with_capacity(documents.len());
        for (_, text) in &documents {
            shingler.clear();
            shingler.add(text);
            given.push(PageShingles::of(&mut shingler, HashKind::Sha256));
        }
        let link = Link::Verified {
            similarity: self.similarity,
        };
        let context = NearContext {
            keep: Keep::First,
            memory_bytes: 1 << 30,
            temporary: &std::env::temp_dir(),
            progress: &(),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let found = pool.install(|| near_given(&given, link, &Texts(&documents), &context))?;
        let usage = meter.stop();
        let truth = truth(&self.documents, self.similarity)?;
        let mut answer = NearAnswer {
            removable: found.copies.removable,
            ..NearAnswer::default()
        };
        for cluster in found.rows.chunk_by(|a, b| a.cluster == b.cluster) {
            for (one, a) in cluster.iter().enumerate() {
                for b in &cluster[one + 1..] {
                    let (a, b) = (a.page.page as usize, b.page.page as usize);
                    let is_true = truth.contains(&(a.min(b), a.max(b)));
                    answer.right += u64::from(is_true);
                    // The result claims only that members are similar to the representative.
                    answer.pairs += u64::from(is_true || one == 0);
                }
            }
        }
        Ok(Outcome { usage, answer })
    }
}
