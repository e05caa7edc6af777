//! The report: its sections in their order.

use maud::{Markup, html};

use crate::data::Report;
use crate::html::numbers::{count, counted, ratio, share};
use crate::html::parts::{section, tile};
use crate::html::{
    campaigns, copying, corpus, crawl, discovery, document, guide, near, neighborhoods, pages,
    phrases, summary, text,
};

/// What only the report needs, beyond what all files have in common.
const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/crawl.css")
);

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
        ("near", "Near-copies", near::near(report.near.as_ref())),
        (
            "phrases",
            "Shared phrases",
            phrases::phrases(report.phrases.as_ref()),
        ),
        (
            "skipped",
            "What was skipped",
            corpus::skipped(&report.corpus),
        ),
        ("guide", "How to read this", guide::guide()),
    ];
    let crawled = report
        .crawl
        .as_ref()
        .map(|found| ("crawl", "How it was crawled", crawl::crawl(found)));
    let campaigns = (report.campaigns.as_ref())
        .map(|found| ("campaigns", "Campaigns", campaigns::campaigns(found)));
    let sections: Vec<_> = crawled
        .into_iter()
        .chain(campaigns)
        .chain(sections)
        .collect();
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
            @for line in summary::likeness(report) { p.lead { (line) } }
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
                p.label { @if summary::is_found(report) || summary::near_copies(report) > 0 { "Notes" } @else { "Why nothing was found" } }
                ul { @for note in &report.notes { li { (text::block(note)) } } }
            }
        }
    }
}

fn tiles(report: &Report) -> Markup {
    let corpus = &report.corpus;
    let detection = &report.detection;
    let (pages, neighborhoods) = (&detection.pages, &detection.neighborhoods);
    let links = detection.copying.len() as u64;
    html! {
        ul.tiles {
            (tile(corpus.pages, "pages", &format!("of {}", counted(corpus.sites, "site"))))
            (tile(corpus.chunks, "chunks", &format!("{} distinct", count(corpus.distinct_chunks))))
            (tile(detection.labels, "labels", &format!("{} found", count(detection.labels_seen))))
            (tile(
                detection.matched_chunks,
                "copied chunks",
                &format!("{} of all", share(detection.matched_chunks, corpus.chunks)),
            ))
            (tile(
                pages.matched,
                "pages with copies",
                &format!("{} of those that count", share(pages.matched, pages.counted)),
            ))
            (tile(pages.targets, "target pages", &format!("contains above {}", ratio(pages.threshold))))
            (tile(
                neighborhoods.bad,
                "bad neighbourhoods",
                &format!("badness above {}", ratio(neighborhoods.threshold)),
            ))
            (tile(
                links,
                "links between sites",
                &counted(copying::ring_count(&detection.copying), "ring"),
            ))
            @if let Some(near) = &report.near {
                (tile(near.in_clusters, "near-copies", &format!("in {}", counted(near.clusters, "cluster"))))
                (tile(near.removable, "removable pages", &format!("{} of all", share(near.removable, near.pages))))
            }
            @if let Some(campaigns) = &report.campaigns {
                (tile(
                    campaigns.clusters,
                    "campaigns",
                    &counted(campaigns.in_clusters, "document"),
                ))
            }
            @if let Some(phrases) = &report.phrases {
                (tile(
                    phrases.popular,
                    "popular shingles",
                    &format!("in {} or more", counted(phrases.min_documents.into(), "page")),
                ))
                (tile(phrases.monsters.len() as u64, "monsters", "sites stitched from other sites\u{2019} pages"))
            }
        }
    }
}
