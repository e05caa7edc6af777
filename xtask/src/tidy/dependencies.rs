//! The package budget: limits on the number of packages that the project needs, and their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::licence::is_permissive;
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

/// Counts the packages, and checks the counts and the licences.
pub(super) fn check(root: &Path) -> Result<(Packages, Vec<String>)> {
    let packages = packages(root)?;
    let counted = Packages {
        tool: packages.len(),
        locked: locked(root)?,
    };
    let mut findings = check_counts(&counted);
    let licences = licences(root)?;
    for package in &packages {
        let licence = licences.get(package).map_or("", String::as_str);
        if !is_permissive(licence) {
            findings.push(format!(
                "{package}: the licence `{licence}` is not permissive"
            ));
        }
    }
    Ok((counted, findings))
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

/// Returns the packages that are linked into the tool, as `name version`.
fn packages(root: &Path) -> Result<BTreeSet<String>> {
    let tree = cargo(
        root,
        &[
            "tree", "--locked", "-p", TOOL, "-e", "normal", "--prefix", "none", "-f", "{p}",
        ],
    )?;
    let packages = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let version = words.next()?.trim_start_matches('v');
        Some(format!("{name} {version}"))
    });
    Ok(packages.collect())
}

/// Returns the licence of every package, by `name version`.
fn licences(root: &Path) -> Result<BTreeMap<String, String>> {
    let text = cargo(root, &["metadata", "--locked", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata is not JSON")?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata names no packages")?;
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let licence = |package: &Value| {
        let name = format!("{} {}", word(&package["name"]), word(&package["version"]));
        (name, word(&package["license"]))
    };
    Ok(packages.iter().map(licence).collect())
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
