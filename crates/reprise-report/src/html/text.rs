//! Makes text from pages safe to look at.
//!
//! The templates escape the characters with a meaning in HTML. This module replaces invisible characters that
//! change how other text looks: a right-to-left override shows `moc.evil` as `live.com`. Visible symbols take
//! their place.

use maud::{Markup, html};

/// The most characters of a value in a line, such as a URL or a name.
const LINE_CHARS: usize = 300;

/// The most characters of a text with several lines.
const BLOCK_CHARS: usize = 1_000;

/// Formats a short value in one line.
pub(crate) fn line(text: &str) -> String {
    one_line(text, LINE_CHARS)
}

/// Formats the beginning of a text in one line, with runs of white space as one space.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    // The text may have megabytes; splitting all of it into words would be slow.
    let front: String = text.chars().take(chars * 8).collect();
    let words: Vec<&str> = front.split_whitespace().collect();
    one_line(&words.join(" "), chars)
}

/// Formats the beginning of a text with its line breaks.
pub(crate) fn block(text: &str) -> String {
    lines(&clip(text, BLOCK_CHARS))
}

/// Formats a whole text with its line breaks and tabs. Windows line breaks become plain ones.
pub(crate) fn lines(text: &str) -> String {
    show(&text.replace("\r\n", "\n"), |c| matches!(c, '\n' | '\t'))
}

/// Renders a URL as text, never as a link. `bdi` prevents right-to-left letters in it from rearranging the text
/// around it.
pub(crate) fn url(text: &str) -> Markup {
    html! { bdi.url { (line(text)) } }
}

/// Formats the name of a site, which is empty for pages without a URL.
pub(crate) fn site(name: &str) -> String {
    if name.is_empty() {
        "(no site)".to_owned()
    } else {
        line(name)
    }
}

fn one_line(text: &str, chars: usize) -> String {
    show(&clip(text, chars), |_| false)
}

fn clip(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

fn show(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_kept(c) => shown.push(c),
            // The symbols for ASCII control characters begin at U+2400, in the same order.
            '\0'..='\u{1f}' => {
                shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9f}' => shown.push('\u{fffd}'),
            c if turns_direction(c) => {
                let name = format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c));
                shown.push_str(&name);
            }
            c => shown.push(c),
        }
    }
    shown
}

fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{block, excerpt, line, lines};

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(
            line("a\u{202e}b\0c\nd\u{7f}\u{9b}"),
            "a⟨U+202E⟩b␀c␊d␡\u{fffd}"
        );
        assert_eq!(lines("a\r\n\tb\rc\u{2066}"), "a\n\tb␍c⟨U+2066⟩");
    }

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(block(&"ä".repeat(1_000)), "ä".repeat(1_000));
        assert_eq!(block(&"ä".repeat(1_001)), format!("{}…", "ä".repeat(1_000)));
        assert_eq!(excerpt(" a \n b  c", 3), "a b…");
        assert_eq!(excerpt("", 3), "");
    }
}
