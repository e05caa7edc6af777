//! Compares tag names fast.

use crate::tokens::rules::ends_name;

/// Packs a name of at most eight letters into a number, in either case. Names that are longer or
/// contain other characters never equal the number of a name of letters.
pub(crate) const fn packed(name: &[u8]) -> u64 {
    pack(name).0
}

/// Packs the name at the start of a tag. Returns the number and the length of the name.
#[inline]
pub(crate) const fn pack(tag: &[u8]) -> (u64, usize) {
    let mut word: u64 = 0;
    let mut at = 0;
    while at < tag.len() && !ends_name(tag[at]) {
        // The bit 0x20 turns letters into lower case, and turns no other byte into a letter.
        word = word << 8 | (tag[at] | 0x20) as u64;
        at += 1;
    }
    (if at > 8 { 0 } else { word }, at)
}

/// Joins two lists of names into one of length `N`.
pub(crate) const fn joined<const N: usize>(
    left: &[&'static [u8]],
    right: &[&'static [u8]],
) -> [&'static [u8]; N] {
    assert!(
        left.len() + right.len() == N,
        "N is the length of both lists"
    );
    let mut names: [&[u8]; N] = [b""; N];
    let mut at = 0;
    while at < N {
        names[at] = if at < left.len() {
            left[at]
        } else {
            right[at - left.len()]
        };
        at += 1;
    }
    names
}

/// The first two bytes of some tag names, in either case.
///
/// Code that skims markup needs to decide by two bytes whether it can ignore a tag. The set contains
/// all first two bytes of the names, and a few more. A name of one letter is followed by a byte that
/// ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamePrefixes {
    /// For the lowest five bits of the first byte, one bit for the lowest five bits of the second.
    table: [u32; 32],
}

impl NamePrefixes {
    pub(crate) const fn new(names: &[&[u8]]) -> Self {
        let mut table = [0; 32];
        let mut first = b'a';
        while first <= b'z' {
            let mut second = 0;
            while second < 128 {
                if begins_any(names, first, second) {
                    table[(first % 32) as usize] |= 1 << (second % 32);
                }
                second += 1;
            }
            first += 1;
        }
        Self { table }
    }

    /// Returns true if one of the names may begin with these bytes, of which the first is a letter.
    #[inline]
    pub(crate) const fn may_begin(&self, first: u8, second: u8) -> bool {
        self.table[(first % 32) as usize] >> (second % 32) & 1 == 1
    }
}

/// Returns true if one of the names begins with these bytes, in either case.
pub(crate) const fn begins_any(names: &[&[u8]], first: u8, second: u8) -> bool {
    let mut at = 0;
    while at < names.len() {
        let begins = match names[at] {
            [letter] => first.eq_ignore_ascii_case(letter) && ends_name(second),
            [letter, next, ..] => {
                first.eq_ignore_ascii_case(letter) && second.eq_ignore_ascii_case(next)
            }
            [] => false,
        };
        if begins {
            return true;
        }
        at += 1;
    }
    false
}
