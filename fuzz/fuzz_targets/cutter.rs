//! Cuts and tokenizes any text as every kind of content. Checks that the pieces cover the text without gaps
//! and have a normal form, and that pieces and tokens of HTML equal those of an independent tokenizer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reprise_text::{ChunkForm, Content, Cutter, Span};

#[path = "../../crates/reprise-text/tests/it/oracle.rs"]
mod oracle;
#[path = "../../crates/reprise-text/tests/it/token_oracle.rs"]
mod token_oracle;

fuzz_target!(|page: &str| {
    token_oracle::check_tokens(page);
    oracle::check_html(page);
    for content in Content::ALL {
        let spans: Vec<Span> = Cutter::new(content, page).collect();
        oracle::check_pieces(content, page, &spans);
        let markup = oracle::normal(content, ChunkForm::Markup, page);
        assert_eq!(oracle::normal(content, ChunkForm::Markup, &markup), markup);
        oracle::normal(content, ChunkForm::Text, page);
    }
});
