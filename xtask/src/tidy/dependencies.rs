//! What the command-line tool is built of: not too many packages, all of them permissive.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::licence::is_permissive;

/// The package that is shipped.
const TOOL: &str = "reprise-cli";
/// Its budget, itself and the workspace's own crates included.
const PACKAGES_MAX: usize = 190;

/// How many packages the tool needs on this machine, and what is wrong with them.
pub(super) fn check(root: &Path) -> Result<(usize, Vec<String>)> {
    let packages = packages(root)?;
    let licences = licences(root)?;
    let mut findings = Vec::new();
    if packages.len() > PACKAGES_MAX {
        findings.push(format!(
            "{TOOL}: {} packages, more than {PACKAGES_MAX}",
            packages.len()
        ));
    }
    for package in &packages {
        let licence = licences.get(package).map_or("", String::as_str);
        if !is_permissive(licence) {
            findings.push(format!(
                "{package}: the licence `{licence}` is not permissive"
            ));
        }
    }
    Ok((packages.len(), findings))
}

/// Everything that is linked into the tool, as `name version`.
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

/// The licence of every package, by `name version`.
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

fn cargo(root: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .current_dir(root)
        .output()
        .context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "cargo {}: {}",
        args[0],
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).context("cargo prints what is not UTF-8")
}
