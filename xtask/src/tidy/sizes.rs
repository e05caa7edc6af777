//! Limits on the length of files and functions.

use std::path::Path;

use super::code::Code;

/// The most lines of code in a file, without blank lines, comments and tests.
const FILE_LINES_MAX: usize = 500;
/// The most lines of a function, from its signature to the closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// Files that may be longer, each with the reason.
const LONGER_FILES: &[(&str, &str)] = &[];

/// Functions that may be longer, each with its file. Shorten a function and delete its line; do not add
/// lines.
const LONGER_FUNCTIONS: &[(&str, &str)] = &[];

/// A function that is longer than [`FUNCTION_LINES_MAX`].
#[derive(Debug)]
pub(super) struct LongFunction {
    file: String,
    name: String,
    line: usize,
    lines: usize,
}

/// Finds a file that is too long.
pub(super) fn check_file(name: &str, code: &Code) -> Option<String> {
    let lines = code.code_lines();
    let is_allowed = LONGER_FILES.iter().any(|(allowed, _)| *allowed == name);
    match (lines > FILE_LINES_MAX, is_allowed) {
        (true, false) => Some(format!(
            "{name}: {lines} lines of code, more than {FILE_LINES_MAX}: split it, or add it with a reason to {}",
            file!()
        )),
        (false, true) => Some(format!(
            "{name}: {lines} lines of code: delete its entry in {}",
            file!()
        )),
        _ => None,
    }
}

/// Checks that the list of longer files names only files that exist.
pub(super) fn check_allowed(root: &Path) -> impl Iterator<Item = String> {
    LONGER_FILES
        .iter()
        .filter(|(name, _)| !root.join(name).is_file())
        .map(|(name, _)| {
            format!(
                "{name}: the file does not exist: delete its entry in {}",
                file!()
            )
        })
}

/// Returns the functions of a file that are too long.
pub(super) fn long_functions<'a>(
    file: &'a str,
    code: &'a Code,
) -> impl Iterator<Item = LongFunction> + 'a {
    let is_long = |lines| lines > FUNCTION_LINES_MAX;
    let functions = code.functions.iter();
    functions
        .filter(move |function| is_long(function.lines))
        .map(move |function| LongFunction {
            file: file.to_owned(),
            name: function.name.clone(),
            line: function.line,
            lines: function.lines,
        })
}

/// Finds the long functions that are not allowed, and entries of the allow-list without such a function.
pub(super) fn check_functions(long: &[LongFunction]) -> Vec<String> {
    check_functions_against(LONGER_FUNCTIONS, long)
}

fn check_functions_against(allowed: &[(&str, &str)], long: &[LongFunction]) -> Vec<String> {
    let is_allowed =
        |function: &LongFunction| allowed.contains(&(function.file.as_str(), &function.name));
    let too_long = long.iter().filter(|function| !is_allowed(function));
    let too_long = too_long.map(|function| {
        let LongFunction {
            file,
            name,
            line,
            lines,
        } = function;
        format!("{file}:{line}: {name} has {lines} lines, more than {FUNCTION_LINES_MAX}")
    });
    let is_needed = |entry: &(&str, &str)| {
        let mut long = long.iter();
        long.any(|function| *entry == (function.file.as_str(), &function.name))
    };
    let unneeded = allowed.iter().filter(|entry| !is_needed(entry));
    let unneeded = unneeded.map(|(file, name)| {
        format!(
            "{file}: {name} is not a long function: delete its entry in {}",
            file!()
        )
    });
    too_long.chain(unneeded).collect()
}

#[cfg(test)]
mod tests {
    use super::{check_file, check_functions_against, long_functions};
    use crate::tidy::code::Code;

    fn function(lines: usize) -> String {
        format!("fn a() {{\n{}}}\n", "    x();\n".repeat(lines - 2))
    }

    #[test]
    fn long_files_are_found() {
        let check = |text: &str| check_file("a.rs", &Code::of("a.rs", text));
        assert_eq!(check(&function(50).repeat(10)), None);
        let long = check(&function(50).repeat(11));
        assert!(long.is_some_and(|one| one.contains("550 lines of code")));
    }

    #[test]
    fn long_functions_are_found_outside_tests() {
        let check = |allowed: &[(&str, &str)], text: &str| {
            let code = Code::of("a.rs", text);
            let long: Vec<_> = long_functions("a.rs", &code).collect();
            check_functions_against(allowed, &long)
        };
        assert_eq!(check(&[], &function(70)), [""; 0]);
        assert_eq!(
            check(&[], &function(71)),
            ["a.rs:1: a has 71 lines, more than 70"]
        );
        assert_eq!(
            check(&[], &format!("#[cfg(test)]\n{}", function(71))),
            [""; 0]
        );
        assert_eq!(check(&[("a.rs", "a")], &function(71)), [""; 0]);
        let unneeded = check(&[("a.rs", "a")], &function(70));
        assert!(matches!(&unneeded[..], [one] if one.contains("a is not a long function")));
    }
}
