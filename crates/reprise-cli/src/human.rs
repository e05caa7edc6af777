//! Numbers and foreign text for people. Every command writes them the same way.

use std::borrow::Cow;

pub(crate) use reprise_engine::numbers::{bytes, count, counted, percent};

use reprise_engine::numbers::choose;

/// Writes a number with any noun: 1 match, 2 matches.
pub(crate) fn counted_as(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), choose(number, one, many))
}

/// Writes a duration: 0.4 s, 3 min 5 s, 2 h 10 min.
pub(crate) fn seconds(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// Writes foreign text on one line, without control characters that could change the terminal.
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

/// Returns a foreign text for a line of a list. A long text is cut.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    const CHARS_MAX: usize = 200;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Returns true for characters that change the direction of text.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{one_line, seconds, shortened};

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened("é"), "é");
        let long = "é".repeat(201);
        assert_eq!(shortened(&long), format!("{}…", "é".repeat(200)));
        assert_eq!(shortened(&long[2..]), long[2..]);
    }

    #[test]
    fn figures() {
        assert_eq!(seconds(0.42), "0.4 s");
        assert_eq!(seconds(185.9), "3 min 5 s");
        assert_eq!(seconds(7_800.0), "2 h 10 min");
    }

    #[test]
    fn terminals_are_safe() {
        assert_eq!(
            one_line("a\u{1b}[31mb\r\n\u{202e}c"),
            "a\u{fffd}[31mb\u{fffd}\u{fffd}\u{fffd}c"
        );
    }
}
