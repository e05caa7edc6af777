//! Two texts side by side.

use std::collections::BTreeSet;
use std::ops::Range;

use reprise_report::{Match, render_side_by_side};

use crate::two_texts;

#[test]
fn marks_lead_to_their_partners() {
    let html = render_side_by_side(&two_texts::explanation());
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
    assert!(html.contains("3 chunks in common"));
}

#[test]
fn the_text_stays_whole() {
    let explanation = two_texts::explanation();
    let html = render_side_by_side(&explanation);
    for (side, text) in html
        .split("<div class=\"text\"")
        .skip(1)
        .zip([&explanation.left.text, &explanation.right.text])
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
fn spans_may_lie_anywhere() {
    let mut explanation = two_texts::explanation();
    explanation.left.text = "ä\u{1f525}\r\n<p>ü".to_owned();
    explanation.right.text = String::new();
    let bounds = [0, 1, 2, 3, 5, 7, 8, 12, 13, 99, usize::MAX];
    for start in bounds {
        for end in bounds {
            let span = Range { start, end };
            explanation.matches = vec![
                Match {
                    left: span.clone(),
                    right: 0..0,
                    fingerprint: String::new(),
                },
                Match {
                    left: 2..6,
                    right: span,
                    fingerprint: "f".to_owned(),
                },
            ];
            assert!(render_side_by_side(&explanation).contains("There is no text on this side."));
        }
    }
}

#[test]
fn nothing_in_common_is_said() {
    let mut explanation = two_texts::explanation();
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
