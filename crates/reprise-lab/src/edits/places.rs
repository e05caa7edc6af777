//! The words of a page that can be edited without changing its markup.

use std::ops::Range;

use reprise_text::Content;

use crate::page::Page;

/// Returns the visible words of a page in order: the span of each and its lower-case form.
///
/// A word is left out if a replacement could become markup: `3` in `<3`, `T` in `AT&T`.
pub(super) fn words(page: &Page) -> Vec<(Range<usize>, String)> {
    let text = page.text();
    let is_html = page.reading().content == Content::Html;
    let mut found = Vec::new();
    page.each_word(|span, word| {
        if !(is_html && begins_markup(&text[..span.start])) {
            found.push((span, word.to_owned()));
        }
    });
    found
}

/// Returns true if a letter after this text could complete a tag or a character reference.
fn begins_markup(before: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["<", "</", "<!", "<?", "&", "&#", "&#x"];
    BEGINNINGS.iter().any(|end| before.ends_with(end))
}
