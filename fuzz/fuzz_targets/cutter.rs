//! Any text is cut into pieces that tile it and have a normal form, in every kind of content; HTML
//! as an independent tokenizer cuts it, and the same when pieces are known from an earlier page.
//!
//! The input is one page, or two with a form feed and a NUL between them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reprise_text::{ChunkForm, Content, Cutter, Span};

#[path = "../../crates/reprise-text/tests/it/oracle.rs"]
mod oracle;

fuzz_target!(|text: &str| {
    let (earlier, page) = text.split_once("\x0c\0").unwrap_or((text, text));
    oracle::check_html(earlier);
    oracle::check_html(page);
    check_known(earlier, page);
    for content in [Content::Html, Content::Plain, Content::Other] {
        let spans: Vec<Span> = Cutter::new(content, page).collect();
        oracle::check_pieces(content, page, &spans);
        let markup = oracle::normal(content, ChunkForm::Markup, page);
        assert_eq!(oracle::normal(content, ChunkForm::Markup, &markup), markup);
        oracle::normal(content, ChunkForm::Text, page);
    }
});

/// Cuts a page with the pieces of an earlier one. The last piece of a page does not count as
/// known: nothing says that what it leaves open, such as a comment, ends where a cut seems to be.
fn check_known(earlier: &str, page: &str) {
    let mut known: Vec<&str> = pieces(earlier, Cutter::new(Content::Html, earlier).collect());
    known.pop();
    let mut cutter = Cutter::new(Content::Html, page);
    let mut spans = Vec::new();
    loop {
        let rest = &page[cutter.position()..];
        let taken = known
            .iter()
            .filter(|piece| rest.starts_with(**piece))
            .find_map(|piece| cutter.take_known(piece.len(), false));
        match taken.or_else(|| cutter.next()) {
            Some(span) => spans.push(span),
            None => break,
        }
    }
    assert_eq!(
        pieces(page, spans),
        pieces(page, Cutter::new(Content::Html, page).collect())
    );
}

fn pieces(text: &str, spans: Vec<Span>) -> Vec<&str> {
    spans
        .into_iter()
        .map(|span| &text[span.start..span.end])
        .collect()
}
