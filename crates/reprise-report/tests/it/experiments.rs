//! The files about experiments, rendered from invented results.

use reprise_report::{
    Confusion, Evasion, EvasionMethod, EvasionRow, FalsePositive, HashComparison, HashProjection,
    HashThreshold, Quartiles, UnusedPages, render_evasion, render_hash_comparison,
};

fn quartiles<T>([first, median, third]: [Option<T>; 3]) -> Quartiles<T> {
    Quartiles {
        first,
        median,
        third,
    }
}

fn unused(text: &str) -> UnusedPages {
    UnusedPages {
        without_text: 1,
        too_large: 2,
        bytes_max: 256_000,
        unreadable: 3,
        reason: Some(text.to_owned()),
    }
}

/// Makes a result with two kinds of edit and two methods, in which every text is `text`.
pub(crate) fn evasion(text: &str) -> Evasion {
    let row = |edit: &str, documents, never, edits| EvasionRow {
        method: text.to_owned(),
        edit: format!("{text}{edit}"),
        meaning: text.to_owned(),
        documents,
        blind: 50 - documents,
        impossible: 0,
        never,
        edits: quartiles(edits),
        share: quartiles([Some(1.25); 3]),
    };
    Evasion {
        corpus: text.to_owned(),
        documents: 50,
        seed: 1,
        words: quartiles([Some(1_000), Some(1_234), Some(5_000)]),
        vocabulary: 20_000,
        methods: vec![
            EvasionMethod {
                method: text.to_owned(),
                rule: text.to_owned(),
            };
            2
        ],
        rows: vec![
            row("1", 50, 0, [Some(1), Some(17), Some(20_000)]),
            row("1", 49, 20, [Some(3), Some(8), None]),
            row("2", 50, 50, [None; 3]),
            row("2", 0, 0, [None; 3]),
        ],
        unused: unused(text),
        notes: vec![text.to_owned()],
    }
}

/// Makes a comparison with false positives, in which every text is `text`.
pub(crate) fn hash_comparison(text: &str) -> HashComparison {
    let confusion = |false_positives| Confusion {
        true_positives: 43,
        false_negatives: 42,
        false_positives,
        true_negatives: 1803 - false_positives,
    };
    HashComparison {
        corpus: text.to_owned(),
        pages: 62,
        pairs: 1_888,
        chunks: 3_456,
        seed: 1,
        threshold: 115,
        min_length: 25,
        words: 10,
        elsewhere: false,
        cryptographic: confusion(0),
        nilsimsa: confusion(10),
        projected: Some(HashProjection {
            pages: 2_860_000_000,
            cryptographic: Some(0.0),
            nilsimsa: Some(15_862_452.6),
        }),
        thresholds: (100..=128)
            .map(|threshold| HashThreshold {
                threshold,
                matrix: confusion(125_u64.saturating_sub(threshold as u64)),
            })
            .collect(),
        examples: vec![FalsePositive {
            score: 119,
            url: text.to_owned(),
            chunk: text.to_owned(),
            with: text.to_owned(),
            with_chunk: text.to_owned(),
        }],
        without_chunks: 4,
        cut: 1,
        unused: unused(text),
    }
}

#[test]
fn evasion_shows_every_row_and_never() {
    let html = render_evasion(&evasion("chunk"));
    assert_eq!(html.matches("class=\"method\"").count(), 3);
    assert_eq!(html.matches("dot hollow").count(), 1);
    assert_eq!(html.matches("no suitable page").count(), 1);
    for part in [
        "Copies of 50 pages with a median of 1,234 words",
        "chunk, chunk: median 17, quartiles 1 and 20,000; never for 0 of 50 pages",
        "median 8, quartiles 3 and never; never for 20 of 49 pages",
        "never to never",
        "125%",
        "left out of the pages drawn: 1 without text, 2 larger than 256 kB, 3 that could not be read again (chunk)",
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
        "a chunk of 25 characters or its text in common, or 10 words in a row",
        "in 2,860,000,000 pages would give about 15,862,453 false positives with Nilsimsa at 115",
        "only the first chunks of 1 page were compared",
        "left out: 4 pages without a chunk of 25 characters",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // A threshold without false positives has no dot.
    assert!(!html.contains("threshold 125:"));
}

#[test]
fn an_empty_result_is_explained() {
    let mut nothing = evasion("");
    nothing.rows.clear();
    assert!(render_evasion(&nothing).contains("No edits were tried."));
    let mut nothing = hash_comparison("");
    nothing.thresholds.iter_mut().for_each(|row| {
        row.matrix.false_positives = 0;
    });
    nothing.examples.clear();
    let html = render_hash_comparison(&nothing);
    assert!(html.contains("No threshold gives a false positive."));
    assert!(html.contains("No false positive was found."));
    nothing.thresholds.clear();
    render_hash_comparison(&nothing);
}
