//! Marks by what every processor has.

use super::{BYTES, Marker, Marks, NAMES};
use crate::instructions::Portable;
use crate::tokens::NamePrefixes;
use crate::window::{Window, first};

impl Marker for Portable {
    #[inline]
    fn marks(self, bytes: &[u8; BYTES]) -> Marks {
        marks(bytes)
    }
}

#[inline]
fn marks(bytes: &[u8; BYTES]) -> Marks {
    let window = Window::at(bytes, 0);
    let less = window.equal(b'<');
    let mut marks = Marks {
        less,
        greater: window.equal(b'>'),
        matters: 0,
        single_quotes: window.equal(b'\''),
        double_quotes: window.equal(b'"'),
        before_value: window.equal(b'=') | window.equal(b' ') | window.other_white(),
    };
    // The byte before the window may be a `<` too.
    let mut behind_less = less << 1 | 1;
    while let Some(index) = first(behind_less) {
        behind_less &= behind_less - 1;
        let matters = may_matter(bytes[index], bytes[index + 1]);
        marks.matters |= u64::from(matters) << index;
    }
    marks
}

/// Returns true if the bytes behind a `<` may begin anything but a tag that the skimmer can ignore.
#[inline]
fn may_matter(first: u8, second: u8) -> bool {
    static PREFIXES: NamePrefixes = NamePrefixes::new(&NAMES);
    if first.is_ascii_alphabetic() {
        PREFIXES.may_begin(first, second)
    } else {
        first != b'/'
    }
}
