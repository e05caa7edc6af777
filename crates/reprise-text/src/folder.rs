//! Folds Unicode white space: every run becomes one space, and both ends are trimmed.

/// Appends text to a buffer in several steps, and folds its white space (Unicode `White_Space`).
#[derive(Debug)]
pub(crate) struct Folder<'o> {
    out: &'o mut Vec<u8>,
    /// The length of the buffer before the first step.
    start: usize,
    /// True if white space follows the last appended character.
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

    /// Has the effect of white space.
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

/// Returns the length in bytes of the white space (Unicode `White_Space`) at the start of a text.
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

/// Returns the length in bytes of the words at the start of a text that have single spaces between them.
fn leading_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // A single space: the next byte does not begin white space.
            b' ' if bytes.get(at + 1).is_some_and(|&next| is_plain(next)) => at += 2,
            b'\t'..=b'\r' | b' ' => break,
            // All white space beyond ASCII begins with one of these bytes.
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

/// Returns true if white space never begins with this byte.
fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\t'..=b'\r' | b' ' | 0xc2 | 0xe1..=0xe3)
}
