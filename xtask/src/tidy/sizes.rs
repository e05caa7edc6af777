//! No file and no function grows past what a reader can hold.

use std::path::Path;

use super::code::Code;

/// Lines of code, without blank lines, comments and tests.
const FILE_LINES_MAX: usize = 500;
/// All lines from the signature to the closing brace.
const FUNCTION_LINES_MAX: usize = 100;

/// Files that may be longer, with the reason.
const LONGER_FILES: &[(&str, &str)] = &[];

pub(super) fn check(name: &str, code: &Code) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = code.code_lines();
    let is_allowed = LONGER_FILES.iter().any(|(allowed, _)| *allowed == name);
    if lines > FILE_LINES_MAX && !is_allowed {
        findings.push(format!(
            "{name}: {lines} lines of code, more than {FILE_LINES_MAX}: split it, or say why not in {}",
            file!()
        ));
    }
    if lines <= FILE_LINES_MAX && is_allowed {
        findings.push(format!("{name}: {lines} lines of code need no permission"));
    }
    for function in &code.functions {
        if function.lines > FUNCTION_LINES_MAX {
            findings.push(format!(
                "{name}:{}: {} has {} lines, more than {FUNCTION_LINES_MAX}",
                function.line, function.name, function.lines
            ));
        }
    }
    findings
}

/// The list of longer files names only files that exist.
pub(super) fn check_allowed(root: &Path) -> impl Iterator<Item = String> {
    LONGER_FILES
        .iter()
        .filter(|(name, _)| !root.join(name).is_file())
        .map(|(name, _)| format!("{name}: allowed to be long, but there is no such file"))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::code::Code;

    fn findings(text: &str) -> Vec<String> {
        check("a.rs", &Code::of("a.rs", text))
    }

    #[test]
    fn long_files_and_functions_are_found() {
        let statements = "    x();\n".repeat(98);
        let function = format!("fn a() {{\n{statements}}}\n");
        assert_eq!(findings(&function), [""; 0]);
        assert_eq!(findings(&function.repeat(5)), [""; 0]);
        let six = findings(&function.repeat(6));
        assert!(matches!(&six[..], [one] if one.contains("600 lines of code")));
        let long = findings(&function.replacen("x();", "x();\n\n", 1));
        assert!(
            matches!(&long[..], [one] if one.starts_with("a.rs:1: a has 10")),
            "{long:?}"
        );
    }
}
