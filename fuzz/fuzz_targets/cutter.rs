//! Any text is cut into pieces that tile it and have a normal form, in every kind of content; HTML
//! as an independent tokenizer cuts it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reprise_text::{ChunkForm, Content, Cutter, Span};

#[path = "../../crates/reprise-text/tests/it/oracle.rs"]
mod oracle;

fuzz_target!(|page: &str| {
    oracle::check_html(page);
    for content in Content::ALL {
        let spans: Vec<Span> = Cutter::new(content, page).collect();
        oracle::check_pieces(content, page, &spans);
        let markup = oracle::normal(content, ChunkForm::Markup, page);
        assert_eq!(oracle::normal(content, ChunkForm::Markup, &markup), markup);
        oracle::normal(content, ChunkForm::Text, page);
    }
});
