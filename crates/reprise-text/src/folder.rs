//! Folding white space of all scripts: every run becomes one space, none is left at either end.

/// Appends text bit by bit, with its white space (Unicode `White_Space`) folded.
#[derive(Debug)]
pub(crate) struct Folder<'o> {
    out: &'o mut Vec<u8>,
    /// Length before anything was appended.
    start: usize,
    /// White space has been seen since the last other character.
    pending: bool,
}

impl<'o> Folder<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        Self {
            start: out.len(),
            out,
            pending: false,
        }
    }

    /// Acts as white space without being text.
    pub(crate) fn push_break(&mut self) {
        self.pending = true;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let space = leading_space(rest);
            self.pending |= space > 0;
            rest = &rest[space..];
            let words = leading_words(rest);
            if words > 0 {
                if self.pending && self.out.len() > self.start {
                    self.out.push(b' ');
                }
                self.pending = false;
                self.out.extend_from_slice(&rest.as_bytes()[..words]);
                rest = &rest[words..];
            }
        }
    }
}

/// How many bytes of white space (Unicode `White_Space`) a text begins with.
pub(crate) fn leading_space(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ascii = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\t'..=b'\r' | b' '));
    let at = ascii.unwrap_or(bytes.len());
    match bytes.get(at) {
        Some(0x80..) => text.len() - text[at..].trim_start().len(),
        _ => at,
    }
}

/// How many bytes of words with single spaces between them a text begins with.
fn leading_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // The next byte tells whether this is a single space: it is plain, or it is not.
            b' ' if bytes.get(at + 1).is_some_and(|&next| is_plain(next)) => at += 2,
            b'\t'..=b'\r' | b' ' => break,
            // The first bytes of all characters of white space beyond ASCII.
            0xc2 | 0xe1..=0xe3 => {
                let character = text[at..].chars().next().unwrap_or_default();
                if character.is_whitespace() {
                    break;
                }
                at += character.len_utf8();
            }
            _ => at += 1,
        }
    }
    at
}

/// Is this surely not the first byte of white space?
fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\t'..=b'\r' | b' ' | 0xc2 | 0xe1..=0xe3)
}
