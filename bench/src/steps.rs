//! Runs the steps, round by round, so that a disturbance of the machine affects all of them.

use std::process::Command;

use anyhow::Result;
use reprise_engine::{ChunkForm, HashKind};

use crate::check::Wrong;
use crate::data::Data;
use crate::indexing::{Index, IndexAnswer};
use crate::inflate::InflateAnswer;
use crate::measure::{self, Outcome, Usage};
use crate::peers::Peers;

/// The results of all steps.
pub(crate) struct Run {
    /// One row for each step.
    pub(crate) rows: Vec<Row>,
    /// The bytes on disk of a corpus with default settings.
    pub(crate) bytes_on_disk: u64,
    /// The number of rounds.
    pub(crate) rounds: u64,
    /// The wrong answers.
    pub(crate) wrong: Vec<String>,
}

/// The results of one step.
pub(crate) struct Row {
    /// The name of the step.
    pub(crate) step: String,
    /// The number of threads.
    pub(crate) threads: usize,
    /// True for an index run with default settings.
    pub(crate) is_default_index: bool,
    /// True for an index run.
    pub(crate) is_index: bool,
    /// The bytes of decoded bodies that it processed.
    pub(crate) body_bytes: u64,
    /// The cost of each round.
    pub(crate) runs: Vec<Usage>,
}

/// The settings of `index` that are measured, and whether they are measured in every round.
const SETTINGS: [(usize, ChunkForm, HashKind, bool); 4] = [
    (1, ChunkForm::Markup, HashKind::Sha256, true),
    (2, ChunkForm::Markup, HashKind::Sha256, true),
    (1, ChunkForm::Text, HashKind::Sha256, false),
    (1, ChunkForm::Markup, HashKind::Sha1, false),
];

/// Runs all steps on the data.
///
/// - Input: archives with their expected counts.
/// - Output: the cost of every step, and the wrong answers.
/// - Errors: a step that cannot run.
///
/// Each round runs each step once, in its own process, and checks its answer. Steps that only serve as a comparison
/// run in the first round.
pub(crate) fn run(data: &Data, rounds: u64, peers: Option<&Peers>) -> Result<Run> {
    let mut run = Run {
        rows: Vec::new(),
        bytes_on_disk: 0,
        rounds,
        wrong: Vec::new(),
    };
    let mut wrong = Wrong::default();
    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        inflate(data, &mut run, &mut wrong)?;
        for (threads, chunk, hash, is_every_round) in SETTINGS {
            if is_every_round || round == 1 {
                let settings = Index {
                    threads,
                    chunk,
                    hash,
                    corpus: data.directory.join("corpus"),
                    files: Vec::new(),
                };
                index(data, &settings, &mut run, &mut wrong)?;
            }
        }
        if round == 1
            && let Some(peers) = peers
        {
            for (mut step, outcome) in peers.run(&data.gzip_files()) {
                if peers.pages < data.expected.pages {
                    step = format!("{step}, first {} pages", peers.pages);
                }
                wrong.peer(&step, &outcome.answer, peers.pages, &data.expected);
                let row = run.row(&step, 1, outcome.answer.body_bytes);
                row.runs.push(outcome.usage);
            }
        }
    }
    run.wrong = wrong.into_messages();
    Ok(run)
}

impl Run {
    /// Returns the row of a step. Creates it if necessary.
    fn row(&mut self, step: &str, threads: usize, body_bytes: u64) -> &mut Row {
        let known = self.rows.iter().position(|row| row.step == step);
        let at = known.unwrap_or_else(|| {
            self.rows.push(Row {
                step: step.to_owned(),
                threads,
                is_default_index: false,
                is_index: false,
                body_bytes,
                runs: Vec::new(),
            });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}

fn inflate(data: &Data, run: &mut Run, wrong: &mut Wrong) -> Result<()> {
    let mut command = this_program()?;
    command.arg("step-inflate").args(data.gzip_files());
    let outcome: Outcome<InflateAnswer> = measure::run(&mut command)?;
    wrong.inflate("inflate", &outcome.answer, &data.expected);
    run.row("inflate", 1, data.expected.body_bytes)
        .runs
        .push(outcome.usage);
    Ok(())
}

fn index(data: &Data, settings: &Index, run: &mut Run, wrong: &mut Wrong) -> Result<()> {
    let mut command = this_program()?;
    command
        .arg("step-index")
        .arg(format!("--threads={}", settings.threads))
        .arg(format!("--chunk={}", settings.chunk))
        .arg(format!("--hash={}", settings.hash))
        .arg("--corpus")
        .arg(&settings.corpus)
        .args(&data.files);
    let outcome: Outcome<IndexAnswer> = measure::run(&mut command)?;
    let is_default = settings.chunk == ChunkForm::Markup && settings.hash == HashKind::Sha256;
    let step = name(settings);
    wrong.index(&step, settings, &outcome.answer, &data.expected);
    if is_default {
        run.bytes_on_disk = outcome.answer.bytes_on_disk;
    }
    let row = run.row(&step, settings.threads, data.expected.body_bytes);
    row.is_index = true;
    row.is_default_index = is_default;
    row.runs.push(outcome.usage);
    Ok(())
}

fn name(settings: &Index) -> String {
    let (threads, chunk, hash) = (settings.threads, settings.chunk, settings.hash);
    let plural = if threads == 1 { "" } else { "s" };
    let name = format!("index, {threads} thread{plural}");
    match (chunk, hash) {
        (ChunkForm::Markup, HashKind::Sha256) => name,
        (ChunkForm::Markup, _) => format!("{name}, --hash {hash}"),
        (_, HashKind::Sha256) => format!("{name}, --chunk {chunk}"),
        (_, _) => format!("{name}, --chunk {chunk} --hash {hash}"),
    }
}

fn this_program() -> Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}
