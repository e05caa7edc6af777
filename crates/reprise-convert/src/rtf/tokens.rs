//! Splits RTF into tokens.

/// A token of RTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'b> {
    Open,
    Close,
    /// `\*`: an unknown word that follows may be ignored with its group.
    Optional,
    /// A control word or symbol without its backslash, and its number.
    Word(&'b [u8], Option<i32>),
    /// A byte in hexadecimal: `\'e9`.
    Byte(u8),
    Text(&'b [u8]),
}

/// Iterates over the tokens of any bytes. Each token consumes at least one byte.
pub(super) struct Tokens<'b> {
    rest: &'b [u8],
}

impl<'b> Tokens<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Tokens<'b> {
        Tokens { rest: bytes }
    }

    fn split(&mut self, at: usize) -> &'b [u8] {
        let (first, rest) = self.rest.split_at(at.min(self.rest.len()));
        self.rest = rest;
        first
    }

    fn while_is(&mut self, is_part: impl Fn(&u8) -> bool) -> &'b [u8] {
        let length = self.rest.iter().take_while(|byte| is_part(byte)).count();
        self.split(length)
    }

    fn control(&mut self) -> Option<Token<'b>> {
        let symbol = self.rest.first()?;
        if symbol.is_ascii_alphabetic() {
            return Some(self.word());
        }
        let symbol = self.split(1);
        Some(match symbol {
            b"*" => Token::Optional,
            b"'" => {
                let digits = self
                    .rest
                    .get(..2)
                    .and_then(|hex| std::str::from_utf8(hex).ok());
                match digits.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                    Some(byte) => {
                        self.split(2);
                        Token::Byte(byte)
                    }
                    None => Token::Text(b""),
                }
            }
            b"\n" | b"\r" => Token::Word(b"par", None),
            b"\t" => Token::Word(b"tab", None),
            b"\\" | b"{" | b"}" => Token::Text(symbol),
            _ => Token::Word(symbol, None),
        })
    }

    fn word(&mut self) -> Token<'b> {
        let name = self.while_is(u8::is_ascii_alphabetic);
        let sign = usize::from(self.rest.first() == Some(&b'-'));
        let digits = self.rest[sign..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = if digits > 0 {
            std::str::from_utf8(self.split(sign + digits))
                .ok()
                .and_then(|digits| digits.parse().ok())
        } else {
            None
        };
        if self.rest.first() == Some(&b' ') {
            self.split(1);
        }
        if name == b"bin" {
            // The number counts the binary bytes that follow.
            self.split(number.unwrap_or(0).max(0) as usize);
        }
        Token::Word(name, number)
    }
}

impl<'b> Iterator for Tokens<'b> {
    type Item = Token<'b>;

    fn next(&mut self) -> Option<Token<'b>> {
        Some(match self.rest.first()? {
            b'{' => {
                self.split(1);
                Token::Open
            }
            b'}' => {
                self.split(1);
                Token::Close
            }
            b'\\' => {
                self.split(1);
                self.control()?
            }
            // Line ends of the file are not text.
            b'\r' | b'\n' | 0 => {
                self.split(1);
                Token::Text(b"")
            }
            _ => Token::Text(
                self.while_is(|byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0)),
            ),
        })
    }
}
