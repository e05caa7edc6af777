//! Reorders lines of Arabic and Hebrew. They are usually painted from left to right, but read from right
//! to left.
//!
//! Unicode's algorithm computes the painting order from the reading order. For the reverse it is enough
//! to find runs of letters and numbers of one direction.

/// Returns the text of a line in reading order. `parts` are in painting order, with their positions.
pub(super) fn in_reading_order(parts: &[(Box<str>, f64)]) -> String {
    let is_right_to_left = |part: &(Box<str>, f64)| part.0.chars().any(is_right_to_left);
    if !parts.iter().any(is_right_to_left) || is_read_order(parts) {
        return parts.iter().map(|(text, _)| &**text).collect();
    }
    let letters = parts
        .iter()
        .filter(|(text, _)| text.chars().any(char::is_alphabetic))
        .count();
    let right_to_left = parts.iter().filter(|part| is_right_to_left(part)).count();
    let mut parts: Vec<&str> = parts.iter().map(|(text, _)| &**text).collect();
    if right_to_left * 2 >= letters {
        // Read from the right, except for runs that are read from the left.
        parts.reverse();
        reverse_runs(
            &mut parts,
            |char| is_left_to_right(char) || is_joint(char),
            is_left_to_right,
        );
    } else {
        reverse_runs(
            &mut parts,
            |char| !is_left_to_right(char),
            self::is_right_to_left,
        );
    }
    parts.concat()
}

/// Returns true if the right-to-left letters are painted in reading order.
fn is_read_order(parts: &[(Box<str>, f64)]) -> bool {
    let mut forwards = 0_i32;
    for pair in parts.windows(2) {
        let is_letter = |part: &(Box<str>, f64)| part.0.chars().any(is_right_to_left);
        if is_letter(&pair[0]) && is_letter(&pair[1]) {
            forwards += if pair[1].1 > pair[0].1 { 1 } else { -1 };
        }
    }
    forwards < 0
}

/// Reverses each run of parts, from its first to its last core part.
fn reverse_runs(
    parts: &mut [&str],
    may_belong: impl Fn(char) -> bool,
    is_core: impl Fn(char) -> bool,
) {
    let mut at = 0;
    while at < parts.len() {
        if !parts[at].chars().any(&is_core) {
            at += 1;
            continue;
        }
        let length = parts[at..]
            .iter()
            .take_while(|part| part.chars().all(&may_belong))
            .count();
        let run = &mut parts[at..at + length.max(1)];
        let end = run
            .iter()
            .rposition(|part| part.chars().any(&is_core))
            .unwrap_or(0);
        run[..=end].reverse();
        at += length.max(1);
    }
}

/// Returns true for Hebrew, Arabic, Syriac, Thaana, N'Ko, and their presentation forms.
fn is_right_to_left(char: char) -> bool {
    matches!(char, '\u{590}'..='\u{65f}' | '\u{66a}'..='\u{6ef}' | '\u{6fa}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Returns true for letters of other scripts, and for all digits.
fn is_left_to_right(char: char) -> bool {
    char.is_alphanumeric() && !is_right_to_left(char)
}

/// Returns true for characters that join numbers and foreign words.
fn is_joint(char: char) -> bool {
    matches!(char, ' ' | '.' | ',' | ':' | '/' | '-' | '+' | '%')
}

#[cfg(test)]
mod tests {
    use super::in_reading_order;

    fn painted(text: &str) -> Vec<(Box<str>, f64)> {
        let parts = text.chars().enumerate();
        parts
            .map(|(index, char)| (char.to_string().into(), index as f64))
            .collect()
    }

    #[test]
    fn lines_painted_from_the_left_are_reversed() {
        // "shalom 2015 world" in Hebrew, in the order from left to right.
        let seen = "\u{5dd}\u{5dc}\u{5d5}\u{5e2} 2015 \u{5dd}\u{5d5}\u{5dc}\u{5e9}";
        let read = "\u{5e9}\u{5dc}\u{5d5}\u{5dd} 2015 \u{5e2}\u{5d5}\u{5dc}\u{5dd}";
        assert_eq!(in_reading_order(&painted(seen)), read);
        let seen = "The word \u{5dd}\u{5d5}\u{5dc}\u{5e9} is a greeting";
        let read = "The word \u{5e9}\u{5dc}\u{5d5}\u{5dd} is a greeting";
        assert_eq!(in_reading_order(&painted(seen)), read);
    }

    #[test]
    fn lines_painted_in_reading_order_are_kept() {
        let mut parts = painted("\u{5e9}\u{5dc}\u{5d5}\u{5dd}");
        for (index, part) in parts.iter_mut().enumerate() {
            part.1 = -(index as f64);
        }
        assert_eq!(in_reading_order(&parts), "\u{5e9}\u{5dc}\u{5d5}\u{5dd}");
    }
}
