//! The report: its sections in their order.

use maud::{Markup, html};

use crate::data::Report;
use crate::numbers::{compact, count, counted, ratio, share};
use crate::parts::section;
use crate::{copying, corpus, discovery, document, guide, neighborhoods, pages, summary, text};

/// What only the report needs, beyond what all files have in common.
const STYLE: &str = include_str!("css/report.css");

/// The report as one HTML file.
///
/// Input: any values at all; texts may be hostile. Output: UTF-8 without outside references.
/// Memory: the output's.
pub fn render(report: &Report) -> String {
    let detection = &report.detection;
    let sections = [
        (
            "copied",
            "What is copied",
            discovery::discovery(&report.discovery),
        ),
        (
            "clusters",
            "Where copying clusters",
            neighborhoods::neighborhoods(&detection.neighborhoods, &detection.badness),
        ),
        ("pages", "Which pages", pages::pages(&detection.pages)),
        (
            "copying",
            "Who copies from whom",
            copying::copying(&detection.copying),
        ),
        (
            "skipped",
            "What was skipped",
            corpus::skipped(&report.corpus),
        ),
        ("guide", "How to read this", guide::guide()),
    ];
    let body = html! {
        div.layout {
            nav.contents aria-label="Contents" {
                ol {
                    li { a href="#summary" { "Summary" } }
                    @for (id, title, _) in &sections { li { a href={"#" (id)} { (title) } } }
                }
            }
            main {
                (opening(report))
                @for (id, title, body) in &sections { (section(id, title, body)) }
            }
        }
    };
    document::document(&report.title, STYLE, &body)
}

fn opening(report: &Report) -> Markup {
    html! {
        header id="summary" {
            p.title { (text::line(&report.title)) }
            h1 { (summary::headline(report)) "." }
            p.lead { @for sentence in summary::sentences(report) { (sentence) " " } }
            (notes(report))
            (tiles(report))
            (corpus::facts(&report.corpus))
        }
    }
}

fn notes(report: &Report) -> Markup {
    html! {
        @if !report.notes.is_empty() {
            div.notes {
                p.label { @if summary::is_found(report) { "Notes" } @else { "Why nothing was found" } }
                ul { @for note in &report.notes { li { (text::block(note)) } } }
            }
        }
    }
}

fn tiles(report: &Report) -> Markup {
    let corpus = &report.corpus;
    let detection = &report.detection;
    let (pages, neighborhoods) = (&detection.pages, &detection.neighborhoods);
    let object = discovery::object(&report.discovery);
    let distinct = report.discovery.distinct;
    let tiles = [
        (
            "pages",
            corpus.pages,
            format!("of {}", counted(corpus.sites, "site")),
        ),
        (
            "chunks",
            corpus.chunks,
            format!("{} distinct", count(corpus.distinct_chunks)),
        ),
        (
            "labels",
            detection.labels,
            format!("{} found", count(detection.labels_seen)),
        ),
        (
            "chunks matched",
            detection.matched_chunks,
            format!("{} of all", share(detection.matched_chunks, corpus.chunks)),
        ),
        (
            "pages matched",
            pages.matched,
            format!(
                "{} of those with chunks",
                share(pages.matched, pages.counted)
            ),
        ),
        (
            "pages stand out",
            pages.targets,
            format!("contains above {}", ratio(pages.threshold)),
        ),
        (
            "bad neighbourhoods",
            neighborhoods.bad,
            format!("badness above {}", ratio(neighborhoods.threshold)),
        ),
        (
            if object == "file" {
                "files copied"
            } else {
                "chunks copied"
            },
            report.discovery.labeled,
            format!(
                "{} of the distinct",
                share(report.discovery.labeled, distinct)
            ),
        ),
    ];
    html! {
        ul.tiles {
            @for (name, number, remark) in &tiles {
                li {
                    span.figure title=(count(*number)) { (figure(*number)) }
                    span.name { (name) }
                    span.dim { (remark) }
                }
            }
        }
    }
}

/// All digits while they fit a tile.
fn figure(number: u64) -> String {
    if number < 10_000_000 {
        count(number)
    } else {
        compact(number)
    }
}
