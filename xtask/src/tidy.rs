//! Checks of the whole repository, on the files that git knows or would take.
//!
//! - [`code`]: how a Rust file splits into code, comments and tests; its functions.
//! - [`sizes`]: no file or function too long.
//! - [`text`]: no leftovers, no paths of somebody's machine, no large files, a word at each crate's top.
//! - [`dependencies`]: how many packages the command-line tool needs, and under which licences.
//! - [`licence`]: is a licence expression permissive?

mod code;
mod dependencies;
mod files;
mod licence;
mod sizes;
mod text;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use code::Code;

/// What is wrong, and how much was looked at.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// One line each, beginning with the place.
    pub(crate) findings: Vec<String>,
    files: usize,
    code_lines: usize,
    packages: usize,
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
            packages,
        } = self;
        writeln!(
            out,
            "tidy: {} findings; {files} files, {code_lines} lines of Rust without tests, {packages} packages in the tool",
            findings.len()
        )
    }
}

/// Runs all checks on the repository at `root`.
pub(crate) fn run(root: &Path) -> Result<Report> {
    let mut report = Report::default();
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
            report.findings.extend(sizes::check(&name, &code));
        }
    }
    report.findings.extend(sizes::check_allowed(root));
    let (packages, findings) = dependencies::check(root)?;
    report.packages = packages;
    report.findings.extend(findings);
    Ok(report)
}
