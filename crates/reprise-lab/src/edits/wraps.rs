//! Lines that break in other places.

use reprise_text::Content;

use super::Splice;
use super::places::words;
use crate::page::Page;

/// Returns an edit for the white space between each two words: it becomes a line feed, or a space if it contains
/// a line feed.
///
/// Empty lines of plain text stay, because they separate paragraphs.
pub(super) fn wrapped(page: &Page) -> Vec<Splice> {
    let text = page.text();
    let is_html = page.reading().content == Content::Html;
    let mut found = Vec::new();
    let words = words(page);
    for pair in words.windows(2) {
        let gap = pair[0].0.end..pair[1].0.start;
        let between = &text[gap.clone()];
        // White space in markup may be part of a tag.
        if between.contains(['<', '>']) {
            continue;
        }
        let Some(start) = between.find(char::is_whitespace) else {
            continue;
        };
        let space = &between[start..];
        let space = &space[..space.len() - space.trim_start().len()];
        let line_ends = space.replace("\r\n", "\n").matches(['\n', '\r']).count();
        if line_ends > 1 && !is_html {
            continue;
        }
        let start = gap.start + start;
        found.push(Splice {
            span: start..start + space.len(),
            with: if line_ends > 0 { " " } else { "\n" }.to_owned(),
        });
    }
    found
}
