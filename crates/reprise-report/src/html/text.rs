//! Text that pages wrote, made safe to look at.
//!
//! The templates escape what HTML would interpret. Left are the characters that are not seen but
//! steer what is seen: a right-to-left override makes `moc.live` read as an honest address. They
//! are replaced by something that shows.

use maud::{Markup, html};

/// Longest value that stands in a line: a URL, a name.
const LINE_CHARS: usize = 300;

/// Longest text that stands in a block of its own.
const BLOCK_CHARS: usize = 1_000;

/// A short value in one line.
pub(crate) fn line(text: &str) -> String {
    one_line(text, LINE_CHARS)
}

/// The beginning of a text in one line, white space folded.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    // Far more than `chars` characters are never looked at: the text may be megabytes.
    let front: String = text.chars().take(chars * 8).collect();
    let words: Vec<&str> = front.split_whitespace().collect();
    one_line(&words.join(" "), chars)
}

/// A text with its lines, clipped.
pub(crate) fn block(text: &str) -> String {
    lines(&clip(text, BLOCK_CHARS))
}

/// A text with its lines, all of it.
///
/// Tabs stay, since page sources are full of them and they only move what follows to the right;
/// the line end of Windows becomes a plain one.
pub(crate) fn lines(text: &str) -> String {
    show(&text.replace("\r\n", "\n"), |c| matches!(c, '\n' | '\t'))
}

/// A URL from a page: text, never a link. `bdi` keeps right-to-left letters in it from
/// rearranging what stands beside it.
pub(crate) fn url(text: &str) -> Markup {
    html! { bdi.url { (line(text)) } }
}

/// The name of a site; pages without a URL have none.
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
            // Unicode has a picture for each control character of ASCII, in their order.
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
    fn what_steers_is_shown() {
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
