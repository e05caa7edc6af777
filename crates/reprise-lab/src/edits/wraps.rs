//! Lines that are wrapped in other places.

use reprise_text::Content;

use super::Splice;
use super::places::words;
use crate::page::Page;

/// The white space between every two words, made a line feed; or a space, where there was a line feed.
///
/// An empty line between paragraphs of plain text stays: without it, or with another, they would be other
/// paragraphs.
pub(super) fn wrapped(page: &Page) -> Vec<Splice> {
    let text = page.text();
    let is_html = page.reading().content == Content::Html;
    let mut found = Vec::new();
    let words = words(page);
    for pair in words.windows(2) {
        let gap = pair[0].0.end..pair[1].0.start;
        let between = &text[gap.clone()];
        // Markup between two words is no place to wrap: white space there may be within a tag.
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
