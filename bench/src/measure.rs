//! Measures the cost of a process, and passes it from a child process to its parent.
//!
//! A step measures itself and prints one JSON object. Only the child knows its peak memory: on Linux, the value that
//! the parent gets for a child is at least the parent's own peak.

use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The cost of a step. A value that the system does not provide is zero.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// The user and system time of all threads.
    pub(crate) cpu_seconds: f64,
    /// The elapsed time.
    pub(crate) wall_seconds: f64,
    /// The largest resident memory of the process so far.
    pub(crate) peak_bytes: u64,
}

/// The output of a step.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Outcome<A> {
    /// The cost.
    pub(crate) usage: Usage,
    /// The answer, which the parent checks.
    pub(crate) answer: A,
}

/// A running measurement.
pub(crate) struct Meter {
    clock: Instant,
    cpu_seconds: f64,
}

impl Meter {
    pub(crate) fn start() -> Meter {
        Meter {
            cpu_seconds: cpu_seconds(),
            clock: Instant::now(),
        }
    }

    pub(crate) fn stop(&self) -> Usage {
        Usage {
            wall_seconds: self.clock.elapsed().as_secs_f64(),
            cpu_seconds: cpu_seconds() - self.cpu_seconds,
            peak_bytes: peak_bytes(),
        }
    }
}

/// Prints whether all answers are right, and returns the exit code.
pub(crate) fn verdict(is_right: bool) -> ExitCode {
    let (word, code) = if is_right {
        ("all right", ExitCode::SUCCESS)
    } else {
        ("WRONG", ExitCode::FAILURE)
    };
    println!("answers      {word}");
    code
}

/// Prints the outcome of a step as JSON.
pub(crate) fn print<A: Serialize>(outcome: &Outcome<A>) -> Result<()> {
    println!("{}", serde_json::to_string(outcome)?);
    Ok(())
}

/// Runs a step in its own process.
pub(crate) fn run<A: DeserializeOwned>(command: &mut Command) -> Result<Outcome<A>> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(output.status.success(), "a step failed: {}", output.status);
    serde_json::from_slice(&output.stdout).context("a step did not print its outcome")
}

/// Runs a program that does not measure itself. Returns its output and its CPU seconds. No other child process may
/// end at the same time.
pub(crate) fn run_other(command: &mut Command) -> Result<(Vec<u8>, f64)> {
    let before = cpu_seconds_of_children();
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let name = command.get_program().display();
    ensure!(output.status.success(), "{name} failed: {}", output.status);
    Ok((output.stdout, cpu_seconds_of_children() - before))
}

#[cfg(unix)]
fn cpu_seconds() -> f64 {
    own_usage().map_or(0.0, seconds_of)
}

/// Returns the CPU seconds of all children that have ended.
#[cfg(unix)]
fn cpu_seconds_of_children() -> f64 {
    let children = nix::sys::resource::UsageWho::RUSAGE_CHILDREN;
    nix::sys::resource::getrusage(children).map_or(0.0, seconds_of)
}

#[cfg(unix)]
fn seconds_of(usage: nix::sys::resource::Usage) -> f64 {
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    0.0
}

#[cfg(not(unix))]
fn cpu_seconds_of_children() -> f64 {
    0.0
}

fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|text| text.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.map_or_else(peak_bytes_by_usage, |kibibytes| kibibytes << 10)
}

/// Returns the peak memory on systems without `/proc`.
#[cfg(unix)]
fn peak_bytes_by_usage() -> u64 {
    let unit = if cfg!(target_vendor = "apple") {
        1
    } else {
        1024
    };
    own_usage().map_or(0, |usage| usage.max_rss() as u64 * unit)
}

#[cfg(not(unix))]
fn peak_bytes_by_usage() -> u64 {
    0
}

#[cfg(unix)]
fn own_usage() -> Option<nix::sys::resource::Usage> {
    nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF).ok()
}
