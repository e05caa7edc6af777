//! Runs the steps, round by round: what disturbs one of them disturbs the others as well.

use std::process::Command;

use anyhow::Result;
use reprise_engine::fingerprint::HashKind;
use reprise_engine::text::ChunkForm;

use crate::check::Wrong;
use crate::data::Data;
use crate::indexing::{Index, IndexAnswer};
use crate::inflate::InflateAnswer;
use crate::measure::{self, Outcome, Usage};
use crate::peers::Peers;

/// All that was measured.
pub(crate) struct Run {
    /// One row for each step.
    pub(crate) rows: Vec<Row>,
    /// Bytes on disk of a corpus with default settings.
    pub(crate) bytes_on_disk: u64,
    /// Rounds that were run.
    pub(crate) rounds: u64,
    /// Answers that were wrong.
    pub(crate) wrong: Vec<String>,
}

/// One step.
pub(crate) struct Row {
    /// What was run.
    pub(crate) step: String,
    /// Threads it was given.
    pub(crate) threads: usize,
    /// Is it an index run with default settings?
    pub(crate) is_default_index: bool,
    /// Is it an index run?
    pub(crate) is_index: bool,
    /// Bytes of decoded bodies that went through it.
    pub(crate) body_bytes: u64,
    /// What each round cost.
    pub(crate) runs: Vec<Usage>,
}

/// The settings under which `index` is measured, and whether in every round.
const SETTINGS: [(usize, ChunkForm, HashKind, bool); 4] = [
    (1, ChunkForm::Markup, HashKind::Sha256, true),
    (2, ChunkForm::Markup, HashKind::Sha256, true),
    (1, ChunkForm::Text, HashKind::Sha256, false),
    (1, ChunkForm::Markup, HashKind::Sha1, false),
];

/// Runs all steps on the data.
///
/// Input: archives with their counts. Output: what every step cost, and the answers that were wrong.
/// Errors: a step that could not be run at all.
///
/// Algorithm: each round runs each step once, in its own process, and checks its answer; steps that
/// are only there for comparison are run in the first round alone.
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
    run.wrong = wrong.into_said();
    Ok(run)
}

impl Run {
    /// The row of a step, made when it is first asked for.
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
