//! Keeps files, network, threads, clock, environment and output out of the pure crates.
//!
//! This is a check of the text: it finds paths such as `std::fs`, also inside `use std::{..}`.

use super::code::Code;
use super::text::has_word;
use crate::layers;
use crate::workspace::Workspace;

/// The paths of the standard library that pure crates must not use, without `std::`.
const FORBIDDEN: [&str; 7] = [
    "env",
    "fs",
    "net",
    "process",
    "thread",
    "time::Instant",
    "time::SystemTime",
];

/// The macros that write to standard output or standard error.
const PRINTING: [&str; 4] = ["print!", "println!", "eprint!", "eprintln!"];

/// Returns true if a file belongs to the sources of a pure crate.
pub(super) fn is_in_pure_crate(name: &str, workspace: &Workspace) -> bool {
    layers::pure_crates(workspace).any(|one| {
        let inside = name.strip_prefix(one.directory.as_str());
        inside.is_some_and(|inside| inside.starts_with("/src/"))
    })
}

/// Finds forbidden paths and macros in a file of a pure crate.
pub(super) fn check(name: &str, code: &Code, text: &str) -> Vec<String> {
    let code = code.only_code(text);
    let mut findings = Vec::new();
    for (start, _) in code.match_indices("std::") {
        let number = code[..start].matches('\n').count() + 1;
        for path in paths(&code[start + "std::".len()..]) {
            if let Some(forbidden) = FORBIDDEN.iter().find(|above| is_below(&path, above)) {
                findings.push(format!(
                    "{name}:{number}: a pure crate must not use std::{forbidden}"
                ));
            }
        }
    }
    for (line, number) in code.lines().zip(1..) {
        for word in PRINTING.iter().filter(|word| has_word(line, word)) {
            findings.push(format!("{name}:{number}: a pure crate must not use {word}"));
        }
    }
    findings
}

/// Returns true if `path` is `above` or an item of it.
fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Returns the paths that the text begins with: one, or several if it is a tree such as
/// `time::{Duration, Instant}`.
fn paths(text: &str) -> Vec<String> {
    let is_in_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let length = text
        .find(|letter: char| !is_in_path(letter))
        .unwrap_or(text.len());
    let (path, rest) = text.split_at(length);
    match rest.strip_prefix('{') {
        Some(inside) => branches(inside)
            .into_iter()
            .flat_map(paths)
            .map(|branch| format!("{path}{branch}"))
            .collect(),
        None => vec![path.to_owned()],
    }
}

/// Splits the text after an opening brace into the parts between commas, up to the closing brace.
fn branches(inside: &str) -> Vec<&str> {
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        let is_end = depth == 0 && letter == '}';
        if is_end || depth == 0 && letter == ',' {
            branches.push(inside[start..at].trim());
            start = at + 1;
        }
        match letter {
            _ if is_end => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::code::Code;

    fn findings(text: &str) -> Vec<String> {
        let name = "crates/a/src/lib.rs";
        check(name, &Code::of(name, text), text)
    }

    #[test]
    fn forbidden_paths_and_macros_are_found() {
        let cases = [
            ("use std::fs;", "std::fs"),
            ("use std::fs::File;", "std::fs"),
            ("    let home = std::env::var(\"A\");", "std::env"),
            ("use std::{collections::HashMap, net, mem};", "std::net"),
            (
                "use std::{\n    io,\n    process::{Child, Command},\n};",
                "std::process",
            ),
            ("use std::time::{Duration, Instant};", "std::time::Instant"),
            (
                "use std::{time::{Duration, SystemTime}};",
                "std::time::SystemTime",
            ),
            ("    std::thread::spawn(f);", "std::thread"),
            ("    println!(\"{x}\");", "println!"),
        ];
        for (text, expected) in cases {
            let found = findings(text);
            assert!(
                !found.is_empty()
                    && found
                        .iter()
                        .all(|one| one.ends_with(&format!(" {expected}"))),
                "{text}: {found:?}"
            );
        }
        assert!(findings("\n\nuse std::fs;\n")[0].starts_with("crates/a/src/lib.rs:3: "));
    }

    #[test]
    fn other_paths_comments_and_tests_are_allowed() {
        let cases = [
            "use std::time::Duration;",
            "use std::{fmt, io::Write, iter};",
            "use std::fsx;",
            "    writeln!(out, \"a\")?;",
            "// std::fs",
            "/// println!(\"a\");",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n}",
            "std::",
            "std::{",
        ];
        for text in cases {
            assert_eq!(findings(text), [""; 0], "{text}");
        }
    }
}
