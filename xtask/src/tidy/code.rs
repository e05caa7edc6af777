//! How a Rust file splits into code, comments, blank lines and tests, and where its functions are.
//!
//! This reads lines, not syntax. It relies on rustfmt, which puts an item's closing brace at the
//! indentation of the line that began the item.

use super::files;

/// What one line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Code,
    /// Blank, or nothing but a comment.
    Other,
    Test,
}

/// A function, with its attributes and documentation left out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    /// Its first line, counted from 1.
    pub(super) line: usize,
    /// All its lines, blank ones and comments too: what a reader has to scroll past.
    pub(super) lines: usize,
}

/// A Rust file taken apart.
#[derive(Debug)]
pub(super) struct Code {
    lines: Vec<Line>,
    pub(super) functions: Vec<Function>,
}

impl Code {
    pub(super) fn of(name: &str, text: &str) -> Code {
        let source: Vec<&str> = text.lines().collect();
        let mut lines: Vec<Line> = source.iter().map(|line| kind(line)).collect();
        if files::is_test(name) {
            lines.fill(Line::Test);
        }
        for (number, line) in source.iter().enumerate() {
            if line.trim_start().starts_with("#[cfg(test)]") {
                let end = item_end(&source, number);
                lines[number..=end].fill(Line::Test);
            }
        }
        Code {
            lines,
            functions: functions(&source),
        }
    }

    /// Lines that are neither blank, comment nor test.
    pub(super) fn code_lines(&self) -> usize {
        self.lines
            .iter()
            .filter(|line| **line == Line::Code)
            .count()
    }
}

fn kind(line: &str) -> Line {
    let line = line.trim();
    if line.is_empty() || line.starts_with("//") {
        Line::Other
    } else {
        Line::Code
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The last line of the item that begins at `start`, attributes included.
fn item_end(source: &[&str], start: usize) -> usize {
    let depth = indentation(source[start]);
    let ends = |line: &&str| {
        let code = line.trim_end();
        indentation(line) == depth
            && !code.trim_start().starts_with("#[")
            && (code.ends_with('}') || code.ends_with(';'))
    };
    let length = source[start..].iter().position(ends);
    length.map_or(source.len() - 1, |length| start + length)
}

fn functions(source: &[&str]) -> Vec<Function> {
    let mut functions = Vec::new();
    for (number, line) in source.iter().enumerate() {
        if let Some(name) = function_name(line) {
            functions.push(Function {
                name: name.to_owned(),
                line: number + 1,
                lines: item_end(source, number) - number + 1,
            });
        }
    }
    functions
}

/// The name of the function that a line begins.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_prefix = before.split_whitespace().all(|word| {
        matches!(word, "const" | "async" | "unsafe" | "extern" | "\"C\"")
            || word.starts_with("pub")
            || word.ends_with(')')
    });
    let length = after
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(after.len());
    (is_prefix && length > 0).then(|| &after[..length])
}

#[cfg(test)]
mod tests {
    use super::Code;

    const FILE: &str = r"//! Top.

use std::fmt;

/// Two.
#[inline]
pub(in crate::a) const fn two(
    x: u32,
) -> u32 {
    // Why.
    x + 2
}

impl A {
    async fn inner(&self) {}
    fn declared(&self);
}

#[cfg(test)]
mod tests {
    fn helper() {
        x();
    }
}
";

    fn found(code: &Code) -> Vec<(&str, usize, usize)> {
        let functions = code.functions.iter();
        functions
            .map(|function| (function.name.as_str(), function.line, function.lines))
            .collect()
    }

    #[test]
    fn lines_and_functions() {
        let code = Code::of("crates/a/src/lib.rs", FILE);
        assert_eq!(code.code_lines(), 11);
        assert_eq!(
            found(&code),
            [
                ("two", 7, 6),
                ("inner", 15, 1),
                ("declared", 16, 1),
                ("helper", 21, 3)
            ]
        );
    }

    #[test]
    fn files_of_tests_hold_no_code() {
        let code = Code::of("crates/a/tests/it/main.rs", FILE);
        assert_eq!(code.code_lines(), 0);
        assert_eq!(found(&code).len(), 4);
    }

    #[test]
    fn words_that_end_in_fn_begin_nothing() {
        let code = Code::of(
            "a.rs",
            "// the fn x\nlet f: impl Fn() = my_fn (x);\ntype A = fn (u8);\n",
        );
        assert_eq!(found(&code), []);
    }
}
