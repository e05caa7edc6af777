//! The state of the module between two calls from JavaScript.

use std::collections::BTreeMap;

use crate::error::WasmError;
use crate::requests::{Checker, answer_chunks};

/// The status of a call that succeeded: the output is the answer.
pub(crate) const DONE: u32 = 0;
/// The status of a call that was refused: the output is the error message.
pub(crate) const REFUSED: u32 = 1;

/// The buffers that JavaScript writes and reads, and the checkers.
#[derive(Default)]
pub(crate) struct Module {
    /// The request. Each call takes it.
    input: Vec<u8>,
    /// The answer or the error message of the last call.
    output: Vec<u8>,
    /// The checkers by number. A number is not used again.
    checkers: BTreeMap<u32, Checker>,
    last_number: u32,
}

impl Module {
    pub(crate) const fn new() -> Module {
        Module {
            input: Vec::new(),
            output: Vec::new(),
            checkers: BTreeMap::new(),
            last_number: 0,
        }
    }

    /// Makes room for a request of `length` bytes. Returns `None` if there is not enough memory.
    pub(crate) fn input(&mut self, length: usize) -> Option<&mut [u8]> {
        self.input = Vec::new();
        // The last answer was read before the next request is written.
        self.output = Vec::new();
        self.input.try_reserve_exact(length).ok()?;
        self.input.resize(length, 0);
        Some(&mut self.input)
    }

    /// Returns the answer or the error message of the last call.
    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }

    /// Cuts a text into chunks.
    pub(crate) fn chunks(&mut self) -> u32 {
        let answer = answer_chunks(&self.take_input());
        self.finish(answer)
    }

    /// Creates a checker. The answer is its number.
    pub(crate) fn create_checker(&mut self) -> u32 {
        let checker = Checker::new(&self.take_input());
        let number = checker.map(|checker| {
            self.last_number += 1;
            self.checkers.insert(self.last_number, checker);
            self.last_number.to_le_bytes().to_vec()
        });
        self.finish(number)
    }

    /// Checks a page.
    pub(crate) fn check(&mut self, number: u32) -> u32 {
        let request = self.take_input();
        let answer = match self.checkers.get_mut(&number) {
            Some(checker) => checker.answer(&request),
            None => Err(WasmError::Checker { number }),
        };
        self.finish(answer)
    }

    /// Frees a checker.
    pub(crate) fn free_checker(&mut self, number: u32) -> u32 {
        let answer = match self.checkers.remove(&number) {
            Some(_) => Ok(Vec::new()),
            None => Err(WasmError::Checker { number }),
        };
        self.finish(answer)
    }

    fn take_input(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.input)
    }

    fn finish(&mut self, answer: Result<Vec<u8>, WasmError>) -> u32 {
        match answer {
            Ok(answer) => {
                self.output = answer;
                DONE
            }
            Err(error) => {
                self.output = error.to_string().into_bytes();
                REFUSED
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use reprise_chunk::{ChunkSettings, chunks};
    use reprise_text::Content;
    use serde_json::Value;

    use super::{DONE, Module, REFUSED};

    const PAGE: &str = "<p>Sign in with your card number<p>é";

    /// Writes the fields of a request to the input.
    fn write(module: &mut Module, fields: &[&str]) {
        let mut request = Vec::new();
        for field in fields {
            request.extend((field.len() as u32).to_le_bytes());
            request.extend(field.as_bytes());
        }
        module
            .input(request.len())
            .unwrap()
            .copy_from_slice(&request);
    }

    fn message(module: &Module) -> &str {
        str::from_utf8(module.output()).unwrap()
    }

    /// Creates a checker with one label, the first chunk of [`PAGE`], and returns its number.
    fn create_checker(module: &mut Module) -> u32 {
        let chunks = chunks(Content::Html, PAGE, ChunkSettings::default());
        let fingerprint = chunks[0].fingerprint.to_string();
        let url = "https://www.bank.example/login";
        let label = [&fingerprint, "chunk", url, "", "the bank", "1700000000000"];
        write(module, &[&["", "", "5", ""][..], &label].concat());
        assert_eq!(module.create_checker(), DONE);
        u32::from_le_bytes(module.output().try_into().unwrap())
    }

    #[test]
    fn chunks_are_records() {
        let mut module = Module::new();
        write(&mut module, &["sha1", "text", "html", PAGE]);
        assert_eq!(module.chunks(), DONE);
        let (records, rest) = module.output().as_chunks::<36>();
        assert_eq!((records.len(), rest.len()), (2, 0));
        let number = |at: usize| u32::from_le_bytes(records[1][at..at + 4].try_into().unwrap());
        assert_eq!(
            [number(0), number(4), number(8), number(12)],
            [32, 37, 1, 1]
        );
        // The SHA-1 of "é".
        assert_eq!(
            records[1][16..20],
            [0xbf, 0x15, 0xbe, 0x71],
            "{:02x?}",
            &records[1][16..]
        );
    }

    #[test]
    fn invalid_requests_are_refused_with_the_reason() {
        let mut module = Module::new();
        let mut check = |fields: &[&str], expected: &str| {
            write(&mut module, fields);
            assert_eq!(module.chunks(), REFUSED);
            assert_eq!(message(&module), expected);
        };
        let missing = "the request ends before the field hash";
        check(&[], missing);
        check(
            &["md5", "", "html", ""],
            "unknown hash \"md5\", use one of: sha256, sha1",
        );
        check(
            &["", "", "pdf", ""],
            "unknown content \"pdf\", use one of: html, plain, other",
        );
        check(
            &["", "", "html", "", ""],
            "the request has 4 bytes after its last field",
        );
        // A call takes the request, so it cannot be answered twice.
        assert_eq!(module.chunks(), REFUSED);
        assert_eq!(message(&module), missing);
    }

    #[test]
    fn a_checker_compares_pages_with_its_labels() {
        let mut module = Module::new();
        let number = create_checker(&mut module);
        for (url, is_copy) in [
            ("https://other.example/", true),
            ("https://m.bank.example/", false),
        ] {
            write(&mut module, &["html", url, PAGE]);
            assert_eq!(module.check(number), DONE);
            let checked: Value = serde_json::from_slice(module.output()).unwrap();
            assert_eq!(checked["copy"], is_copy, "{url}");
            // The chunk "é" has fewer than 5 characters.
            assert_eq!(checked["chunks"], 1);
            assert_eq!(checked["matches"][0]["site"], "bank.example");
            assert_eq!(checked["sources"][0]["name"], "the bank");
        }
    }

    #[test]
    fn a_freed_checker_is_refused() {
        let mut module = Module::new();
        let number = create_checker(&mut module);
        assert_eq!(module.free_checker(number), DONE);
        assert_ne!(create_checker(&mut module), number);
        write(&mut module, &["html", "", PAGE]);
        assert_eq!(module.check(number), REFUSED);
        assert_eq!(
            message(&module),
            "checker 1 does not exist: it was freed or never created"
        );
        assert_eq!(module.free_checker(number), REFUSED);
    }

    #[test]
    fn invalid_labels_are_refused_with_their_number() {
        let mut module = Module::new();
        let mut check = |label: &[&str], expected: &str| {
            let zeros = "0".repeat(40);
            let first = [&zeros, "file", "", "", "", ""];
            write(
                &mut module,
                &[&["", "", "", ""][..], &first, label].concat(),
            );
            assert_eq!(module.create_checker(), REFUSED);
            assert_eq!(message(&module), expected);
        };
        check(
            &["00"],
            "label 1: a fingerprint has 40 hex digits, found 2 bytes",
        );
        check(
            &[&"0".repeat(40), "page"],
            "label 1: unknown level \"page\"; use chunk or file",
        );
        check(
            &[&"0".repeat(40), "chunk", "", "", "", "today"],
            "the field fetched is not a whole number in range: \"today\"",
        );
    }

    #[test]
    fn a_request_that_does_not_fit_in_memory_is_refused() {
        assert!(Module::new().input(usize::MAX).is_none());
    }
}
