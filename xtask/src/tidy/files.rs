//! The files of the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Returns the names of the files that git tracks or would add, relative to `root`, without deleted files.
pub(super) fn list(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args([
            "-c",
            "safe.directory=*",
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .context("cannot run git")?;
    ensure!(
        output.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut names: Vec<String> = names
        .split_terminator('\0')
        .filter(|name| root.join(name).is_file())
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// Returns the length of a file.
pub(super) fn bytes(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(metadata.len())
}

/// Returns the text of a file, or `None` if the file is binary.
pub(super) fn read_text(path: &Path) -> Result<Option<String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let is_text = !bytes.contains(&0);
    Ok(String::from_utf8(bytes).ok().filter(|_| is_text))
}

pub(super) fn is_rust(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|suffix| suffix == "rs")
}

/// Returns true if the file belongs to tests or fuzz targets.
pub(super) fn is_test(name: &str) -> bool {
    let mut parts = name.split('/');
    let file = parts.next_back().unwrap_or_default();
    file == "tests.rs" || parts.any(|part| matches!(part, "tests" | "testdata" | "fuzz"))
}
