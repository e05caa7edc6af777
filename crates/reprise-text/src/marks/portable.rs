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
    let mut marks = Marks {
        greater: window.equal(b'>'),
        single_quotes: window.equal(b'\''),
        double_quotes: window.equal(b'"'),
        before_value: window.equal(b'=') | window.equal(b' ') | window.other_white(),
        ..Marks::default()
    };
    let mut less = window.equal(b'<');
    while let Some(index) = first(less) {
        less &= less - 1;
        let (is_tag, matters) = classify(bytes[index + 1], bytes[index + 2]);
        marks.tags |= u64::from(is_tag) << index;
        marks.matters |= u64::from(matters) << index;
    }
    marks
}

/// Do these two bytes behind a `<` make it the beginning of a tag, and may it matter?
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "no branches: what follows a `<` has not much of a rule"
)]
fn classify(first: u8, second: u8) -> (bool, bool) {
    let is_end = first == b'/';
    let letter = first.is_ascii_alphabetic();
    let letter_behind = second.is_ascii_alphabetic();
    let is_tag = letter | (is_end & letter_behind);
    let is_comment = (first == b'!') | (first == b'?') | (is_end & !letter_behind);
    (is_tag, is_comment | (letter & may_matter(first, second)))
}

/// May the start tag that begins with these bytes cut or open raw text?
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
    TABLE[usize::from(first % 32)] >> (second % 32) & 1 == 1
}
