//! Checks the written pages of `cuts.md`.

use reprise_text::{ChunkForm, Content, Cutter, normalize};

use crate::oracle::{check_html, normal};

const BOOK: &str = include_str!("cuts.md");

/// A case is a fenced page, followed by fenced lists of its chunks, one list per form.
#[test]
fn written_pages_are_cut_as_written() {
    let mut cases = 0;
    for case in BOOK.split("\n## ").skip(1) {
        let title = case.lines().next().unwrap_or_default();
        let mut fences = case.split("\n```").skip(1).step_by(2);
        let page = fences.next().expect("a case has a page");
        let (language, page) = page.split_once('\n').expect("a fence opens a line");
        let content = match language {
            "html" => Content::Html,
            "text" => Content::Plain,
            other => panic!("{title}: unknown content {other:?}"),
        };
        for list in fences {
            let (form, expected) = list.split_once('\n').expect("a fence opens a line");
            let form: ChunkForm = form.parse().expect("a list names its form");
            assert_eq!(chunks(content, form, page), expected, "{title}: {form}");
        }
        if content == Content::Html {
            check_html(page);
        }
        cases += 1;
    }
    assert!(cases > 12);
}

fn chunks(content: Content, form: ChunkForm, page: &str) -> String {
    let spans = Cutter::new(content, page);
    let chunks = spans.map(|span| normal(content, form, &page[span.start..span.end]));
    let chunks: Vec<_> = chunks.filter(|chunk| !chunk.is_empty()).collect();
    chunks.join("\n")
}

#[test]
fn forms_have_names() {
    assert_eq!("markup".parse(), Ok(ChunkForm::Markup));
    assert_eq!("text".parse(), Ok(ChunkForm::Text));
    let error = "Text".parse::<ChunkForm>().unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown chunk form \"Text\", use one of: markup, text"
    );
    assert_eq!(Content::Html.as_str(), "html");
    assert_eq!(format!("{:>7}", ChunkForm::Text), "   text");
}

#[test]
fn nothing_is_appended_for_an_empty_form() {
    let mut out = String::from("before");
    let measure = normalize(
        Content::Html,
        ChunkForm::Text,
        "<p><!-- no --> &nbsp;",
        &mut out,
    );
    assert_eq!(
        (measure.chars, measure.visible, out.as_str()),
        (0, false, "before")
    );
}
