//! Text that committed files must not contain, the size of files, and the first line of a crate.

use std::path::Path;

use super::files;

const BYTES_MAX: u64 = 250_000;

/// Marks of unfinished work. They are concatenated so that this file does not contain them.
const LEFTOVERS: [&str; 5] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("dbg", "!"),
    concat!("#[", "ignore"),
];

/// Directories that differ from machine to machine.
const MACHINE_PATHS: [&str; 3] = [
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/t", "mp/"),
];

/// Finds a large file. Every clone would download it, even after it is deleted.
pub(super) fn check_bytes(name: &str, bytes: u64) -> Option<String> {
    (bytes > BYTES_MAX).then(|| format!("{name}: {bytes} bytes, more than {BYTES_MAX}"))
}

/// Finds marks of unfinished work and paths of one machine.
pub(super) fn check_text(name: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let may_name_paths = files::is_test(name) || is_generated(name);
    for (line, number) in text.lines().zip(1..) {
        // Lock files and the seeds of fuzz targets may contain any words.
        if !is_generated(name) && !name.starts_with("fuzz/seeds/") {
            for word in LEFTOVERS {
                if has_word(line, word) {
                    findings.push(format!("{name}:{number}: unfinished work: {word}"));
                }
            }
        }
        if !may_name_paths {
            for path in MACHINE_PATHS {
                if has_path(line, path) {
                    findings.push(format!("{name}:{number}: a path of one machine: {path}"));
                }
            }
        }
    }
    findings
}

/// Finds a crate that does not begin with a sentence about the crate.
pub(super) fn check_top(name: &str, text: &str) -> Option<String> {
    let path = Path::new(name);
    let is_top = path
        .file_name()
        .is_some_and(|file| file == "lib.rs" || file == "main.rs");
    let first = text.lines().next().unwrap_or_default();
    let is_sentence = first.strip_prefix("//! ").is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_uppercase() || letter == '`')
    });
    (is_top && !is_sentence)
        .then(|| format!("{name}:1: a crate must begin with a sentence: //! ..."))
}

fn is_generated(name: &str) -> bool {
    name.ends_with("Cargo.lock")
}

/// Returns true if the line contains the word, not only as a part of a longer word.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

/// Returns true if the line contains an absolute path that begins with `path`. Paths of URLs do not count.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || "._-/}$)".contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::{LEFTOVERS, MACHINE_PATHS, check_bytes, check_text, check_top};

    #[test]
    fn leftovers_are_found_but_not_within_longer_words() {
        for word in LEFTOVERS {
            assert_eq!(
                check_text("a.rs", &format!("x\n// {word}: later\n")).len(),
                1
            );
            assert!(check_text("a.rs", &format!("A{word}S")).is_empty());
        }
    }

    #[test]
    fn machine_paths_are_found_outside_tests() {
        for path in MACHINE_PATHS {
            let line = format!("open(\"{path}x\")");
            assert_eq!(check_text("src/a.rs", &line).len(), 1);
            assert!(check_text("src/tests/a.rs", &line).is_empty());
            assert!(check_text("src/a.rs", &format!("http://a.example{path}")).is_empty());
        }
    }

    #[test]
    fn crates_begin_with_a_sentence() {
        assert_eq!(check_top("a/src/lib.rs", "//! Reads.\n"), None);
        assert_eq!(check_top("a/src/b.rs", "mod c;\n"), None);
        assert!(check_top("a/src/main.rs", "fn main() {}\n").is_some());
        assert!(check_top("a/src/lib.rs", "").is_some());
    }

    #[test]
    fn large_files_are_found() {
        assert_eq!(check_bytes("a", 250_000), None);
        assert!(check_bytes("a", 250_001).is_some());
    }
}
