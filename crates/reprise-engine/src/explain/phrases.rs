//! The phrases that two pages share.

use std::collections::BTreeMap;
use std::ops::Range;

use reprise_report::results::{Match, MatchName};
use reprise_shingle::{Overlap, PHRASE_WORDS, Shingler, word_fingerprint, words};
use reprise_text::visible_runs_in_page;

use crate::archives::PageCopy;

/// The words of a page.
struct Words {
    spans: Vec<Range<usize>>,
    tokens: Vec<u64>,
    phrases: Vec<u64>,
}

impl Words {
    fn of(page: &PageCopy) -> Words {
        let mut shingler = Shingler::new();
        let mut spans = Vec::new();
        if let Some(content) = page.content {
            visible_runs_in_page(content, &page.text, |run| {
                words(run.text, |span, word| {
                    spans.push(run.in_page(span));
                    shingler.add_token(word_fingerprint(word));
                });
            });
        }
        Words {
            spans,
            tokens: shingler.tokens().to_vec(),
            phrases: shingler.phrases().to_vec(),
        }
    }

    fn set(&self) -> Vec<u64> {
        let mut set = self.phrases.clone();
        set.sort_unstable();
        set.dedup();
        set
    }
}

/// A run of words that both pages have.
struct Run {
    left: usize,
    right: usize,
    length: usize,
}

/// Finds the phrases that two pages share. Words in the shared `chunks` are excluded from the matches, but
/// not from the counts.
pub(super) fn shared_phrases(
    left: &PageCopy,
    right: &PageCopy,
    chunks: &[Match],
) -> (Vec<Match>, Overlap) {
    let (left, right) = (Words::of(left), Words::of(right));
    let overlap = Overlap::of(&left.set(), &right.set());
    let mut matches = Vec::new();
    let is_marked = |run: &Run, at: usize| {
        let (one, other) = (&left.spans[run.left + at], &right.spans[run.right + at]);
        chunks.iter().any(|chunk| {
            (chunk.left.start < one.end && one.start < chunk.left.end)
                || (chunk.right.start < other.end && other.start < chunk.right.end)
        })
    };
    for (number, run) in runs(&left, &right).iter().enumerate() {
        let mut at = 0;
        while at < run.length {
            let length = (at..run.length)
                .take_while(|&at| !is_marked(run, at))
                .count();
            if length > 0 {
                let whole = |spans: &[Range<usize>], from: usize| {
                    spans[from + at].start..spans[from + at + length - 1].end
                };
                matches.push(Match {
                    left: whole(&left.spans, run.left),
                    right: whole(&right.spans, run.right),
                    fingerprint: MatchName::Phrases(number + 1),
                });
            }
            at += length.max(1);
        }
    }
    (matches, overlap)
}

/// Returns the longest runs from left to right. Phrases that wrap around the end of a page are counted but
/// not shown.
fn runs(left: &Words, right: &Words) -> Vec<Run> {
    let last = |words: &Words| (words.tokens.len() + 1).saturating_sub(PHRASE_WORDS);
    let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, &phrase) in right.phrases.iter().enumerate().take(last(right)) {
        places.entry(phrase).or_default().push(at);
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < last(left) {
        let Some(places) = places.get(&left.phrases[at]) else {
            at += 1;
            continue;
        };
        // A place after the last run is more likely than one before it.
        let after = runs.last().map_or(0, |run| run.right + run.length);
        let place = places.iter().find(|&&place| place >= after);
        let &right_at = place.unwrap_or(&places[0]);
        let length = (left.tokens[at..].iter())
            .zip(&right.tokens[right_at..])
            .take_while(|(one, other)| one == other)
            .count();
        runs.push(Run {
            left: at,
            right: right_at,
            length,
        });
        at += length;
    }
    runs
}

#[cfg(test)]
mod tests {
    use reprise_text::Content;

    use super::shared_phrases;
    use crate::archives::PageCopy;

    fn page(text: &str) -> PageCopy {
        PageCopy {
            url: String::new(),
            fetched: None,
            content: Some(Content::Html),
            text: text.to_owned(),
        }
    }

    #[test]
    fn shared_words_are_marked_in_both_pages() {
        let left = page("<p>The quick brown fox jumps over the lazy dog near the river bank today");
        let right =
            page("<h1>News</h1>Once a quick <b>brown</b> fox jumps over the lazy cat &amp; sleeps");
        let (matches, overlap) = shared_phrases(&left, &right, &[]);
        assert_eq!(matches.len(), 1);
        let found = &matches[0];
        assert_eq!(
            &left.text[found.left.clone()],
            "quick brown fox jumps over the lazy"
        );
        assert_eq!(
            &right.text[found.right.clone()],
            "quick <b>brown</b> fox jumps over the lazy"
        );
        assert_eq!(overlap.shared, 3);
        let (matches, overlap) = shared_phrases(&left, &page(""), &[]);
        assert_eq!((matches.len(), overlap.shared), (0, 0));
    }
}
