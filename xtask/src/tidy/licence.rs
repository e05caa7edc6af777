//! Is a licence expression (SPDX) permissive?

/// Licences whose code may be shipped in a binary without conditions on the rest.
const PERMISSIVE: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    // For data: the list of certificate authorities.
    "CDLA-Permissive-2.0",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Any part of an `OR` must be permissive, every part of an `AND`. `AND` binds tighter; the old
/// slash is an `OR`.
pub(super) fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = without_outer_brackets(expression.trim());
    let alternatives = split(expression, " OR ");
    if alternatives.len() > 1 {
        return alternatives.iter().any(|part| is_permissive(part));
    }
    let parts = split(expression, " AND ");
    if parts.len() > 1 {
        return parts.iter().all(|part| is_permissive(part));
    }
    PERMISSIVE.contains(&expression)
}

/// Splits at a word outside of brackets.
fn split<'e>(expression: &'e str, word: &str) -> Vec<&'e str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in expression.match_indices(word) {
        if depth(&expression[..at]) == 0 {
            parts.push(&expression[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&expression[start..]);
    parts
}

fn depth(text: &str) -> usize {
    text.matches('(')
        .count()
        .saturating_sub(text.matches(')').count())
}

fn without_outer_brackets(expression: &str) -> &str {
    let inner = expression
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    match inner {
        // In `(a) OR (b)` the first bracket closes before the end.
        Some(inner) if !closes_early(inner) => without_outer_brackets(inner.trim()),
        _ => expression,
    }
}

fn closes_early(inner: &str) -> bool {
    let mut open = 0i32;
    inner.chars().any(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open < 0
    })
}

#[cfg(test)]
mod tests {
    use super::is_permissive;

    #[test]
    fn expressions() {
        let cases = [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("MIT OR Apache-2.0", true),
            ("GPL-3.0", false),
            ("MPL-2.0", false),
            ("", false),
            ("MIT OR GPL-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR GPL-3.0) AND MPL-2.0", false),
            ("(MIT) OR (MPL-2.0 AND ISC)", true),
            ("((MIT AND ISC))", true),
            ("Apache-2.0 WITH LLVM-exception OR MPL-2.0", true),
            ("GPL-2.0 OR MPL-2.0 AND MIT", false),
        ];
        for (expression, permissive) in cases {
            assert_eq!(is_permissive(expression), permissive, "{expression}");
        }
    }
}
