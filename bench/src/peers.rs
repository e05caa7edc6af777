//! Runs other programs on the same files if they can be installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::measure::{self, Outcome};

/// The readers to compare with: their names in the script and in the report.
const READERS: [(&str, &str); 2] = [
    ("fastwarc", "FastWARC for Python, regex, SHA-1"),
    ("warcio", "warcio, regex, SHA-1"),
];

/// Other programs that are installed.
pub(crate) struct Peers {
    python: PathBuf,
    /// The number of pages that each of them reads.
    pub(crate) pages: u64,
}

/// The counts of another program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PeerAnswer {
    /// The number of response records.
    pub(crate) pages: u64,
    /// The bytes of their bodies.
    pub(crate) body_bytes: u64,
    /// The number of chunks, by the rules of that program.
    pub(crate) chunks: u64,
    /// The number of distinct chunks.
    pub(crate) distinct: u64,
}

impl Peers {
    /// Installs the other programs unless they are installed. Prints the reason if that fails.
    pub(crate) fn install(scratch: &Path, pages: u64) -> Option<Peers> {
        let python = python(scratch)?;
        Some(Peers { python, pages })
    }

    /// Runs each program once. Leaves out those that fail.
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

/// Returns a Python interpreter with the other programs, and installs them if necessary. Prints the reason if that
/// fails.
pub(crate) fn python(scratch: &Path) -> Option<PathBuf> {
    environment(&scratch.join("bench-venv"))
        .inspect_err(|error| eprintln!("other programs are left out: {error:#}"))
        .ok()
}

pub(crate) fn peers_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// Returns the interpreter of an environment with all packages of `requirements.txt`. The environment is complete if
/// it contains a copy of that file.
fn environment(directory: &Path) -> Result<PathBuf> {
    let requirements = peers_directory().join("requirements.txt");
    let wanted = fs::read(&requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let stamp = directory.join("requirements.txt");
    let python = directory.join("bin").join("python");
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python);
    }
    eprintln!("installing other programs (only once)");
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
    let messages = String::from_utf8_lossy(&output.stderr);
    let last = messages.lines().last().unwrap_or_default();
    ensure!(output.status.success(), "{}: {last}", output.status);
    Ok(())
}
