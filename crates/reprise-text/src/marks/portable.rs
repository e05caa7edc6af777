//! Marks by what every processor has.

use super::{BYTES, Marker, Marks};
use crate::instructions::Portable;
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

/// May what begins with these bytes be anything but a tag that neither cuts nor opens raw text?
#[inline]
fn may_matter(first: u8, second: u8) -> bool {
    const NAMES: [&[u8; 2]; 16] = [
        b"p ", b"p\n", b"p\t", b"p\r", b"p\x0c", b"p/", b"p>", b"pl", b"di", b"sc", b"st", b"ti",
        b"te", b"if", b"no", b"xm",
    ];
    // One bit for each pair of first and second byte, of which the lowest five bits count.
    const TABLE: [u32; 32] = {
        let mut table = [0; 32];
        let mut at = 0;
        while at < NAMES.len() {
            let [first, second] = *NAMES[at];
            table[(first % 32) as usize] |= 1 << (second % 32);
            at += 1;
        }
        table
    };
    if first.is_ascii_alphabetic() {
        TABLE[usize::from(first % 32)] >> (second % 32) & 1 == 1
    } else {
        first != b'/'
    }
}
