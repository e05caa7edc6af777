//! Invented data: two pages and what they share.

use reprise_report::{Explanation, Match, Side};

/// Two pages with three paragraphs in common, one of them twice.
pub(crate) fn explanation() -> Explanation {
    let fire = "<p>The fire of the year 64 began in the shops by the circus, \
                where goods that burn easily were stored.\n";
    let wind = "<p>A strong wind carried it along the whole length of the circus before noon.\n";
    let walls = "<div class=\"note\">No walls, no temples, nothing stood in its way.</div>\n";
    let left = format!(
        "<!DOCTYPE html>\n<title>Rome in flames</title>\n<h1>Rome in flames</h1>\n\t<p>By our own correspondent.\n{fire}{wind}\
         <p>Read more in our archive.\n{walls}{fire}<p>Comments (0)\n"
    );
    let right = format!(
        "<!DOCTYPE html>\n<title>The great fire</title>\n<h1>The great fire</h1>\n{walls}<p>First published in 2019.\n{fire}\
         <p>An aside that only stands here, on the streets and how narrow they were, and why nobody \
         could pass with water.\n{wind}<p>Sources: Tacitus.\n"
    );
    let mut matches = Vec::new();
    for (number, piece) in [walls, fire, wind].iter().enumerate() {
        for (on_left, _) in left.match_indices(piece) {
            for (on_right, _) in right.match_indices(piece) {
                matches.push(Match {
                    left: on_left..on_left + piece.len(),
                    right: on_right..on_right + piece.len(),
                    fingerprint: format!("{number:040x}"),
                });
            }
        }
    }
    let side = |name: &str, fetched: &str, text: String| Side {
        name: name.to_owned(),
        facts: vec![
            ("fetched".to_owned(), fetched.to_owned()),
            ("contains".to_owned(), "0.67 (4 of 6 chunks)".to_owned()),
        ],
        text,
    };
    Explanation {
        title: "What news-mirror.example has of history.example".to_owned(),
        left: side("http://news-mirror.example/rome/fire.html", "2024-05-03", left),
        right: side("https://history.example/64/fire", "2021-11-20", right),
        matches,
        summary: "4 of 6 chunks of the page on the left are also on the page on the right, which was fetched first.".to_owned(),
    }
}
