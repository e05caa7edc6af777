//! Markdown (<https://spec.commonmark.org>) with tables, footnotes, task lists and strikethrough.
//!
//! `pulldown-cmark` parses a document. Its events are written as HTML and converted like a page, because
//! Markdown may contain HTML anywhere.
//!
//! The parser cannot be interrupted, so its work is bounded beforehand: it gets parts of at most
//! [`PART_BYTES_MAX`], and no line begins with more than [`MARKER_BYTES_MAX`] of indentation and
//! markers. Without the second bound, lines after deeply nested quotes would take quadratic time: 35 s
//! for 1 MB.

use std::borrow::Cow;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::converter::Work;
use crate::error::ConvertError;
use crate::html;

/// The most bytes that are parsed at once. A construct that spans two parts, such as a fenced code
/// block, is read as two.
const PART_BYTES_MAX: usize = 1 << 20;
/// The most bytes of indentation, quote marks and list markers at the start of a line.
const MARKER_BYTES_MAX: usize = 256;

const EXTENSIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_STRIKETHROUGH);

/// Writes the text of a document. Returns its title: that of the front matter, or else its first
/// heading of level 1.
pub(crate) fn convert(text: &str, work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    let (front, mut rest) = front_matter(text);
    let mut writer = HtmlWriter::default();
    while !rest.is_empty() {
        work.clock.check()?;
        let (part, after) = rest.split_at(part_end(rest));
        for event in Parser::new_ext(&with_bounded_markers(part), EXTENSIONS) {
            work.clock.tick()?;
            writer.event(event);
        }
        rest = after;
    }
    html::convert(&writer.html, false, false, work)?;
    let title = front
        .lines()
        .find_map(|line| line.strip_prefix("title:"))
        .map(|title| title.trim().trim_matches(['"', '\'']).to_owned());
    Ok(title.or(writer.title))
}

/// Splits a document into its front matter, the lines between two lines `---` at the start, and the
/// rest.
fn front_matter(text: &str) -> (&str, &str) {
    let Some(body) = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))
    else {
        return ("", text);
    };
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (&body[..at], &body[at + line.len()..]);
        }
        at += line.len();
    }
    ("", text)
}

/// Returns the end of the first part of a document: before a paragraph if possible, or else before a
/// line.
fn part_end(text: &str) -> usize {
    if text.len() <= PART_BYTES_MAX {
        return text.len();
    }
    let end = text.floor_char_boundary(PART_BYTES_MAX);
    let after = |separator: &str| {
        let at = text[..end].rfind(separator);
        at.map(|at| at + separator.len())
    };
    after("\n\n")
        .or_else(|| after("\n\r\n"))
        .or_else(|| after("\n"))
        .unwrap_or(end)
}

/// Shortens the indentation and the markers of lines that have more than [`MARKER_BYTES_MAX`] of them.
fn with_bounded_markers(text: &str) -> Cow<'_, str> {
    let mut bounded = String::new();
    let mut copied = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((kept, rest)) = excess_markers(line) {
            bounded.push_str(&text[copied..start + kept]);
            bounded.push(' ');
            copied = start + rest;
        }
        start += line.len();
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    bounded.push_str(&text[copied..]);
    Cow::Owned(bounded)
}

/// Returns the end of the markers to keep and the end of all markers, if a line has too many.
fn excess_markers(line: &str) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut at = 0;
    let mut kept = 0;
    loop {
        let rest = &bytes[at..];
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let step = space.count().max(marker_length(rest));
        if step == 0 {
            break;
        }
        at += step;
        if at <= MARKER_BYTES_MAX {
            kept = at;
        }
    }
    (at > MARKER_BYTES_MAX).then_some((kept, at))
}

/// Returns the length of the quote mark or list marker at the start of a line, or 0.
fn marker_length(line: &[u8]) -> usize {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length = match line.get(digits) {
        Some(b'>') if digits == 0 => return 1,
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..10).contains(&digits) => digits + 1,
        _ => return 0,
    };
    match line.get(length) {
        None | Some(b' ' | b'\t' | b'\r' | b'\n') => length,
        Some(_) => 0,
    }
}

/// Writes events as HTML.
#[derive(Default)]
struct HtmlWriter {
    html: String,
    /// The first heading of level 1.
    title: Option<String>,
    /// The heading in `title` has not ended yet.
    is_title: bool,
    /// The number of open images. Their alternative texts are left out.
    images: u32,
}

impl HtmlWriter {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images -= 1,
            _ if self.images > 0 => {}
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.text(&text),
            Event::Html(html) | Event::InlineHtml(html) => self.html.push_str(&html),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => {
                self.html.push_str("<br>");
                self.text("\n");
            }
            Event::Rule => self.html.push_str("<hr>"),
            Event::FootnoteReference(_)
            | Event::TaskListMarker(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if matches!(
            tag,
            Tag::Heading {
                level: HeadingLevel::H1,
                ..
            }
        ) && self.title.is_none()
        {
            self.title = Some(String::new());
            self.is_title = true;
        }
        if let Some(name) = element(tag.to_end()) {
            self.html.extend(["<", name, ">"]);
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if matches!(tag, TagEnd::Heading(_)) {
            self.is_title = false;
        }
        if let Some(name) = element(tag) {
            self.html.extend(["</", name, ">"]);
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_title {
            self.title.get_or_insert_default().push_str(text);
        }
        for part in text.split_inclusive(['<', '&']) {
            let plain = part.trim_end_matches(['<', '&']);
            self.html.push_str(plain);
            match &part[plain.len()..] {
                "<" => self.html.push_str("&lt;"),
                "&" => self.html.push_str("&amp;"),
                _ => {}
            }
        }
    }
}

/// Returns the HTML element of a block. Inline formats do not change plain text and have none.
fn element(tag: TagEnd) -> Option<&'static str> {
    match tag {
        TagEnd::Paragraph | TagEnd::Heading(_) => Some("p"),
        TagEnd::BlockQuote(_) => Some("blockquote"),
        TagEnd::CodeBlock => Some("pre"),
        TagEnd::List(_) => Some("ul"),
        TagEnd::Item => Some("li"),
        TagEnd::FootnoteDefinition => Some("div"),
        TagEnd::Table => Some("table"),
        TagEnd::TableHead | TagEnd::TableRow => Some("tr"),
        TagEnd::TableCell => Some("td"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{MARKER_BYTES_MAX, PART_BYTES_MAX, part_end, with_bounded_markers};

    #[test]
    fn markers_are_bounded_and_text_is_kept() {
        for marker in ["> ", ">", "- ", "*\t", "12) ", " ", "\t", "> - 1. "] {
            for text in ["text\n", "- - text", "> \n", "- \nmore\n"] {
                let few = format!("{}{text}", marker.repeat(3));
                assert_eq!(with_bounded_markers(&few), few);
                let many = format!("before\n{}{text}after", marker.repeat(400));
                let bounded = with_bounded_markers(&many);
                assert!(bounded.len() < MARKER_BYTES_MAX + 40, "{bounded}");
                let words = |text: &str| text.replace(|char: char| !char.is_alphabetic(), "");
                assert_eq!(words(&bounded), words(&many));
            }
        }
        for no_marker in ["-", "1", "*", "1.", "="] {
            let line = format!("{}x", no_marker.repeat(400));
            assert_eq!(with_bounded_markers(&line), line);
        }
    }

    #[test]
    fn parts_end_before_a_paragraph_or_a_line() {
        let long = |unit: &str| unit.repeat(PART_BYTES_MAX);
        assert_eq!(part_end("a\n\nb"), 4);
        assert_eq!(part_end(&(long("a\n\n") + "b")) % 3, 0);
        assert_eq!(part_end(&(long("a\r\n\r\n") + "b")) % 5, 0);
        assert_eq!(part_end(&(long("a\n") + "b")) % 2, 0);
        assert_eq!(part_end(&long("\u{e9}")) % 2, 0);
    }
}
