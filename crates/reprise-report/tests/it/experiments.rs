//! Invented results of experiments, and what their files show.

use reprise_report::{
    Confusion, Evasion, EvasionEdit, EvasionRow, HashComparison, WrongPair, render_evasion,
    render_hash_comparison,
};

/// Two kinds of edit and two methods; every text is the one given.
pub(crate) fn evasion(text: &str) -> Evasion {
    let row = |documents, never, quartiles| EvasionRow {
        method: text.to_owned(),
        documents,
        never,
        quartiles,
        share: Some(1.25),
    };
    let edit = |rows| EvasionEdit {
        name: text.to_owned(),
        rows,
    };
    Evasion {
        corpus: text.to_owned(),
        documents: 50,
        words: 1_234,
        methods: vec![(text.to_owned(), text.to_owned()); 2],
        edits: vec![
            edit(vec![
                row(50, 0, [Some(1), Some(17), Some(20_000)]),
                row(49, 20, [Some(3), Some(8), None]),
            ]),
            edit(vec![row(50, 50, [None; 3]), row(0, 0, [None; 3])]),
        ],
        notes: vec![text.to_owned()],
    }
}

/// A comparison with false positives; every text is the one given.
pub(crate) fn hash_comparison(text: &str) -> HashComparison {
    let confusion = |false_positives| Confusion {
        true_positives: 43,
        false_negatives: 42,
        false_positives,
        true_negatives: 1803 - false_positives,
    };
    let side = || (text.to_owned(), text.to_owned());
    HashComparison {
        corpus: text.to_owned(),
        pages: 62,
        pairs: 1_888,
        threshold: 115,
        truth: text.to_owned(),
        hashes: vec![
            (text.to_owned(), confusion(0)),
            (text.to_owned(), confusion(10)),
        ],
        thresholds: (100..=128)
            .map(|at| (at, 128_u64.saturating_sub(at as u64 + 3)))
            .collect(),
        examples: vec![WrongPair {
            score: 119,
            sides: [side(), side()],
        }],
        notes: vec![text.to_owned()],
    }
}

#[test]
fn evasion_shows_every_row_and_says_never() {
    let html = render_evasion(&evasion("chunk"));
    assert_eq!(html.matches("class=\"method\"").count(), 3);
    assert_eq!(html.matches("dot hollow").count(), 1);
    assert_eq!(html.matches("no page to try").count(), 1);
    for part in [
        "Copies of 50 pages (1,234 words in the middle)",
        "chunk, chunk: 17 in the middle, quartiles 1 and 20,000; 0 of 50 pages never",
        "8 in the middle, quartiles 3 and never; 20 of 49 pages never",
        "never to never",
        "125%",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn the_matrix_is_that_of_the_paper() {
    let html = render_hash_comparison(&hash_comparison("words"));
    for part in [
        "62 pages were compared with each other: 1,888 pairs.",
        "<td class=\"number\">43</td><td class=\"number\">43</td>",
        "<td class=\"number\">42</td><td class=\"number\">42</td>",
        "<td class=\"number\">0</td><td class=\"number\">10</td>",
        "<td class=\"number\">1,803</td><td class=\"number\">1,793</td>",
        "threshold 115: 10 false positives",
        "A score of 119",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // No dot where there is no false positive.
    assert!(!html.contains("threshold 125:"));
}

#[test]
fn nothing_to_show_is_said() {
    let mut nothing = evasion("");
    nothing.edits.clear();
    assert!(render_evasion(&nothing).contains("Nothing was tried."));
    let mut nothing = hash_comparison("");
    nothing.thresholds.iter_mut().for_each(|row| row.1 = 0);
    nothing.examples.clear();
    let html = render_hash_comparison(&nothing);
    assert!(html.contains("No threshold gives a false positive."));
    assert!(html.contains("No pair without text in common scored enough."));
    nothing.thresholds.clear();
    nothing.hashes.clear();
    render_hash_comparison(&nothing);
}
