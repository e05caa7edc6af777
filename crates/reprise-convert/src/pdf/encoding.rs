//! The predefined encodings of simple fonts.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// A predefined encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Standard,
    WinAnsi,
    MacRoman,
    Symbol,
}

impl Base {
    pub(super) fn char(self, code: u8) -> Option<char> {
        match self {
            Base::WinAnsi => single_byte(WINDOWS_1252, code),
            Base::MacRoman => single_byte(MACINTOSH, code),
            Base::Standard => standard(code),
            Base::Symbol => symbol(code),
        }
    }
}

fn single_byte(encoding: &'static Encoding, code: u8) -> Option<char> {
    let bytes = [code];
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    text.chars().next().filter(|char| !char.is_control())
}

/// Decodes Adobe's standard encoding: ASCII with different quotes, and the characters below.
fn standard(code: u8) -> Option<char> {
    const HIGH: [(u8, &str); 5] = [
        (0xa1, "¡¢£⁄¥ƒ§¤'“«‹›\u{fb01}\u{fb02}"),
        (0xb1, "–†‡·\u{fffd}¶•‚„”»…‰\u{fffd}¿"),
        (0xc1, "`´ˆ˜¯˘˙¨\u{fffd}˚¸\u{fffd}˝˛ˇ—"),
        (0xe1, "Æ\u{fffd}ª\u{fffd}\u{fffd}\u{fffd}\u{fffd}ŁØŒº"),
        (0xf1, "æ\u{fffd}\u{fffd}\u{fffd}ı\u{fffd}\u{fffd}łøœß"),
    ];
    match code {
        b'\'' => return Some('\u{2019}'),
        b'`' => return Some('\u{2018}'),
        0x20..=0x7e => return Some(char::from(code)),
        _ => {}
    }
    HIGH.iter()
        .find_map(|(first, chars)| {
            let at = code.checked_sub(*first)?;
            chars.chars().nth(usize::from(at))
        })
        .filter(|char| *char != '\u{fffd}')
}

/// Decodes the font Symbol: Greek letters in place of Latin ones, and the most common signs.
fn symbol(code: u8) -> Option<char> {
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    match code {
        b'A'..=b'Z' => UPPER.chars().nth(usize::from(code - b'A')),
        b'a'..=b'z' => LOWER.chars().nth(usize::from(code - b'a')),
        b'-' | 0xbe => Some('−'),
        0x20..=0x7e => Some(char::from(code)),
        0xa3 => Some('≤'),
        0xae => Some('→'),
        0xb0 => Some('°'),
        0xb1 => Some('±'),
        0xb3 => Some('≥'),
        0xb4 => Some('×'),
        0xb7 => Some('•'),
        0xb9 => Some('≠'),
        0xbb => Some('≈'),
        0xbc => Some('…'),
        0xd7 => Some('⋅'),
        _ => None,
    }
}
