//! The package budget: limits on the number of packages that the project needs.
//!
//! `cargo deny` checks their licences and sources (deny.toml).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace::cargo;

/// The package that users install.
const TOOL: &str = "reprise-cli";
/// The most packages in the tool, including itself and the other crates of the workspace.
const TOOL_MAX: usize = 175;
/// The lock file of the workspace. It also lists packages of tests, of benchmarks, and of other systems.
const LOCK_FILE: &str = "Cargo.lock";
/// The most packages in the lock file.
const LOCKED_MAX: usize = 250;

/// The number of packages that the project needs.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// The packages that are linked into the tool on this machine.
    pub(super) tool: usize,
    /// The packages in the lock file.
    pub(super) locked: usize,
}

/// Counts the packages and checks the counts.
pub(super) fn check(root: &Path) -> Result<(Packages, Vec<String>)> {
    let packages = Packages {
        tool: in_tool(root)?,
        locked: locked(root)?,
    };
    let findings = check_counts(&packages);
    Ok((packages, findings))
}

fn check_counts(packages: &Packages) -> Vec<String> {
    [
        (TOOL, packages.tool, TOOL_MAX),
        (LOCK_FILE, packages.locked, LOCKED_MAX),
    ]
    .into_iter()
    .filter(|(_, found, max)| found > max)
    .map(|(name, found, max)| format!("{name}: {found} packages, more than {max}"))
    .collect()
}

/// Returns the number of packages in the lock file.
fn locked(root: &Path) -> Result<usize> {
    let text = fs::read_to_string(root.join(LOCK_FILE))
        .with_context(|| format!("cannot read {LOCK_FILE}"))?;
    Ok(text.lines().filter(|line| *line == "[[package]]").count())
}

/// Returns the number of packages that are linked into the tool on this machine.
fn in_tool(root: &Path) -> Result<usize> {
    let tree = cargo(
        root,
        &[
            "tree", "--locked", "-p", TOOL, "-e", "normal", "--prefix", "none", "-f", "{p}",
        ],
    )?;
    // A line is a name, a version, and marks such as `(*)` for a package that was listed before.
    let packages: BTreeSet<Vec<&str>> = tree
        .lines()
        .map(|line| line.split_whitespace().take(2).collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    Ok(packages.len())
}

#[cfg(test)]
mod tests {
    use super::{LOCKED_MAX, Packages, TOOL_MAX, check_counts};

    #[test]
    fn too_many_packages_are_found() {
        let findings = |tool, locked| check_counts(&Packages { tool, locked }).len();
        assert_eq!(findings(TOOL_MAX, LOCKED_MAX), 0);
        assert_eq!(findings(TOOL_MAX + 1, LOCKED_MAX), 1);
        assert_eq!(findings(TOOL_MAX + 1, LOCKED_MAX + 1), 2);
    }
}
