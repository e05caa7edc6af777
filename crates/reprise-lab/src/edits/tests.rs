//! Edits of small pages, and properties of all edits.

use proptest::prelude::*;
use reprise_convert::Format;
use reprise_text::Content;
use reprise_text::tokens::{Syntax, TokenKind, Tokens};

use super::{EditKind, Edits};
use crate::page::{Page, Reading};
use crate::vocabulary::Vocabulary;

const HTML: &str = "<!DOCTYPE html><title>The &amp; title</title><body class=\"one two\"><!-- not me --><h1>Head line</h1>\n\
    <div><p>First paragraph of <a href=\"/a.html\" title='not me'>some</a> words, caf&eacute; &lt;3 AT&T\n\
    <p>Second <img src=b.png alt=\"nor me\">paragraph goes on</p><ul><li>one item<li>two items</ul></div>\
    <script>var not = 'me';</script><a href='#top'>top</a> <a href=\"http://x.example/y\">out</a>";

const PLAIN: &str =
    "First line\nof a paragraph.\n\nSecond one, see http://x.example/y now.\n\n\nThird and last";

fn page(content: Content, text: &str) -> Page {
    let format = match content {
        Content::Html => Format::Html,
        _ => Format::Text,
    };
    Page::new(Reading { content, format }, text.to_owned())
}

fn html(text: &str) -> Page {
    page(Content::Html, text)
}

fn vocabulary() -> Vocabulary {
    Vocabulary::of([])
}

/// Returns all versions of a page, from no edits to all edits.
fn versions(page: &Page, kind: EditKind, seed: u64) -> Vec<String> {
    let vocabulary = vocabulary();
    let edits = Edits::of(page, kind, &vocabulary, "page", seed);
    (0..=edits.len())
        .map(|count| edits.apply(count).text().to_owned())
        .collect()
}

fn last(page: &Page, kind: EditKind) -> String {
    versions(page, kind, 7).pop().unwrap_or_default()
}

fn words(page: &Page) -> Vec<String> {
    let mut words = Vec::new();
    page.each_word(|_, word| words.push(word.to_owned()));
    words
}

/// Returns the tags of a page.
fn tags(text: &str) -> Vec<String> {
    Tokens::new(text, Syntax::ScriptedHtml)
        .filter(|token| matches!(token.kind, TokenKind::Start(_) | TokenKind::End(_)))
        .map(|token| format!("{:?}", token.kind))
        .collect()
}

#[test]
fn words_are_replaced_in_text_only() {
    let page = html(HTML);
    let all = last(&page, EditKind::Replace);
    assert_eq!(tags(&all), tags(HTML));
    assert!(
        all.contains("<!-- not me -->")
            && all.contains("var not = 'me';")
            && all.contains("title='not me'")
    );
    let (before, after) = (words(&page), words(&html(&all)));
    assert_eq!(before.len(), after.len());
    // The T in AT&T follows an ampersand and stays. The 3 in &lt;3 follows a complete reference.
    let same = before.iter().zip(&after).filter(|(a, b)| a == b).count();
    assert_eq!(same, 1, "{all}");
    assert_eq!(versions(&page, EditKind::Replace, 7).len(), before.len());
}

#[test]
fn words_are_inserted_and_deleted() {
    let page = html(HTML);
    let count = words(&page).len();
    let all = last(&page, EditKind::Insert);
    assert_eq!(tags(&all), tags(HTML));
    assert_eq!(words(&html(&all)).len(), 2 * count - 1);
    let all = last(&page, EditKind::Delete);
    assert_eq!(tags(&all), tags(HTML));
    assert_eq!(words(&html(&all)), ["t"]);
    assert_eq!(last(&html("<p>one two three"), EditKind::Delete), "<p> ");
}

#[test]
fn moves_keep_all_paragraphs() {
    let page = html(HTML);
    let versions = versions(&page, EditKind::Move, 3);
    // A heading, two paragraphs, two items.
    assert_eq!(versions.len(), 6);
    let pieces = [
        "<h1>Head line</h1>",
        "<p>First paragraph",
        "<p>Second <img src=b.png alt=\"nor me\">paragraph goes on</p>",
        "<li>one item",
        "<li>two items",
    ];
    for pair in versions.windows(2) {
        assert_ne!(pair[0], pair[1], "a move changes the text");
        assert_eq!(pair[0].len(), pair[1].len());
        assert!(
            pieces.iter().all(|piece| pair[1].contains(piece)),
            "{}",
            pair[1]
        );
    }
    assert_eq!(last(&html("<p>only one"), EditKind::Move), "<p>only one");
    assert_eq!(last(&html("<p>a</p><p>b</p>"), EditKind::Move).len(), 16);
}

#[test]
fn paragraphs_of_plain_text_stay_paragraphs() {
    let page = page(Content::Plain, PLAIN);
    let chunks = |text: &str| {
        let mut chunks: Vec<String> = page
            .with_text(text.to_owned())
            .chunks(reprise_text::ChunkForm::Text, 1)
            .into_iter()
            .map(|chunk| chunk.normal)
            .collect();
        chunks.sort();
        chunks
    };
    let versions = versions(&page, EditKind::Move, 1);
    assert_eq!(versions.len(), 4);
    for version in &versions {
        assert_eq!(chunks(version), chunks(PLAIN));
    }
}

#[test]
fn links_get_another_host() {
    let all = last(&html(HTML), EditKind::Link);
    for link in [
        "href=\"https://copy.example/a.html\"",
        "src=https://copy.example/b.png",
        "href=\"https://copy.example/y\"",
        "href='#top'",
    ] {
        assert!(all.contains(link), "{all}");
    }
    assert_eq!(words(&html(&all)), words(&html(HTML)));
    let plain = last(&page(Content::Plain, PLAIN), EditKind::Link);
    assert!(plain.contains("see https://copy.example/y now"));
}

#[test]
fn letters_become_look_alikes() {
    let all = last(
        &html("<p class=ace>Ace &eacute; &copy 7</p>"),
        EditKind::LookAlike,
    );
    assert_eq!(
        all,
        "<p class=ace>\u{410}\u{441}\u{435} &eacute; &copy 7</p>"
    );
    assert_eq!(versions(&html("東京"), EditKind::LookAlike, 1).len(), 1);
}

#[test]
fn line_breaks_and_spaces_are_exchanged() {
    assert_eq!(
        last(&page(Content::Plain, "a b\nc\n\nd, e\r\nf"), EditKind::Wrap),
        "a\nb c\n\nd,\ne f"
    );
    assert_eq!(
        last(&html("<p title='a b'>a b <b>c</b>\n\n d e"), EditKind::Wrap),
        "<p title='a b'>a\nb <b>c</b>\n\n d\ne"
    );
}

#[test]
fn names_are_parsed() {
    for kind in EditKind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
    let error = "wreck".parse::<EditKind>().unwrap_err().to_string();
    assert!(
        error.contains("wreck") && error.contains("look-alike"),
        "{error}"
    );
}

/// Generates pages from parts that are easy to handle wrongly.
fn any_page() -> impl Strategy<Value = Page> {
    let parts = prop::sample::select(vec![
        "word",
        "two words",
        " ",
        "\n",
        "\n\n",
        "<p>",
        "</p>",
        "<div class='x y'>",
        "</div>",
        "<li>",
        "<b>",
        "</b>",
        "&amp;",
        "&",
        "<",
        "&#",
        "&copy",
        "&#x41;",
        "<a href='/x'>",
        "</a>",
        "<!-- no -->",
        "<script>no</script>",
        "東京",
        "é",
        "3",
        "<img src=//a.example/b>",
        "<pre>",
        "</pre>",
        "http://a.example/",
        "\r\n",
        "\u{a0}",
        "<h1",
    ]);
    let parts = prop::collection::vec(parts, 0..40);
    (parts, any::<bool>()).prop_map(|(parts, is_html)| {
        let content = if is_html {
            Content::Html
        } else {
            Content::Plain
        };
        page(content, &parts.concat())
    })
}

proptest! {
    #[test]
    fn no_page_breaks_an_edit(page in any_page(), seed: u64) {
        let is_html = page.reading().content == Content::Html;
        for kind in EditKind::ALL {
            let versions = versions(&page, kind, seed);
            prop_assert_eq!(&versions[0], page.text());
            prop_assert_eq!(&super::tests::versions(&page, kind, seed), &versions);
            // Moves can cancel each other, and equal paragraphs can change places.
            for version in versions[1..].iter().filter(|_| kind != EditKind::Move) {
                prop_assert_ne!(version, page.text(), "{}", kind);
            }
            let is_in_text = !matches!(kind, EditKind::Move | EditKind::Link);
            if is_html && is_in_text {
                let all = versions.last().expect("the first version is the page itself");
                prop_assert_eq!(tags(all), tags(page.text()), "{} {:?}", kind, all);
            }
        }
    }

    #[test]
    fn wraps_keep_all_words(page in any_page(), seed: u64) {
        for version in versions(&page, EditKind::Wrap, seed) {
            prop_assert_eq!(words(&page.with_text(version)), words(&page));
        }
    }

    #[test]
    fn replacing_keeps_the_number_of_words(text in "([a-z]{1,6}[ ,.\n]{1,2}){1,30}", seed: u64) {
        let page = page(Content::Plain, &text);
        let expected = words(&page);
        for (count, version) in versions(&page, EditKind::Replace, seed).into_iter().enumerate() {
            let found = words(&page.with_text(version));
            prop_assert_eq!(found.len(), expected.len());
            let changed = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
            prop_assert_eq!(changed, count);
        }
    }
}
