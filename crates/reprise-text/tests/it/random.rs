//! Checks random texts, made of fragments that are difficult to tokenize.

use proptest::prelude::*;
use reprise_text::{ChunkForm, Content, Cutter, Span};

use crate::oracle::{check_html, check_pieces, folded_markup, normal};

const FRAGMENTS: &[&str] = &[
    "<",
    ">",
    "\"",
    "'",
    "=",
    "/",
    "!",
    "-",
    "--",
    "[",
    " ",
    "\n",
    "\t",
    "\r",
    "\r\n",
    "\x0c",
    "\x0b",
    "a",
    "x",
    "p",
    "P",
    "div",
    "DIV",
    "pre",
    "script",
    "Script",
    "style",
    "textarea",
    "title",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "svg",
    "math",
    "template",
    "b",
    "td",
    "<p",
    "<P",
    "<p>",
    "<div",
    "<div>",
    "</p>",
    "<a ",
    "<b>",
    "</b>",
    "<td>",
    "</",
    "/>",
    "<p a=",
    "<br/>",
    " a=\"",
    " b='",
    "=\"",
    "\" ",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!",
    "<?",
    "?>",
    "<!DOCTYPE",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "<script",
    "</script",
    "<SCRIPT ",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<title>",
    "</title>",
    "</title ",
    "<xmp>",
    "</xmp>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "<a href=",
    "<iframe src=",
    "</iframe>",
    "&",
    "&amp",
    "&amp;",
    "&lt;",
    "&notit;",
    "&not",
    "&nbsp;",
    "&#",
    "&#x",
    "&#x80;",
    "&#0;",
    "&#128",
    "&#xD800;",
    "&#x110000;",
    "&#99999999999;",
    ";",
    "#",
    "1",
    "é",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "\u{3000}",
    "\u{2003}",
    "\u{85}",
    "字",
    "word",
    LONG_SPACE,
    LONG_WORD,
    " title=\"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i\"",
];

/// Longer than the 64 bytes that are processed at once.
const LONG_SPACE: &str =
    "\n                                                                        ";
const LONG_WORD: &str = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr";

/// Fragments that are difficult within scripts.
const SCRIPT: &[&str] = &[
    "<!--",
    "-->",
    "--",
    "-",
    ">",
    "<",
    "/",
    "!",
    " ",
    "x",
    "<script",
    "</script",
    "<SCRIPT>",
    "</Script ",
    "<scripts>",
    "</scripts>",
    "<p>",
];
/// Fragments that are difficult within tags.
const TAG: &[&str] = &[
    "a", "b", "=", "=", "\"", "\"", "'", "'", " ", "\n", "/", "<p>", "<", "x=y", " c=\"d\"",
    " e='f'", LONG_WORD,
];

fn concat(fragments: &'static [&'static str], count: usize) -> impl Strategy<Value = String> {
    let fragment = proptest::sample::select(fragments);
    proptest::collection::vec(fragment, 0..count).prop_map(|fragments| fragments.concat())
}

pub(crate) fn html() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => concat(FRAGMENTS, 60),
        1 => concat(SCRIPT, 16).prop_map(|inside| format!("<script>{inside}</script>a<p>b")),
        1 => concat(TAG, 12).prop_map(|inside| format!("<p{inside}>a<p>b")),
        1 => (concat(FRAGMENTS, 20), filler(), concat(FRAGMENTS, 20))
            .prop_map(|(before, filler, after)| before + &filler + &after),
    ]
}

/// Generates text about as long as the 4,096 bytes that the skimmer runs ahead.
fn filler() -> impl Strategy<Value = String> {
    let fragment = proptest::sample::select(&["x", "<b>", "a='b", "\"", "<", "<p>", "é "][..]);
    (fragment, 3900_usize..4300).prop_map(|(fragment, length)| {
        let count = length / fragment.len();
        fragment.repeat(count)
    })
}

fn cut(content: Content, text: &str) -> Vec<Span> {
    Cutter::new(content, text).collect()
}

/// Returns the configuration of the tests. `PROPTEST_CASES` sets the number of cases.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 8 * ProptestConfig::default().cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn html_agrees_with_the_oracle(page in html()) {
        check_html(&page);
    }

    #[test]
    fn a_piece_does_not_depend_on_text_before_it(page in html()) {
        let spans = cut(Content::Html, &page);
        for (index, span) in spans.iter().enumerate().skip(1) {
            let moved = cut(Content::Html, &page[span.start..]).into_iter().map(|later| Span {
                start: later.start + span.start,
                end: later.end + span.start,
            });
            prop_assert_eq!(moved.collect::<Vec<_>>(), &spans[index..]);
            prop_assert_eq!(cut(Content::Html, &page[span.start..span.end]).len(), 1);
        }
    }

    #[test]
    fn markup_form_is_its_own_normal_form(page in html()) {
        let once = normal(Content::Html, ChunkForm::Markup, &page);
        prop_assert_eq!(normal(Content::Html, ChunkForm::Markup, &once), once);
    }

    #[test]
    fn any_string_is_cut_and_folded(text in any::<String>()) {
        check_html(&text);
    }

    #[test]
    fn plain_text_is_cut_at_blank_lines(text in "[a\u{e9}\u{a0} \t\r\n\x0b\x0c\u{2028}\u{feff}]{0,60}") {
        let spans = cut(Content::Plain, &text);
        check_pieces(Content::Plain, &text, &spans);
        let pieces: Vec<_> = spans.iter().map(|span| &text[span.start..span.end]).collect();
        prop_assert_eq!(pieces, plain_pieces(&text));
    }

    #[test]
    fn other_text_is_one_piece(text in "[a\u{e9}\u{a0} <p>\r\n\u{feff}]{0,20}") {
        let spans = cut(Content::Other, &text);
        check_pieces(Content::Other, &text, &spans);
        prop_assert!(spans.len() <= 1);
        let folded = normal(Content::Other, ChunkForm::Text, &text);
        prop_assert_eq!(folded, text.split_whitespace().collect::<Vec<_>>().join(" "));
        prop_assert_eq!(normal(Content::Other, ChunkForm::Markup, &text), folded_markup(&text));
    }
}

/// Returns the pieces of plain text, found line by line.
fn plain_pieces(text: &str) -> Vec<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    // A private-use character behind each line end marks where to split.
    let marked = body.replace('\n', "\n\u{e000}").replace('\r', "\r\u{e000}");
    let marked = marked.replace("\r\u{e000}\n", "\r\n");
    let mut pieces = vec![String::new()];
    let mut previous = "";
    for line in marked.split('\u{e000}') {
        let last = pieces.last_mut().expect("never empty");
        let begins = !line.trim().is_empty() && previous.trim().is_empty();
        if begins && !last.trim().is_empty() {
            pieces.push(line.to_owned());
        } else {
            last.push_str(line);
        }
        previous = line;
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}
