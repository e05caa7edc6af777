//! What a piece of bytes becomes: six bits, written as one of 64 characters.

const CHARACTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What [`CODES`] holds for a byte that is none of the characters.
const NONE: u8 = 64;

const CODES: [u8; 256] = {
    let mut codes = [NONE; 256];
    let mut code = 0;
    while code < CHARACTERS.len() {
        codes[CHARACTERS[code] as usize] = code as u8;
        code += 1;
    }
    codes
};

/// The hash of an empty piece.
pub(crate) const EMPTY_PIECE: u32 = 0x2802_1967;

const PRIME: u32 = 0x0100_0193;

/// The hash of a piece with one more byte.
///
/// Only the lowest six bits are ever looked at, and no higher bit reaches them; so a narrower
/// number does as well (see [`extend_narrow`]).
pub(crate) const fn extend(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(PRIME) ^ byte as u32
}

/// As [`extend`], for 16 of the bits, of which a processor multiplies eight at once.
pub(crate) const fn extend_narrow(hash: u16, byte: u8) -> u16 {
    hash.wrapping_mul(PRIME as u16) ^ byte as u16
}

/// The character that stands for a piece.
pub(crate) const fn character(hash: u32) -> u8 {
    CHARACTERS[(hash % 64) as usize]
}

/// The six bits a character stands for, or nothing when it is none of the 64.
pub(crate) const fn code(character: u8) -> Option<u8> {
    match CODES[character as usize] {
        NONE => None,
        code => Some(code),
    }
}
