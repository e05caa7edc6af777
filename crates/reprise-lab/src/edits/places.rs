//! Where the words of a page can be edited without touching its markup.

use std::ops::Range;

use reprise_text::Content;

use crate::page::Page;

/// The words of the text that a page shows, in order: where each stands, and its lower-case form.
///
/// A word is left out where another in its place could become markup: `3` in `<3`, `T` in `AT&T`.
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

/// Would a letter behind this text make a tag or a character reference of its end?
fn begins_markup(before: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["<", "</", "<!", "<?", "&", "&#", "&#x"];
    BEGINNINGS.iter().any(|end| before.ends_with(end))
}
