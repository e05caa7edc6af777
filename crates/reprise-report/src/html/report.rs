//! The report about a corpus: its sections in their order.

use maud::{Markup, html};

use crate::html::parts::{section, tile};
use crate::html::{
    campaigns, corpus, crawl, discovery, document, guide, near, neighborhoods, pages, phrases,
    site_pairs, summary, text,
};
use crate::numbers::{count, counted, percent, share};
use crate::results::Report;

const STYLE: &str = concat!(
    include_str!("css/report.css"),
    include_str!("css/phrases.css"),
    include_str!("css/crawl.css")
);

/// The id, the title and the body of a section.
type Section = (&'static str, &'static str, Markup);

/// Renders the report as one HTML file.
///
/// Input: any values; texts may be hostile. Output: UTF-8 without references to other files. Memory: the
/// size of the output.
pub fn render(report: &Report) -> String {
    let sections = sections(report);
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

fn sections(report: &Report) -> Vec<Section> {
    let detection = &report.detection;
    let neighborhoods = neighborhoods::neighborhoods(&detection.neighborhoods, detection.badness);
    let crawl = report.crawl.as_ref().map(crawl::crawl);
    let campaigns = report.campaigns.as_ref().map(campaigns::campaigns);
    let optional = [
        crawl.map(|body| ("crawl", "The crawl", body)),
        campaigns.map(|body| ("campaigns", "Campaigns", body)),
    ];
    let always: [Section; 8] = [
        (
            "copied",
            "What is copied",
            discovery::discovery(&report.discovery),
        ),
        ("clusters", "Where copying clusters", neighborhoods),
        (
            "pages",
            "Pages with copied content",
            pages::pages(&detection.pages),
        ),
        (
            "copying",
            "Sites with common content",
            site_pairs::site_pairs(detection),
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
        ("guide", "How to read this report", guide::guide()),
    ];
    optional.into_iter().flatten().chain(always).collect()
}

fn opening(report: &Report) -> Markup {
    html! {
        header id="summary" {
            p.title { (text::line(&report.title)) }
            h1 { (summary::headline(report)) "." }
            p.lead { @for sentence in summary::sentences(report) { (sentence) " " } }
            @for paragraph in summary::paragraphs(report) { p.lead { (paragraph) } }
            (notes(report))
            (tiles(report))
            (corpus::facts(&report.corpus))
        }
    }
}

fn notes(report: &Report) -> Markup {
    let all = [
        &report.notes,
        &report.discovery.notes,
        &report.detection.notes,
    ];
    let mut notes: Vec<&str> = Vec::new();
    for note in all.into_iter().flatten() {
        if !notes.contains(&note.as_str()) {
            notes.push(note);
        }
    }
    let has_result = summary::is_found(report) || summary::near_copies(report) > 0;
    html! {
        @if !notes.is_empty() {
            div.notes {
                p.label { @if has_result { "Notes" } @else { "Why nothing was found" } }
                ul { @for note in notes { li { (text::block(note)) } } }
            }
        }
    }
}

fn tiles(report: &Report) -> Markup {
    let (corpus, detection) = (&report.corpus, &report.detection);
    let (pages, neighborhoods) = (&detection.pages, &detection.neighborhoods);
    let sites = corpus.sites.map_or_else(String::new, |sites| {
        format!("of {}", counted(sites, "site"))
    });
    let distinct = (corpus.distinct_chunks).map_or_else(String::new, |distinct| {
        format!("{} distinct", count(distinct))
    });
    html! {
        ul.tiles {
            (tile(corpus.pages, "pages", &sites))
            (tile(corpus.chunks, "chunks", &distinct))
            (tile(detection.labels, "labels", &format!("{} found", count(detection.matched.labels_seen))))
            (tile(
                detection.matched.chunks,
                "copied chunks",
                &format!("{} of all", share(detection.matched.chunks, corpus.chunks)),
            ))
            (tile(
                pages.matched,
                "pages with copies",
                &format!("{} of those that count", share(pages.matched, pages.counted)),
            ))
            (tile(pages.targets, "target pages", &format!("share above {}", percent(pages.threshold))))
            (tile(
                neighborhoods.bad,
                "bad neighbourhoods",
                &format!("badness above {}", percent(neighborhoods.threshold)),
            ))
            (tile(detection.site_pairs, "links between sites", &counted(detection.rings, "ring")))
            (optional_tiles(report))
        }
    }
}

fn optional_tiles(report: &Report) -> Markup {
    html! {
        @if let Some(near) = &report.near {
            (tile(near.in_clusters, "near-copies", &format!("in {}", counted(near.clusters, "cluster"))))
            (tile(near.removable, "removable pages", &format!("{} of all", share(near.removable, near.pages))))
        }
        @if let Some(campaigns) = &report.campaigns {
            (tile(campaigns.clusters, "campaigns", &format!("with {}", counted(campaigns.in_clusters, "document"))))
        }
        @if let Some(phrases) = &report.phrases {
            (tile(
                phrases.popular.popular,
                "popular shingles",
                &format!("on {} or more", counted(phrases.popular.min_documents.into(), "page")),
            ))
            (tile(phrases.stitched().count() as u64, "stitched sites", "made of other sites\u{2019} sentences"))
        }
    }
}
