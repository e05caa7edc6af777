//! Markdown: its blocks and markers are undone, and what is left goes the way of HTML, which Markdown
//! may hold anywhere.
//!
//! A reader of our own: pulldown-cmark took 17 s to build on a busy machine, more than all else here, and
//! for plain text the difference should be in corners (emphasis across links, lists in quotes in lists);
//! the two were not compared.

mod inline;

use crate::converter::Work;
use crate::error::ConvertError;
use crate::html;

/// Bytes of a paragraph that are looked at together.
const PARAGRAPH_BYTES_MAX: usize = 64 << 10;

/// Writes the document's text; returns its title: that of the front matter, or its first heading.
pub(crate) fn convert(text: &str, work: &mut Work<'_>) -> Result<Option<String>, ConvertError> {
    let mut blocks = Blocks::default();
    let (front, text) = front_matter(text);
    for line in text.lines() {
        // No line that somebody wrote is as long; the time for one is not to grow with it.
        let mut rest = line;
        while rest.len() > PARAGRAPH_BYTES_MAX {
            let (part, tail) = rest.split_at(rest.floor_char_boundary(PARAGRAPH_BYTES_MAX));
            blocks.line(part);
            blocks.end_paragraph();
            work.clock.check()?;
            rest = tail;
        }
        blocks.line(rest);
        work.clock.tick()?;
    }
    blocks.end_paragraph();
    html::convert(&blocks.html, false, false, work)?;
    let title = front
        .lines()
        .find_map(|line| line.strip_prefix("title:"))
        .map(|title| title.trim().trim_matches(['"', '\'']).to_owned());
    Ok(title.or(blocks.title))
}

/// What stands between two lines `---` at the beginning, and the rest.
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

#[derive(Default)]
struct Blocks {
    html: String,
    /// The paragraph so far, its markers at line beginnings undone.
    paragraph: String,
    /// The fence of the code that is open.
    fence: Option<(u8, usize)>,
    is_table: bool,
    /// The last line was empty.
    is_after_gap: bool,
    /// Within an item: indented text is a paragraph of it, no code.
    is_item: bool,
    title: Option<String>,
}

impl Blocks {
    fn line(&mut self, line: &str) {
        if let Some((mark, length)) = self.fence {
            let end = line.trim();
            if end.len() >= length && end.bytes().all(|byte| byte == mark) {
                self.fence = None;
                self.html.push_str("</pre>");
            } else {
                push_escaped(&mut self.html, line);
                self.html.push('\n');
            }
            return;
        }
        let (line, is_item) = self.without_markers(line);
        if line.trim().is_empty() {
            if is_item {
                self.is_item = true;
            }
            self.end_paragraph();
            self.is_after_gap = true;
            return;
        }
        let is_after_gap = std::mem::take(&mut self.is_after_gap);
        if is_item {
            self.end_paragraph();
            self.is_item = true;
        } else if is_after_gap && !line.starts_with([' ', '\t']) {
            self.is_item = false;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if is_indented && self.paragraph.is_empty() && !self.is_item {
            self.html.push_str("<pre>");
            push_escaped(&mut self.html, line.trim());
            self.html.push_str("</pre>");
            return;
        }
        self.content(line.trim(), line.ends_with("  "));
    }

    /// Undoes quote marks and list markers; says whether an item begins.
    fn without_markers<'l>(&self, mut line: &'l str) -> (&'l str, bool) {
        let mut is_item = false;
        // Each step takes a character at least; deeper nesting than this is no text.
        for _ in 0..16 {
            let start = line.trim_start_matches([' ', '\t']);
            if let Some(rest) = start.strip_prefix('>') {
                line = rest;
            } else if let Some(rest) = without_list_marker(start)
                && (line.len() - start.len() < 4 || self.is_item || is_item)
                && !is_rule(start)
            {
                line = rest;
                is_item = true;
            } else {
                break;
            }
        }
        (line, is_item)
    }

    /// Takes a line without its markers; two spaces at its end break it.
    fn content(&mut self, line: &str, has_break: bool) {
        let mark = line.as_bytes()[0];
        let marks = line.bytes().take_while(|byte| *byte == mark).count();
        if matches!(mark, b'`' | b'~') && marks >= 3 && !line[marks..].contains('`') {
            self.end_paragraph();
            self.fence = Some((mark, marks));
            self.html.push_str("<pre>");
        } else if mark == b'#' && marks <= 6 && line[marks..].starts_with([' ', '\t']) {
            self.end_paragraph();
            let text = line[marks..].trim();
            let bare = text.trim_end_matches('#');
            let text = if bare.is_empty() || bare.ends_with([' ', '\t']) {
                bare
            } else {
                text
            };
            self.paragraph.push_str(text.trim());
            self.heading(marks == 1);
        } else if matches!(mark, b'=' | b'-') && marks == line.len() && !self.paragraph.is_empty() {
            self.heading(mark == b'=');
        } else if is_rule(line) {
            self.end_paragraph();
        } else if is_table_rule(line) && self.paragraph.contains('|') {
            self.is_table = true;
            let head = std::mem::take(&mut self.paragraph);
            self.row(&head);
        } else if self.is_table && line.contains('|') {
            self.row(line);
        } else if self.paragraph.is_empty() && is_definition(line) {
            // Where a link goes is not shown.
        } else {
            if !self.paragraph.is_empty() {
                self.paragraph.push('\n');
            }
            let text = note(line).unwrap_or(line);
            self.paragraph.push_str(text);
            if has_break {
                self.paragraph.push_str("  ");
            }
            if self.paragraph.len() > PARAGRAPH_BYTES_MAX {
                self.end_paragraph();
            }
        }
    }

    fn row(&mut self, line: &str) {
        self.html.push_str("<p>");
        let line = line.trim().trim_start_matches('|');
        for cell in line.trim_end_matches('|').split('|') {
            inline::push(&mut self.html, cell.trim());
            self.html.push('\t');
        }
        self.html.push_str("</p>");
    }

    fn heading(&mut self, is_first_level: bool) {
        let start = self.html.len();
        self.end_paragraph();
        if is_first_level && self.title.is_none() {
            let text = &self.html[start..];
            self.title = Some(text.replace("<p>", "").replace("</p>", ""));
        }
    }

    fn end_paragraph(&mut self) {
        self.is_table = false;
        if !self.paragraph.is_empty() {
            let paragraph = std::mem::take(&mut self.paragraph);
            self.html.push_str("<p>");
            inline::push(&mut self.html, &paragraph);
            self.html.push_str("</p>");
        }
    }
}

fn push_escaped(html: &mut String, text: &str) {
    for char in text.chars() {
        inline::push_char(html, char);
    }
}

/// `- a`, `* a`, `+ a`, `1. a`, `1) a`; boxes of tasks go too.
fn without_list_marker(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match line.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..10).contains(&digits) => digits + 1,
        _ => return None,
    };
    let rest = &line[marker..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let text = rest.trim_start();
    let task = ["[ ] ", "[x] ", "[X] "]
        .into_iter()
        .find_map(|task| text.strip_prefix(task));
    Some(task.unwrap_or(rest))
}

/// `---`, `* * *`, `___`
fn is_rule(line: &str) -> bool {
    let mut marks = line.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let Some(mark @ (b'-' | b'*' | b'_')) = marks.next() else {
        return false;
    };
    let mut count = 1;
    marks.all(|byte| {
        count += 1;
        byte == mark
    }) && count >= 3
}

/// `|---|:-:|`
fn is_table_rule(line: &str) -> bool {
    line.contains('-')
        && line
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// `[name]: address`
fn is_definition(line: &str) -> bool {
    line.starts_with('[')
        && !line.starts_with("[^")
        && line
            .find("]:")
            .is_some_and(|end| !line[..end].contains(']'))
}

/// `[^1]: the text of a note`
fn note(line: &str) -> Option<&str> {
    let (name, text) = line.strip_prefix("[^")?.split_once("]:")?;
    (!name.contains(']')).then_some(text)
}
