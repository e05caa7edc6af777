//! Does a file hold rows of JSON, one a line? Asked of files whose name does not tell.
//!
//! A row may be long, with all that tells at its end, so whole lines are looked at, though never held. How much is looked
//! at does not depend on the limits of a run: positions in a file mean the same in every run then.

use std::io::{self, BufRead};

use crate::error::of_bytes;

/// Lines that are looked at; the first may be odd ones.
const LINES_MAX: usize = 16;
/// Bytes that are looked at: more than any line has that is read under the usual limits.
pub(crate) const BYTES_MAX: usize = 64 << 20;
/// Longest key of a row.
const KEY_BYTES_MAX: usize = 4;

/// Are the first lines objects, and one of them a row: with `url` or `id`, and with `html` or `text`? Of a file that is
/// named as JSON, two objects are enough: it is no single document.
pub(crate) fn is_rows(mut input: impl BufRead, is_named_json: bool) -> io::Result<bool> {
    let objects_enough = if is_named_json { 2 } else { usize::MAX };
    let (mut line, mut objects, mut seen) = (Line::default(), 0, 0);
    while objects < LINES_MAX {
        // Where a stream breaks off, it ends.
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

/// As much of a line as was seen.
#[derive(Debug, Default)]
struct Line {
    state: State,
    /// Brackets that are open.
    depth: usize,
    /// The beginning of the last string.
    word: Vec<u8>,
    has_name: bool,
    has_body: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing is in the line yet.
    #[default]
    Blank,
    /// In an object, or in something in it.
    Inside,
    /// In a string in an object.
    String,
    /// In one, behind a backslash.
    Escaped,
    /// Behind an object.
    Ended,
    /// It is no object, or more than one.
    Other,
}

impl Line {
    fn is_row(&self) -> bool {
        self.has_name && self.has_body
    }

    /// Looks at bytes up to the end of the line: how many these were, and whether the line ends with them.
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
                    // No key of a row has escapes in it.
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
        // One more tells that it is longer.
        let room = KEY_BYTES_MAX + 1 - self.word.len();
        self.word.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Takes a byte that stands in no string.
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

    /// The same, of lines that are all JSON, by taking them apart.
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
        fn lines_are_judged_as_slowly(
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
        // In pieces of every size, since strings and lines go on from one to the next.
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
        // The first are odd.
        yes(&format!("{{}}\n{{\"url\":\"a\"}}\n{row}\n"));
        // Cut off.
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
        // One document on several lines, whatever is in it.
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
