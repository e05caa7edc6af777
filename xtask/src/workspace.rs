//! The crates of the workspace and the dependencies between them, as cargo knows them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The crates of the workspace, by name.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) crates: Vec<Crate>,
}

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Crate {
    pub(crate) name: String,
    /// Its directory, relative to the root of the workspace.
    pub(crate) directory: String,
    /// The crates of the workspace that it depends on. Dependencies of its tests do not count.
    pub(crate) depends_on: BTreeSet<String>,
}

impl Workspace {
    /// Asks cargo for the crates of the workspace at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let args = ["metadata", "--locked", "--no-deps", "--format-version", "1"];
        Self::parse(&cargo(root, &args)?)
    }

    /// Parses the output of `cargo metadata --no-deps`.
    fn parse(metadata: &str) -> Result<Self> {
        let metadata: Value =
            serde_json::from_str(metadata).context("cargo metadata is not JSON")?;
        let root = text(&metadata["workspace_root"])?;
        let packages = metadata["packages"]
            .as_array()
            .context("cargo metadata lists no packages")?;
        let mut crates = packages
            .iter()
            .map(|package| Crate::parse(package, root))
            .collect::<Result<Vec<_>>>()?;
        crates.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { crates })
    }
}

impl Crate {
    fn parse(package: &Value, root: &str) -> Result<Self> {
        let manifest = text(&package["manifest_path"])?;
        let directory = manifest
            .strip_prefix(root)
            .and_then(|path| path.strip_suffix("Cargo.toml"))
            .with_context(|| format!("{manifest} is not a manifest below {root}"))?
            .trim_matches(['/', '\\']);
        let dependencies = package["dependencies"]
            .as_array()
            .context("cargo metadata lists no dependencies")?;
        // Only crates of the workspace have a path here.
        let depends_on = dependencies
            .iter()
            .filter(|dependency| dependency["path"].is_string() && dependency["kind"] != "dev")
            .map(|dependency| Ok(text(&dependency["name"])?.to_owned()))
            .collect::<Result<_>>()?;
        Ok(Self {
            name: text(&package["name"])?.to_owned(),
            directory: directory.replace('\\', "/"),
            depends_on,
        })
    }
}

fn text(value: &Value) -> Result<&str> {
    value
        .as_str()
        .context("cargo metadata lacks a name or a path")
}

/// Runs cargo in `root` and returns its standard output.
pub(crate) fn cargo(root: &Path, args: &[&str]) -> Result<String> {
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
    String::from_utf8(output.stdout).context("the output of cargo is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::Workspace;

    #[test]
    fn crates_and_their_normal_dependencies_are_read() {
        let metadata = r#"{
            "workspace_root": "/w",
            "packages": [
                {"name": "b", "manifest_path": "/w/crates/b/Cargo.toml", "dependencies": [
                    {"name": "a", "kind": null, "path": "/w/crates/a"},
                    {"name": "c", "kind": "dev", "path": "/w/crates/c"},
                    {"name": "d", "kind": "build", "path": "/w/crates/d"},
                    {"name": "serde", "kind": null}
                ]},
                {"name": "a", "manifest_path": "/w/a/Cargo.toml", "dependencies": []}
            ]
        }"#;
        let crates = Workspace::parse(metadata).unwrap().crates;
        let found: Vec<_> = crates
            .iter()
            .map(|one| {
                let depends_on: Vec<&str> = one.depends_on.iter().map(String::as_str).collect();
                (one.name.as_str(), one.directory.as_str(), depends_on)
            })
            .collect();
        assert_eq!(
            found,
            [("a", "a", vec![]), ("b", "crates/b", vec!["a", "d"])]
        );
    }
}
