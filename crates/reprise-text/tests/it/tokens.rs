//! Checks the tokenizer on random and written pages.

use proptest::prelude::*;
use reprise_text::tokens::{Syntax, TokenKind, Tokens};

use crate::random::{config, html};
use crate::token_oracle::check_tokens;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn tokens_agree_with_the_oracle(page in html()) {
        check_tokens(&page);
    }

    #[test]
    fn tokens_of_any_string_agree_with_the_oracle(text in any::<String>()) {
        check_tokens(&text);
    }
}

/// Returns the tokens of a page, one on a line.
fn listed(page: &str, syntax: Syntax) -> String {
    let lines: Vec<String> = Tokens::new(page, syntax)
        .map(|token| match token.kind {
            TokenKind::Start(tag) => format!("<{}>", tag.name()),
            TokenKind::End(tag) => format!("</{}>", tag.name()),
            TokenKind::Text(text) => format!("text {text:?}"),
            TokenKind::RawText { element, text } => format!("{} {text:?}", element.name()),
            TokenKind::CData(text) => format!("cdata {text:?}"),
            TokenKind::Comment => "comment".to_owned(),
            TokenKind::Unfinished => "unfinished".to_owned(),
        })
        .collect();
    lines.join("\n")
}

#[test]
fn noscript_is_raw_text_only_with_scripting() {
    let page = "<noscript><b>&amp;</noscript>";
    assert_eq!(
        listed(page, Syntax::Html),
        "<noscript>\n<b>\ntext \"&amp;\"\n</noscript>"
    );
    assert_eq!(
        listed(page, Syntax::ScriptedHtml),
        "<noscript>\nnoscript \"<b>&amp;\"\n</noscript>"
    );
}

#[test]
fn a_script_within_a_script_counts_only_without_scripting() {
    let page = "<script><!-- <script></script> --></script>";
    assert_eq!(
        listed(page, Syntax::Html),
        "<script>\nscript \"<!-- <script></script> -->\"\n</script>"
    );
    assert_eq!(
        listed(page, Syntax::ScriptedHtml),
        "<script>\nscript \"<!-- <script>\"\n</script>\ntext \" -->\"\n</script>"
    );
}

#[test]
fn xml_has_cdata_sections_and_no_raw_text() {
    let page = "<?xml?><title>a<b/></title><![CDATA[ <p> > ]]]>c<!-- ]]> --><![CDATA[d";
    assert_eq!(
        listed(page, Syntax::Xml),
        "comment\n<title>\ntext \"a\"\n<b>\n</title>\ncdata \" <p> > ]\"\ntext \"c\"\ncomment\ncdata \"d\""
    );
    assert_eq!(
        listed("<![CDATA[>]]>", Syntax::Html),
        "comment\ntext \"]]>\""
    );
}

#[test]
fn a_tag_that_the_text_ends_in_is_unfinished() {
    assert_eq!(listed("a<b c='>'", Syntax::Html), "text \"a\"\nunfinished");
    assert_eq!(listed("a</", Syntax::Html), "text \"a</\"");
}
