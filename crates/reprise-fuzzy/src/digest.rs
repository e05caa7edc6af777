//! The digest type and its text form.

use std::error::Error;
use std::fmt::{self, Display, Write};
use std::str::FromStr;

use crate::level::{self, CHARACTERS};
use crate::{alphabet, whole};

/// A fuzzy hash. Its text form is that of ssdeep, `block size:first:second`.
///
/// Computed digests have up to 64 characters in the first part and 32 in the second. Parsed digests may
/// have up to 64 characters in the second part as well, because the library behind ssdeep can write
/// them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    level: u8,
    first: Part,
    second: Part,
}

/// One of the two parts of a digest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    len: u8,
    /// The characters, followed by zeros, so that equal parts are equal bytes.
    characters: [u8; CHARACTERS],
}

/// The reason why a text is not a digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DigestError {
    /// The text does not consist of three fields separated by colons.
    Parts,
    /// The first field is not a block size: 3, 6, 12 and so on up to 3·2³⁰.
    BlockSize,
    /// A part has more than 64 characters.
    TooLong,
    /// A part contains this character, which is not one of the 64 characters of digests.
    Character(char),
}

impl Digest {
    /// Computes the digest of a byte string.
    ///
    /// Input above 192 GiB is accepted, although ssdeep refuses it.
    pub fn of(bytes: &[u8]) -> Self {
        whole::digest(bytes)
    }

    pub(crate) const fn new(level: u8, first: Part, second: Part) -> Self {
        Self {
            level,
            first,
            second,
        }
    }

    /// Returns the block size, 3·2ⁿ: the approximate number of bytes per character of the first part.
    pub const fn block_size(&self) -> u64 {
        level::block_size(self.level)
    }

    /// Returns the first part: one character per piece at the block size.
    pub fn first(&self) -> &str {
        self.first.text()
    }

    /// Returns the second part: one character per piece at twice the block size.
    pub fn second(&self) -> &str {
        self.second.text()
    }

    pub(crate) const fn level(&self) -> u8 {
        self.level
    }

    pub(crate) const fn parts(&self) -> [&Part; 2] {
        [&self.first, &self.second]
    }
}

impl Part {
    pub(crate) const fn new() -> Self {
        Self {
            len: 0,
            characters: [0; CHARACTERS],
        }
    }

    /// Appends the character of a piece with this hash.
    pub(crate) const fn push(&mut self, hash: u32) {
        self.characters[self.len as usize] = alphabet::character(hash);
        self.len += 1;
    }

    pub(crate) fn characters(&self) -> &[u8] {
        &self.characters[..usize::from(self.len)]
    }

    fn text(&self) -> &str {
        str::from_utf8(self.characters()).expect("parts contain only ASCII characters")
    }

    fn parse(text: &str) -> Result<Self, DigestError> {
        let mut part = Self::new();
        for character in text.chars() {
            let code = u8::try_from(character).ok().and_then(alphabet::code);
            let code = code.ok_or(DigestError::Character(character))?;
            if usize::from(part.len) == CHARACTERS {
                return Err(DigestError::TooLong);
            }
            part.push(u32::from(code));
        }
        Ok(part)
    }
}

impl Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}",
            self.block_size(),
            self.first(),
            self.second()
        )
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(")?;
        Display::fmt(self, f)?;
        f.write_char(')')
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let (size, parts) = text.split_once(':').ok_or(DigestError::Parts)?;
        let (first, second) = parts.split_once(':').ok_or(DigestError::Parts)?;
        let digits = size.bytes().all(|byte| byte.is_ascii_digit());
        let size = size.parse().ok().filter(|_| digits);
        let level = size.and_then(level::of_block_size);
        let level = level.ok_or(DigestError::BlockSize)?;
        Ok(Self::new(level, Part::parse(first)?, Part::parse(second)?))
    }
}

impl Display for DigestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts => f.write_str("a digest has the form BLOCK_SIZE:CHARACTERS:CHARACTERS"),
            Self::BlockSize => {
                f.write_str("the block size is not one of 3, 6, 12, ..., 3221225472")
            }
            Self::TooLong => f.write_str("a part of the digest has more than 64 characters"),
            Self::Character(character) => {
                write!(f, "the character {character:?} is not allowed in a digest")
            }
        }
    }
}

impl Error for DigestError {}
