//! Hashes a piece of bytes to six bits, which are written as one of 64 characters.

const CHARACTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The entry of [`CODES`] for a byte that is not one of the characters.
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

/// Extends the hash of a piece by one byte.
///
/// Only the lowest six bits of a hash are used, and higher bits never affect them. A narrower number
/// gives the same result (see [`extend_narrow`]).
pub(crate) const fn extend(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(PRIME) ^ byte as u32
}

/// Extends the lowest 16 bits of a hash by one byte. Processors do this for eight hashes at once.
pub(crate) const fn extend_narrow(hash: u16, byte: u8) -> u16 {
    hash.wrapping_mul(PRIME as u16) ^ byte as u16
}

/// Returns the character of a piece with this hash.
pub(crate) const fn character(hash: u32) -> u8 {
    CHARACTERS[(hash % 64) as usize]
}

/// Returns the six bits of a character, or `None` if it is not one of the 64.
pub(crate) const fn code(character: u8) -> Option<u8> {
    match CODES[character as usize] {
        NONE => None,
        code => Some(code),
    }
}
