//! Two invented pages with common content.

use reprise_fingerprint::HashKind;
use reprise_report::{Explanation, Match, MatchName, SharedPhrases, Timestamp};

/// Returns two pages with three paragraphs in common, one of them twice.
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
    for piece in [walls, fire, wind] {
        for (on_left, _) in left.match_indices(piece) {
            for (on_right, _) in right.match_indices(piece) {
                matches.push(Match {
                    left: on_left..on_left + piece.len(),
                    right: on_right..on_right + piece.len(),
                    fingerprint: MatchName::Chunk(HashKind::Sha256.fingerprint(piece.as_bytes())),
                });
            }
        }
    }
    Explanation {
        page: "http://news-mirror.example/rome/fire.html".to_owned(),
        with: "https://history.example/64/fire".to_owned(),
        page_chunks: 6,
        page_shared: 4,
        with_chunks: 5,
        with_shared: 3,
        page_fetched: Some(Timestamp(1_714_733_096_000)),
        with_fetched: None,
        matches,
        phrases: SharedPhrases {
            page: 62,
            with: 71,
            shared: 44,
            similarity: 0.494,
            containment: 0.71,
            matches: Vec::new(),
        },
        page_text: left,
        with_text: right,
    }
}
