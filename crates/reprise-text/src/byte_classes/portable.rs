//! Byte classes on any processor.

use super::{BYTES, ByteClasses, ClassifyBytes, NAMES};
use crate::bytes64::{Bytes64, first};
use crate::instructions::Portable;
use crate::tokens::names::NamePrefixes;

impl ClassifyBytes for Portable {
    #[inline]
    fn classes(self, bytes: &[u8; BYTES]) -> ByteClasses {
        classes(bytes)
    }
}

#[inline]
fn classes(bytes: &[u8; BYTES]) -> ByteClasses {
    let group = Bytes64::at(bytes, 0);
    let less = group.equal(b'<');
    let mut classes = ByteClasses {
        less,
        greater: group.equal(b'>'),
        matters: 0,
        single_quotes: group.equal(b'\''),
        double_quotes: group.equal(b'"'),
        before_value: group.equal(b'=') | group.equal(b' ') | group.other_white(),
    };
    // The byte before the group may be a `<`, so the first byte is classified too.
    let mut behind_less = less << 1 | 1;
    while let Some(index) = first(behind_less) {
        behind_less &= behind_less - 1;
        let matters = may_matter(bytes[index], bytes[index + 1]);
        classes.matters |= u64::from(matters) << index;
    }
    classes
}

/// Returns false if the bytes after a `<` can only begin a tag that the skimmer ignores.
#[inline]
fn may_matter(first: u8, second: u8) -> bool {
    static PREFIXES: NamePrefixes = NamePrefixes::new(&NAMES);
    if first.is_ascii_alphabetic() {
        PREFIXES.may_begin(first, second)
    } else {
        first != b'/'
    }
}
