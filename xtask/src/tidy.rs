//! The checks of the repository. They look at the files that git tracks or would add.
//!
//! - [`code`]: splits a Rust file into code, comments and tests, and finds its functions.
//! - [`sizes`]: limits the length of files and functions.
//! - [`text`]: finds unfinished work, paths of one machine and large files.
//! - [`purity`]: keeps files, network, threads, clock and output out of the pure crates.
//! - [`packages`]: limits the number of packages that the project needs.
//! - [`layers`](crate::layers): limits the dependencies between the crates.

mod code;
mod files;
mod packages;
mod purity;
mod sizes;
mod text;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use crate::layers;
use crate::workspace::Workspace;
use code::Code;
use packages::Packages;

/// The findings of all checks.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// One line per finding, beginning with the place.
    pub(crate) findings: Vec<String>,
    files: usize,
    code_lines: usize,
    packages: Packages,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(out, "{finding}")?;
        }
        let Report {
            findings,
            files,
            code_lines,
            packages: Packages { tool, locked },
        } = self;
        writeln!(
            out,
            "tidy: {} findings; {files} files, {code_lines} lines of Rust without tests, \
             {tool} packages in the tool, {locked} in the lock file",
            findings.len()
        )
    }
}

/// Runs all checks on the repository at `root`.
pub(crate) fn run(root: &Path) -> Result<Report> {
    let workspace = Workspace::read(root)?;
    let mut report = Report::default();
    let mut long_functions = Vec::new();
    for name in files::list(root)? {
        let path = root.join(&name);
        report.files += 1;
        report
            .findings
            .extend(text::check_bytes(&name, files::bytes(&path)?));
        let Some(text) = files::read_text(&path)? else {
            continue;
        };
        report.findings.extend(text::check_text(&name, &text));
        if files::is_rust(&name) {
            let code = Code::of(&name, &text);
            report.code_lines += code.code_lines();
            report.findings.extend(text::check_top(&name, &text));
            report.findings.extend(sizes::check_file(&name, &code));
            long_functions.extend(sizes::long_functions(&name, &code));
            if purity::is_in_pure_crate(&name, &workspace) {
                report.findings.extend(purity::check(&name, &code, &text));
            }
        }
    }
    report
        .findings
        .extend(sizes::check_functions(&long_functions));
    report.findings.extend(sizes::check_allowed(root));
    report.findings.extend(layers::check(&workspace));
    let (packages, findings) = packages::check(root)?;
    report.packages = packages;
    report.findings.extend(findings);
    Ok(report)
}
