//! The comparison of a cryptographic hash with a locality-sensitive one: the confusion matrix, and the false
//! positives at other thresholds.

use maud::{Markup, html};

use crate::html::axis::Decades;
use crate::html::evasion::notes;
use crate::html::parts::{caption, empty, scroll_box};
use crate::html::plot::{decade_label, plot, px, threshold_line, x_at, x_tick, y_at, y_tick};
use crate::html::{document, text};
use crate::numbers::{choose, count, counted};
use crate::results::{Confusion, FalsePositive, HashComparison, HashThreshold};

const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/lab.css")
);

/// The most characters of a chunk.
const CHUNK_CHARS: usize = 400;

/// Renders the result of a comparison as one HTML file.
///
/// Input: any values; texts may be hostile. Output: UTF-8 without references to other files. Memory: the size
/// of the output.
pub fn render_hash_comparison(comparison: &HashComparison) -> String {
    let title = "Cryptographic and locality-sensitive hashes compared";
    let body = html! {
        main.lab {
            header {
                p.title { (text::line(&comparison.corpus)) }
                h1 { (title) }
                p.lead {
                    (counted(comparison.pages, "page")) " " (choose(comparison.pages, "was", "were"))
                    " compared with each other: "
                    (counted(comparison.pairs, "pair")) ". A hash takes two pages for copies if it finds a chunk that both \
                     have. They really are copies if they have " (text::line(&comparison.truth())) "."
                }
                (notes(&comparison.sentences()))
            }
            (matrix(comparison))
            section {
                h2 { "False positives at other thresholds" }
                (figure(comparison))
            }
            section {
                h2 { "Examples of false positives" }
                @if comparison.examples.is_empty() {
                    (empty("No false positive was found."))
                }
                @for pair in &comparison.examples { (example(pair)) }
            }
        }
    };
    document::document(title, STYLE, &body)
}

fn matrix(comparison: &HashComparison) -> Markup {
    type Cell = fn(&Confusion) -> u64;
    let hashes = [&comparison.cryptographic, &comparison.nilsimsa];
    let rows: [(&str, &str, Cell); 4] = [
        ("Copy", "taken for a copy (true positives)", |found| {
            found.true_positives
        }),
        ("", "missed (false negatives)", |found| {
            found.false_negatives
        }),
        (
            "Not a copy",
            "taken for a copy (false positives)",
            |found| found.false_positives,
        ),
        ("", "not taken for a copy (true negatives)", |found| {
            found.true_negatives
        }),
    ];
    let table = html! {
        table.confusion {
            thead {
                tr {
                    th { "Truth" }
                    th { "Pairs of pages" }
                    th.number { "Cryptographic" }
                    th.number { "Nilsimsa, " (comparison.threshold) " or more" }
                }
            }
            tbody {
                @for (truth, name, cell) in rows {
                    tr {
                        td { (truth) }
                        td { (name) }
                        @for found in hashes { td.number { (count(cell(found))) } }
                    }
                }
            }
        }
    };
    scroll_box("Confusion matrix", &table)
}

fn figure(comparison: &HashComparison) -> Markup {
    let seen: Vec<&HashThreshold> = comparison
        .thresholds
        .iter()
        .filter(|row| row.matrix.false_positives > 0)
        .collect();
    if seen.is_empty() {
        return empty("No threshold gives a false positive.");
    }
    html! {
        figure {
            (drawing(comparison, &seen))
            (caption(
                &[("hot", "at the threshold and above"), ("", "below it")],
                "The number of false positives of the locality-sensitive hash at each threshold (logarithmic scale). At 128, \
                 digests must be equal. A threshold without a dot has no false positives.",
            ))
        }
    }
}

fn drawing(comparison: &HashComparison, seen: &[&HashThreshold]) -> Markup {
    let thresholds = comparison.thresholds.iter().map(|row| row.threshold);
    let (from, to) = (thresholds.clone().min(), thresholds.max());
    let (from, to) = (from.unwrap_or(0), to.unwrap_or(1));
    let x = |threshold: i32| {
        let (from, to) = (f64::from(from), f64::from(to));
        0.02 + 0.96 * (f64::from(threshold) - from) / (to - from).max(1.0)
    };
    let most = seen.iter().map(|row| row.matrix.false_positives).max();
    let y = Decades::new(1, most.unwrap_or(1));
    let drawing = html! {
        @for (decade, position) in y.ticks() { (y_tick(position, &decade_label(decade))) }
        @for threshold in (from..=to).step_by(4) { (x_tick(x(threshold), &threshold.to_string())) }
        @for row in seen {
            @let (threshold, pairs) = (row.threshold, row.matrix.false_positives);
            circle.dot.hot[threshold >= comparison.threshold]
                cx=(px(x_at(x(threshold)))) cy=(px(y_at(y.at(pairs)))) r="4" {
                title { "threshold " (threshold) ": " (counted(pairs, "false positive")) }
            }
        }
        (threshold_line(x(comparison.threshold.clamp(from, to)), &format!("threshold {}", comparison.threshold)))
    };
    plot(
        "False positives by threshold",
        "threshold \u{2192}",
        "\u{2191} false positives",
        &drawing,
    )
}

fn example(pair: &FalsePositive) -> Markup {
    let sides = [(&pair.url, &pair.chunk), (&pair.with, &pair.with_chunk)];
    html! {
        details.card open {
            summary { span.excerpt { "A score of " (pair.score) } }
            @for (url, chunk) in sides {
                p.url { (text::line(url)) }
                pre.source { (text::excerpt(chunk, CHUNK_CHARS)) }
            }
        }
    }
}
