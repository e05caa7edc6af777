//! The spans of two texts that are marked, and the links between them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::results::{Match, MatchName};

/// A marked span of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Bytes of the text. The span is inside the text, on character boundaries and not empty.
    pub(crate) span: Range<usize>,
    /// A number from 1. Marks with the same content have the same number, on both sides.
    pub(crate) number: usize,
    /// The index of the mark on the other side that this one links to.
    pub(crate) partner: Option<usize>,
}

/// Returns the marks of both texts, each in the order of its text and without overlaps.
///
/// The spans may be invalid. They are cut to the text and extended to whole characters. A match that is
/// then empty on one side is ignored. A span that overlaps an earlier one is not marked; its partner is
/// marked without a link.
pub(crate) fn marks(left: &str, right: &str, matches: &[&Match]) -> (Vec<Mark>, Vec<Mark>) {
    let mut pairs = Vec::with_capacity(matches.len());
    for found in matches {
        let spans = (fit(left, &found.left), fit(right, &found.right));
        if !spans.0.is_empty() && !spans.1.is_empty() {
            pairs.push((spans, found.fingerprint));
        }
    }
    pairs.sort_by_key(|((left, right), _)| (left.start, left.end, right.start, right.end));

    let mut numbers: BTreeMap<MatchName, usize> = BTreeMap::new();
    let mut sides = [BTreeMap::new(), BTreeMap::new()];
    for ((left, right), fingerprint) in &pairs {
        let next = numbers.len() + 1;
        let number = *numbers.entry(*fingerprint).or_insert(next);
        for (side, span) in sides.iter_mut().zip([left, right]) {
            side.entry(key(span)).or_insert(number);
        }
    }
    let [mut left, mut right] = sides.map(without_overlaps);
    for ((left_span, right_span), _) in &pairs {
        let place = |marks: &[Mark], span| {
            marks
                .binary_search_by_key(&key(span), |mark| key(&mark.span))
                .ok()
        };
        if let (Some(on_left), Some(on_right)) =
            (place(&left, left_span), place(&right, right_span))
        {
            left[on_left].partner.get_or_insert(on_right);
            right[on_right].partner.get_or_insert(on_left);
        }
    }
    (left, right)
}

fn key(span: &Range<usize>) -> (usize, usize) {
    (span.start, span.end)
}

fn without_overlaps(spans: BTreeMap<(usize, usize), usize>) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(spans.len());
    let mut end_before = 0;
    for ((start, end), number) in spans {
        if start >= end_before {
            end_before = end;
            marks.push(Mark {
                span: start..end,
                number,
                partner: None,
            });
        }
    }
    marks
}

fn fit(text: &str, span: &Range<usize>) -> Range<usize> {
    if span.is_empty() {
        return 0..0;
    }
    text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use reprise_fingerprint::HashKind;

    use super::marks;
    use crate::results::{Match, MatchName};

    /// The span, number and partner of each mark.
    type Expected<'a> = &'a [(Range<usize>, usize, Option<usize>)];

    fn check(
        left: &str,
        right: &str,
        matches: &[(Range<usize>, Range<usize>)],
        expected: [Expected<'_>; 2],
    ) {
        let matches: Vec<Match> = matches
            .iter()
            .map(|(on_left, on_right)| Match {
                left: on_left.clone(),
                right: on_right.clone(),
                fingerprint: MatchName::Chunk(
                    HashKind::Sha256
                        .fingerprint(left.get(on_left.clone()).unwrap_or("?").as_bytes()),
                ),
            })
            .collect();
        let (left, right) = marks(left, right, &matches.iter().collect::<Vec<_>>());
        for (marks, expected) in [left, right].iter().zip(expected) {
            let marks: Vec<_> = marks
                .iter()
                .map(|mark| (mark.span.clone(), mark.number, mark.partner))
                .collect();
            assert_eq!(marks, expected);
        }
    }

    #[test]
    fn marks_are_numbered_in_the_order_of_the_left_text() {
        check(
            "aabb",
            "bbaa",
            &[(2..4, 0..2), (0..2, 2..4)],
            [
                &[(0..2, 1, Some(1)), (2..4, 2, Some(0))],
                &[(0..2, 2, Some(1)), (2..4, 1, Some(0))],
            ],
        );
    }

    #[test]
    fn repeats_share_a_number() {
        check(
            "aa",
            "a",
            &[(0..1, 0..1), (1..2, 0..1), (0..1, 0..1)],
            [
                &[(0..1, 1, Some(0)), (1..2, 1, Some(0))],
                &[(0..1, 1, Some(0))],
            ],
        );
    }

    #[test]
    fn invalid_spans_are_cut_and_extended() {
        // The spans begin inside a character, end beyond the text, run backwards, or are empty.
        let backwards = Range { start: 3, end: 1 };
        check(
            "äöü",
            "ä",
            &[
                (1..3, 1..99),
                (4..99, 5..6),
                (backwards.clone(), 0..2),
                (6..6, 2..2),
            ],
            [&[(0..4, 1, Some(0))], &[(0..2, 1, Some(0))]],
        );
        check(
            "",
            "",
            &[(0..1, 0..1), (usize::MAX..usize::MAX, backwards)],
            [&[], &[]],
        );
    }

    #[test]
    fn overlapping_spans_are_not_marked() {
        check(
            "abcd",
            "abcd",
            &[(0..3, 0..1), (2..4, 2..4)],
            [
                &[(0..3, 1, Some(0))],
                &[(0..1, 1, Some(0)), (2..4, 2, None)],
            ],
        );
    }
}
