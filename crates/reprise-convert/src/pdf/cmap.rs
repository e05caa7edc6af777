//! Reads tables that map codes to text (`ToUnicode`) or to glyph numbers.

use std::collections::HashMap;

/// The most entries of a table: the number of 16-bit codes. A hostile range may have billions.
const ENTRIES_MAX: usize = 1 << 16;

/// A table of codes.
#[derive(Clone, Debug, Default)]
pub(super) struct Cmap {
    /// The code lengths: the number of bytes, the first and the last code of that length.
    spaces: Vec<(usize, u32, u32)>,
    texts: HashMap<u32, String>,
    /// The ranges of glyphs: the first code, the last code, the number of the first glyph.
    glyphs: Vec<(u32, u32, u32)>,
}

impl Cmap {
    /// Parses a table. It is a program in PostScript, but real tables use only a few words of it.
    pub(super) fn parse(bytes: &[u8]) -> Cmap {
        let mut cmap = Cmap::default();
        let mut operands: Vec<Token<'_>> = Vec::new();
        for token in Tokens(bytes) {
            let Token::Word(word) = token else {
                if operands.len() < ENTRIES_MAX {
                    operands.push(token);
                }
                continue;
            };
            match word {
                b"endcodespacerange" => {
                    for pair in operands.chunks_exact(2) {
                        if let [Token::Hex(first), Token::Hex(last)] = pair {
                            let length = first.len().min(4);
                            cmap.spaces.push((length, number(first), number(last)));
                        }
                    }
                }
                b"endbfchar" => {
                    for pair in operands.chunks_exact(2) {
                        if let [Token::Hex(code), Token::Hex(text)] = pair {
                            cmap.insert(number(code), utf16(text));
                        }
                    }
                }
                b"endbfrange" => cmap.text_ranges(&operands),
                b"endcidrange" => {
                    for three in operands.chunks_exact(3) {
                        if let [Token::Hex(first), Token::Hex(last), Token::Number(glyph)] = three {
                            cmap.glyphs.push((number(first), number(last), *glyph));
                        }
                    }
                }
                b"endcidchar" => {
                    for pair in operands.chunks_exact(2) {
                        if let [Token::Hex(code), Token::Number(glyph)] = pair {
                            cmap.glyphs.push((number(code), number(code), *glyph));
                        }
                    }
                }
                _ => {}
            }
            operands.clear();
        }
        cmap.glyphs.truncate(ENTRIES_MAX);
        cmap
    }

    fn insert(&mut self, code: u32, text: String) {
        if self.texts.len() < ENTRIES_MAX {
            self.texts.insert(code, text);
        }
    }

    fn text_ranges(&mut self, operands: &[Token<'_>]) {
        let mut rest = operands;
        while let [Token::Hex(first), Token::Hex(last), tail @ ..] = rest {
            let (first, last) = (number(first), number(last));
            match tail {
                [Token::Hex(text), tail @ ..] => {
                    let text = utf16(text);
                    for step in 0..=last.saturating_sub(first).min(0xffff) {
                        self.insert(first + step, advanced(&text, step));
                    }
                    rest = tail;
                }
                [Token::Open, tail @ ..] => {
                    let end = tail.iter().position(|token| *token == Token::Close);
                    let (texts, after) = tail.split_at(end.unwrap_or(tail.len()));
                    for (step, text) in texts.iter().enumerate() {
                        if let Token::Hex(text) = text {
                            self.insert(first.wrapping_add(step as u32), utf16(text));
                        }
                    }
                    rest = after.get(1..).unwrap_or_default();
                }
                _ => break,
            }
        }
    }

    pub(super) fn text(&self, code: u32) -> Option<&str> {
        self.texts.get(&code).map(String::as_str)
    }

    pub(super) fn has_text(&self) -> bool {
        !self.texts.is_empty()
    }

    pub(super) fn glyph(&self, code: u32) -> Option<u32> {
        let mut ranges = self.glyphs.iter();
        let (first, _, glyph) = ranges.find(|(first, last, _)| (*first..=*last).contains(&code))?;
        Some(glyph.wrapping_add(code - first))
    }

    /// Returns the length of the next code in bytes.
    pub(super) fn code_length(&self, bytes: &[u8]) -> Option<usize> {
        (1..=4.min(bytes.len())).find(|&length| {
            let code = number(&bytes[..length]);
            let mut spaces = self.spaces.iter();
            spaces.any(|(of, first, last)| *of == length && (*first..=*last).contains(&code))
        })
    }
}

/// Returns the text of the first code of a range with `step` added to its last character.
fn advanced(text: &str, step: u32) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if let Some(last) = chars.last_mut() {
        *last = char::from_u32(u32::from(*last).wrapping_add(step)).unwrap_or('\u{fffd}');
    }
    chars.into_iter().collect()
}

fn number(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .take(4)
        .fold(0, |code, byte| code << 8 | u32::from(*byte))
}

/// Decodes big-endian UTF-16. Some writers use NUL for glyphs without text.
pub(super) fn utf16(bytes: &[u8]) -> String {
    if let [byte] = bytes {
        return char::from(*byte).to_string();
    }
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|char| char.unwrap_or('\u{fffd}'))
        .filter(|char| *char != '\0')
        .take(64)
        .collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'b> {
    Hex(Vec<u8>),
    Number(u32),
    Open,
    Close,
    Word(&'b [u8]),
}

struct Tokens<'b>(&'b [u8]);

impl<'b> Tokens<'b> {
    fn until(&mut self, is_end: impl Fn(u8) -> bool) -> &'b [u8] {
        let end = self
            .0
            .iter()
            .position(|byte| is_end(*byte))
            .unwrap_or(self.0.len());
        let (part, rest) = self.0.split_at(end);
        self.0 = rest;
        part
    }

    fn pass(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }
}

impl<'b> Iterator for Tokens<'b> {
    type Item = Token<'b>;

    fn next(&mut self) -> Option<Token<'b>> {
        loop {
            self.0 = self.0.trim_ascii_start();
            match self.0 {
                [] => return None,
                [b'%', ..] => {
                    self.until(|byte| matches!(byte, b'\n' | b'\r'));
                }
                [b'<', b'<', ..] | [b'>', b'>', ..] => self.pass(2),
                [b'<', ..] => {
                    self.pass(1);
                    let digits = self.until(|byte| byte == b'>');
                    self.pass(1);
                    return Some(Token::Hex(hexadecimal(digits)));
                }
                [b'[', ..] => {
                    self.pass(1);
                    return Some(Token::Open);
                }
                [b']', ..] => {
                    self.pass(1);
                    return Some(Token::Close);
                }
                [b'0'..=b'9', ..] => {
                    let digits = self.until(|byte| !byte.is_ascii_digit());
                    let value = std::str::from_utf8(digits)
                        .ok()
                        .and_then(|text| text.parse().ok());
                    return Some(Token::Number(value.unwrap_or(0)));
                }
                [first, ..] if first.is_ascii_alphabetic() => {
                    return Some(Token::Word(
                        self.until(|byte| !byte.is_ascii_alphanumeric()),
                    ));
                }
                // Names, strings and other tokens do not matter here.
                _ => {
                    self.pass(1);
                    self.until(|byte| byte.is_ascii_whitespace() || b"<[]>".contains(&byte));
                }
            }
        }
    }
}

fn hexadecimal(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = digits
        .iter()
        .filter_map(|digit| char::from(*digit).to_digit(16))
        .map(|digit| digit as u8)
        .take(256)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Cmap;

    #[test]
    fn tables_map_codes_to_text_and_glyphs() {
        let cmap = Cmap::parse(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <00> <7F> endcodespacerange
            1 begincodespacerange<8000><FFFF>endcodespacerange 2 beginbfchar <01> <0041> <02><00660069>
            endbfchar 2 beginbfrange <10> <12> <0061> <20> <21> [<0078> <D83DDE00>] endbfrange
            1 begincidrange <8000> <80FF> 5 endcidrange",
        );
        let texts = [1, 2, 0x11, 0x12, 0x13, 0x20, 0x21].map(|code| cmap.text(code));
        let expected = [
            Some("A"),
            Some("fi"),
            Some("b"),
            Some("c"),
            None,
            Some("x"),
            Some("\u{1f600}"),
        ];
        assert_eq!(texts, expected);
        assert_eq!(cmap.code_length(b"\x01\x80"), Some(1));
        assert_eq!(cmap.code_length(b"\x80\x01"), Some(2));
        assert_eq!(cmap.glyph(0x8002), Some(7));
    }
}
