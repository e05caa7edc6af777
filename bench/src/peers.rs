//! Other programs on the same files, where they can be installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::measure::{self, Outcome};

/// The readers that are compared, by the names that the script knows.
const READERS: [(&str, &str); 2] = [
    ("fastwarc", "FastWARC for Python, regex, SHA-1"),
    ("warcio", "warcio, regex, SHA-1"),
];

/// Peers that are ready to run.
pub(crate) struct Peers {
    python: PathBuf,
    /// Pages that each reads.
    pub(crate) pages: u64,
}

/// What a peer finds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PeerAnswer {
    /// Response records.
    pub(crate) pages: u64,
    /// Bytes of their bodies.
    pub(crate) body_bytes: u64,
    /// Pieces, by its own rules.
    pub(crate) chunks: u64,
    /// Pieces that differ from one another.
    pub(crate) distinct: u64,
}

impl Peers {
    /// Makes a Python environment for the peers, unless there is one. Says why when it cannot.
    pub(crate) fn install(scratch: &Path, pages: u64) -> Option<Peers> {
        let python = python(scratch)?;
        Some(Peers { python, pages })
    }

    /// Runs each peer once; leaves out the ones that fail.
    pub(crate) fn run(&self, files: &[&Path]) -> Vec<(String, Outcome<PeerAnswer>)> {
        let mut outcomes = Vec::new();
        for (reader, name) in READERS {
            let mut command = Command::new(&self.python);
            command
                .arg(peers_directory().join("split_and_hash.py"))
                .arg(reader)
                .arg(self.pages.to_string())
                .args(files);
            match measure::run(&mut command) {
                Ok(outcome) => outcomes.push((name.to_owned(), outcome)),
                Err(error) => eprintln!("{name} is left out: {error:#}"),
            }
        }
        outcomes
    }
}

/// The interpreter that has the peers, installed where needed. Says why when it cannot be.
pub(crate) fn python(scratch: &Path) -> Option<PathBuf> {
    environment(&scratch.join("bench-venv"))
        .inspect_err(|error| eprintln!("peers are left out: {error:#}"))
        .ok()
}

pub(crate) fn peers_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// The interpreter of an environment with everything in `requirements.txt`. A copy of that file in
/// the environment says that it is whole.
fn environment(directory: &Path) -> Result<PathBuf> {
    let requirements = peers_directory().join("requirements.txt");
    let wanted = fs::read(&requirements).context("cannot read the peers' requirements")?;
    let stamp = directory.join("requirements.txt");
    let python = directory.join("bin").join("python");
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    eprintln!("installing peers, once");
    quietly(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(directory),
    )?;
    quietly(
        Command::new(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args([
                "--only-binary=:all:",
                "--timeout=15",
                "--retries=1",
                "--requirement",
            ])
            .arg(&requirements),
    )?;
    fs::write(&stamp, wanted)?;
    Ok(python)
}

fn quietly(command: &mut Command) -> Result<()> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    ensure!(output.status.success(), "{}: {last}", output.status);
    Ok(())
}
