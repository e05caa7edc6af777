//! Recognises rows of JSON, one per line, for files whose name does not tell.
//!
//! A row may be long, and its keys may be at its end, so whole lines are examined, but never held in memory.
//! The number of examined bytes does not depend on the limits of a run, so that positions in a file mean the
//! same in every run.

use std::io::{self, BufRead};

use crate::error::of_bytes;

/// The number of lines that are examined. The first ones may be unusual.
const LINES_MAX: usize = 16;
/// The number of bytes that are examined: more than a line has under the default limits.
pub(crate) const BYTES_MAX: usize = 64 << 20;
/// The longest key of a row, in bytes.
const KEY_BYTES_MAX: usize = 4;

/// Returns true if the first lines are objects, and one of them is a row with `url` or `id` and with `html` or
/// `text`. In a file that is named as JSON, two objects are enough, because a single document has one.
pub(crate) fn is_rows(mut input: impl BufRead, is_named_json: bool) -> io::Result<bool> {
    let objects_enough = if is_named_json { 2 } else { usize::MAX };
    let (mut line, mut objects, mut seen) = (Line::default(), 0, 0);
    while objects < LINES_MAX {
        // A stream that breaks off ends there.
        let bytes = of_bytes(input.fill_buf(), &[])?;
        let is_cut = bytes.is_empty() || seen >= BYTES_MAX;
        let (count, is_ended) = line.take(if is_cut { &[] } else { bytes });
        input.consume(count);
        seen += count;
        if line.state == State::Other {
            return Ok(false);
        }
        if !is_ended && !is_cut {
            continue;
        }
        if line.state != State::Blank {
            let is_whole = line.state == State::Ended;
            objects += 1;
            if !is_whole && !is_cut {
                return Ok(false);
            }
            if line.is_row() || objects >= objects_enough {
                return Ok(true);
            }
        }
        if is_cut {
            return Ok(false);
        }
        line = Line::default();
    }
    Ok(false)
}

/// The examined part of a line.
#[derive(Debug, Default)]
struct Line {
    state: State,
    /// The number of open brackets.
    depth: usize,
    /// The beginning of the last string.
    word: Vec<u8>,
    has_name: bool,
    has_body: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// The line is empty so far.
    #[default]
    Blank,
    /// Inside an object.
    Inside,
    /// Inside a string of an object.
    String,
    /// Inside a string, after a backslash.
    Escaped,
    /// After an object.
    Ended,
    /// The line is not a single object.
    Other,
}

impl Line {
    fn is_row(&self) -> bool {
        self.has_name && self.has_body
    }

    /// Examines bytes up to the end of the line. Returns their number, and true if the line ends with them.
    fn take(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match (&self.state, byte) {
                (_, b'\n') => return (at + 1, true),
                (State::String, b'"') => self.state = State::Inside,
                (State::String, b'\\') => self.state = State::Escaped,
                (State::String, _) => {
                    let rest = &bytes[at..];
                    let length = memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
                    self.add_to_word(&rest[..length]);
                    at += length;
                    continue;
                }
                (State::Escaped, _) => {
                    // A key with an escape in it is not a key of a row.
                    self.add_to_word(b"\\");
                    self.state = State::String;
                }
                _ => self.outside(byte),
            }
            at += 1;
        }
        (bytes.len(), false)
    }

    fn add_to_word(&mut self, bytes: &[u8]) {
        // One more byte shows that the string is longer.
        let room = KEY_BYTES_MAX + 1 - self.word.len();
        self.word.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Examines a byte outside a string.
    fn outside(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            return;
        }
        match (&self.state, byte) {
            (State::Blank, b'{') => (self.state, self.depth) = (State::Inside, 1),
            (State::Inside, b'{' | b'[') => self.depth += 1,
            (State::Inside, b'}' | b']') => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.state = State::Ended;
                }
            }
            (State::Inside, b'"') => {
                self.state = State::String;
                self.word.clear();
            }
            (State::Inside, b':') if self.depth == 1 => match self.word.as_slice() {
                b"url" | b"id" => self.has_name = true,
                b"html" | b"text" => self.has_body = true,
                _ => {}
            },
            (State::Inside, _) => {}
            _ => self.state = State::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::{LINES_MAX, is_rows};

    /// Returns what `is_rows` returns, for lines of valid JSON, with a parser.
    fn is_rows_slowly(text: &str, is_named_json: bool) -> bool {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut objects = 0;
        for line in lines.take(LINES_MAX) {
            let Ok(Value::Object(object)) = serde_json::from_str(line) else {
                return false;
            };
            objects += 1;
            let has = |key: &str| object.contains_key(key);
            let is_row = (has("url") || has("id")) && (has("html") || has("text"));
            if is_row || (is_named_json && objects == 2) {
                return true;
            }
        }
        false
    }

    const LINES: [&str; 12] = [
        "",
        " \t\r",
        "{}",
        r#"{"url":"a"}"#,
        r#"{"text":"\"url\": \\"}"#,
        r#" {"url":"a","text":"x"} "#,
        r#"{"id":{"url":1},"html":["}"],"x":"\\"}"#,
        r#"{"x":{"url":"a","text":"b"}}"#,
        r#"{"urls":1,"ids":2,"htm":3,"textt":4,"text ":5}"#,
        r#"["url","text"]"#,
        "5",
        r#""url""#,
    ];

    proptest! {
        #[test]
        fn results_equal_those_of_a_parser(
            lines in proptest::collection::vec(0..LINES.len(), 0..6),
            bytes in 1_usize..30,
            is_named in any::<bool>(),
            is_ended in any::<bool>(),
        ) {
            let mut text = lines.iter().map(|&at| LINES[at]).collect::<Vec<_>>().join("\n");
            text.push_str(if is_ended { "\n" } else { "" });
            let found = is_rows(BufReader::with_capacity(bytes, text.as_bytes()), is_named).unwrap();
            prop_assert_eq!(found, is_rows_slowly(&text, is_named), "{}", text);
        }
    }

    fn check(text: &str, is_some: bool, is_json: bool) {
        // Reads pieces of several sizes, because strings and lines extend from one to the next.
        for bytes in [1, 2, 3, 7, 1000] {
            let found = |is_named: bool| {
                is_rows(BufReader::with_capacity(bytes, text.as_bytes()), is_named).unwrap()
            };
            assert_eq!((found(false), found(true)), (is_some, is_json), "{text}");
        }
    }

    #[test]
    fn rows_by_their_first_lines() {
        let yes = |text: &str| check(text, true, true);
        let no = |text: &str| check(text, false, false);
        let row = r#"{"url":"a","text":"x"}"#;
        yes(row);
        yes(&format!("\n \r\n{row}\r\n{row}\r\n"));
        yes(r#"{"id" : 1, "meta": {"a": [1, "{"]}, "html": null}"#);
        yes(&format!(
            r#"{{"text":"{}","timestamp":"t","url":"u"}}"#,
            "x\\\" } ".repeat(500)
        ));
        // The first lines are unusual.
        yes(&format!("{{}}\n{{\"url\":\"a\"}}\n{row}\n"));
        // The line is cut off.
        yes(r#"{"url":"a","text":"x"#);
        no(r#"{"url":"a","te"#);
        no("");
        no("{");
        no("{}");
        no(r#"{"url":"a"}"#);
        no(r#"{"a":{"url":"a","text":"x"}}"#);
        no(r#"{"a":"url","b":"text"}"#);
        no(r#"{"\u0075rl":"a","\"url":1,"text":"x"}"#);
        no(&format!("{row} {row}\n"));
        no(&format!("[{row}]\n"));
        // One document on several lines is not rows, whatever it contains.
        no("{\n  \"url\": \"a\",\n  \"text\": \"x\"\n}\n");
        no(&format!("{{\"rows\": [\n{row},\n{row}\n]}}\n"));
        no(&format!("{{\"url\": 1, \"text\": [\n{row}\n]}}\n"));
    }

    #[test]
    fn several_objects_are_rows_if_the_name_says_json() {
        check("{\"a\":1}\n{\"b\":2}\n", false, true);
        check("{\"a\":1}\n\n{\"b\"", false, true);
        check("{\"a\":1}\n\n", false, false);
        check("{\"a\":1}\nwords\n", false, false);
        let row = r#"{"url":"a","text":"x"}"#;
        check(
            &format!("{}{row}", "{}\n".repeat(LINES_MAX - 1)),
            true,
            true,
        );
        check(&format!("{}{row}", "{}\n".repeat(LINES_MAX)), false, true);
        check(&format!("{}{row}", "\n".repeat(LINES_MAX)), true, true);
    }
}
