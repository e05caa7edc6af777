//! Figures and foreign text, as people read them.

use std::borrow::Cow;

/// 1234567 as 1,234,567.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 page", "2 pages".
pub(crate) fn counted(number: u64, noun: &str) -> String {
    counted_as(number, noun, &format!("{noun}s"))
}

/// "1 match", "2 matches".
pub(crate) fn counted_as(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", count(number))
}

/// Bytes in the unit that fits.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    let mut value = number as f64;
    let mut unit = "bytes";
    for name in UNITS {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = name;
    }
    if unit == "bytes" {
        format!("{number} bytes")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// Text from an archive in one line, without the control characters by which it could take over a terminal.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || is_bidi_control(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// A foreign text for a line of a list: of a long one its beginning.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    const CHARS_MAX: usize = 200;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Characters that turn the direction of what follows them.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, counted, one_line, shortened};

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened("é"), "é");
        let long = "é".repeat(201);
        assert_eq!(shortened(&long), format!("{}…", "é".repeat(200)));
        assert_eq!(shortened(&long[2..]), long[2..]);
    }

    #[test]
    fn figures() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "page"), "1 page");
        assert_eq!(counted(0, "page"), "0 pages");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1_500_000), "1.5 MB");
    }

    #[test]
    fn terminals_are_safe() {
        assert_eq!(
            one_line("a\u{1b}[31mb\r\n\u{202e}c"),
            "a\u{fffd}[31mb\u{fffd}\u{fffd}\u{fffd}c"
        );
    }
}
