//! Two pages side by side.

use std::collections::BTreeSet;
use std::ops::Range;

use reprise_report::{Match, MatchName, render_side_by_side};

use crate::data;

#[test]
fn marks_lead_to_their_partners() {
    let html = render_side_by_side(&data::explanation());
    let ids: BTreeSet<&str> = values(&html, " id=\"").collect();
    let links: Vec<&str> = values(&html, " href=\"#").collect();
    assert_eq!(ids.len(), 7);
    assert_eq!(links.len(), 7);
    assert!(links.iter().all(|link| ids.contains(link)));

    let mut numbers: Vec<&str> = values(&html, "data-number=\"").collect();
    assert_eq!(numbers, ["1", "2", "3", "1", "3", "1", "2"]);
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, ["1", "2", "3"]);
    for part in [
        "3 common passages are marked",
        "4 of 6 chunks (67%) of the page on the left are also on the page on the right, and so are 44 of 62 \
         five-word phrases (71%). The Jaccard similarity of their phrases is 0.494.",
        "3 of 5 chunks (60%)",
        "44 of 71 five-word phrases (62%)",
        "<dd>2024-05-03T10:44:56Z</dd>",
        "<dd>unknown</dd>",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn the_text_stays_whole() {
    let explanation = data::explanation();
    let html = render_side_by_side(&explanation);
    for (side, text) in html
        .split("<div class=\"text\"")
        .skip(1)
        .zip([&explanation.page_text, &explanation.with_text])
    {
        let side = side.split("</div>").next().expect("its end");
        let mut shown = String::new();
        for part in format!("<{side}").split('<').skip(1) {
            shown += part.split_once('>').expect("the end of a tag").1;
        }
        let shown = shown
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"");
        assert_eq!(&shown.replace("&amp;", "&"), text);
    }
}

#[test]
fn runs_of_words_are_marked_too() {
    let mut explanation = data::explanation();
    let text = "Fire in Rome";
    (explanation.page_text, explanation.with_text) = (format!("{text}!"), format!("? {text}"));
    explanation.matches.clear();
    explanation.phrases.matches = vec![Match {
        left: 0..12,
        right: 2..14,
        fingerprint: MatchName::Phrases(0),
    }];
    let html = render_side_by_side(&explanation);
    assert_eq!(html.matches("<mark>Fire in Rome</mark>").count(), 2);
    assert!(html.contains("1 common passage is marked"));
}

#[test]
fn spans_may_lie_anywhere() {
    let mut explanation = data::explanation();
    explanation.page_text = "ä\u{1f525}\r\n<p>ü".to_owned();
    explanation.with_text = String::new();
    let bounds = [0, 1, 2, 3, 5, 7, 8, 12, 13, 99, usize::MAX];
    for start in bounds {
        for end in bounds {
            let span = Range { start, end };
            explanation.matches = vec![
                Match {
                    left: span.clone(),
                    right: 0..0,
                    fingerprint: MatchName::Phrases(0),
                },
                Match {
                    left: 2..6,
                    right: span,
                    fingerprint: MatchName::Phrases(1),
                },
            ];
            assert!(render_side_by_side(&explanation).contains("This page has no text."));
        }
    }
}

#[test]
fn pages_without_common_content_have_no_marks() {
    let mut explanation = data::explanation();
    explanation.matches.clear();
    let html = render_side_by_side(&explanation);
    assert!(html.contains("Nothing is marked"));
    assert!(html.contains("<strong>0%</strong>"));
}

fn values<'a>(html: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(before)
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or(rest))
}
