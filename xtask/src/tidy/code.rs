//! Splits a Rust file into code, comments, blank lines and tests, and finds its functions.
//!
//! It reads lines, not syntax. It relies on rustfmt, which indents the closing brace of an item like the
//! first line of the item.

use super::files;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Code,
    /// A blank line, or a line with only a comment.
    Other,
    Test,
}

/// A function, without its attributes and documentation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    /// The number of its first line, counted from 1.
    pub(super) line: usize,
    /// The number of its lines, including blank lines and comments.
    pub(super) lines: usize,
}

/// The lines and functions of a Rust file.
#[derive(Debug)]
pub(super) struct Code {
    lines: Vec<Line>,
    /// The functions outside tests.
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
            if is_test_attribute(line) {
                let end = item_end(&source, number);
                lines[number..=end].fill(Line::Test);
            }
        }
        let functions = functions(&source, &lines);
        Code { lines, functions }
    }

    /// Returns the number of lines that are not blank, comments or tests.
    pub(super) fn code_lines(&self) -> usize {
        self.lines
            .iter()
            .filter(|line| **line == Line::Code)
            .count()
    }

    /// Returns `text`, the text of this file, with blank lines in place of comments and tests.
    pub(super) fn only_code(&self, text: &str) -> String {
        let mut code = String::with_capacity(text.len());
        for (line, kind) in text.lines().zip(&self.lines) {
            if *kind == Line::Code {
                code.push_str(line);
            }
            code.push('\n');
        }
        code
    }
}

fn is_test_attribute(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test,")
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

/// Returns the index of the last line of the item whose first line or attribute is at `start`.
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

/// Returns the functions outside tests.
fn functions(source: &[&str], lines: &[Line]) -> Vec<Function> {
    let mut functions = Vec::new();
    for (number, line) in source.iter().enumerate() {
        if lines[number] != Line::Test
            && let Some(name) = function_name(line)
        {
            functions.push(Function {
                name: name.to_owned(),
                line: number + 1,
                lines: item_end(source, number) - number + 1,
            });
        }
    }
    functions
}

/// Returns the name of the function that begins in this line.
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

#[cfg(all(test, unix))]
fn twin() {
    y();
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
            [("two", 7, 6), ("inner", 15, 1), ("declared", 16, 1)]
        );
    }

    #[test]
    fn a_test_file_has_no_code() {
        let code = Code::of("crates/a/tests/it/main.rs", FILE);
        assert_eq!(code.code_lines(), 0);
        assert_eq!(found(&code), []);
    }

    #[test]
    fn comments_and_tests_are_blanked_out() {
        let only_code = Code::of("crates/a/src/lib.rs", FILE).only_code(FILE);
        assert_eq!(only_code.lines().count(), FILE.lines().count());
        for (text, is_code) in [
            ("use std", true),
            ("x + 2", true),
            ("Why", false),
            ("y()", false),
        ] {
            assert_eq!(only_code.contains(text), is_code, "{text}");
        }
    }

    #[test]
    fn only_the_keyword_fn_begins_a_function() {
        let code = Code::of(
            "a.rs",
            "// the fn x\nlet f: impl Fn() = my_fn (x);\ntype A = fn (u8);\n",
        );
        assert_eq!(found(&code), []);
    }
}
