//! The headline and the sentences at the top of the report.

use crate::html::discovery::{above_threshold, object};
use crate::html::near::condition;
use crate::html::site_pairs::strongest;
use crate::html::{campaigns, corpus, crawl, text};
use crate::numbers::{choose, count, counted, percent, share};
use crate::results::{
    CorpusInfo, Discovery, NearCopies, NeighborhoodShares, PageShares, PhraseFindings, Report,
};

/// Returns true if at least one label was found.
pub(crate) fn is_found(report: &Report) -> bool {
    let matched = &report.detection.matched;
    matched.chunks > 0 || matched.files > 0
}

/// Returns the number of pages in clusters of near-copies.
pub(crate) fn near_copies(report: &Report) -> u64 {
    report.near.as_ref().map_or(0, |near| near.in_clusters)
}

/// Returns the result in a few words.
pub(crate) fn headline(report: &Report) -> String {
    let pages = &report.detection.pages;
    let neighborhoods = &report.detection.neighborhoods;
    if report.corpus.pages == 0 {
        "The corpus is empty".to_owned()
    } else if !is_found(report) {
        match near_copies(report) {
            0 => "Nothing copied was found".to_owned(),
            pages => format!(
                "No chunk is copied, but {} {} near-copies",
                counted(pages, "page"),
                choose(pages, "has", "are"),
            ),
        }
    } else if pages.targets > 0 {
        let verb = choose(pages.targets, "stands", "stand");
        format!(
            "{} of {} {verb} out as copied",
            count(pages.targets),
            counted(pages.total, "page")
        )
    } else if neighborhoods.bad > 0 {
        let verb = choose(neighborhoods.bad, "stands", "stand");
        format!(
            "{} {verb} out, but no single page",
            counted(neighborhoods.bad, "neighbourhood")
        )
    } else {
        "Copied content was found, but nothing stands out".to_owned()
    }
}

/// Returns three to six sentences about the corpus, discovery and detection.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    if report.corpus.pages == 0 {
        let why = if corpus::has_problems(&report.corpus) {
            "The section about skipped records says why records could not be used."
        } else {
            "No record was skipped either: the files that were read have no records."
        };
        return vec![
            "The corpus has no pages, so nothing could be compared.".to_owned(),
            why.to_owned(),
        ];
    }
    let mut sentences = vec![
        contents(&report.corpus),
        discovery(&report.discovery),
        detection(report),
    ];
    if is_found(report) {
        sentences.push(pages(&report.detection.pages));
        sentences.push(neighborhoods(&report.detection.neighborhoods));
        sentences.extend(copying(report));
    }
    sentences
}

/// Returns a paragraph for each of the crawl, campaigns, near-copies and phrases that the report has.
pub(crate) fn paragraphs(report: &Report) -> Vec<String> {
    if report.corpus.pages == 0 {
        return Vec::new();
    }
    let near = report.near.as_ref().map(near);
    let phrases = report.phrases.as_ref().map(phrases);
    let crawl = report.crawl.as_ref().map(crawl::sentence);
    let campaigns = report.campaigns.as_ref().map(campaigns::sentence);
    [crawl, campaigns, near, phrases]
        .into_iter()
        .flatten()
        .collect()
}

fn near(near: &NearCopies) -> String {
    let condition = condition(near);
    if near.clusters == 0 {
        return format!(
            "No page is a near-copy of another. Two pages are near-copies if {condition}."
        );
    }
    format!(
        "{} of {} ({}) {} near-copies, in {}. Two pages are near-copies if {condition}. If one page of each cluster is kept, \
         {} can be removed.",
        count(near.in_clusters),
        counted(near.documents, "compared page"),
        share(near.in_clusters, near.documents),
        choose(near.in_clusters, "has", "are"),
        counted(near.clusters, "cluster"),
        counted(near.removable, "page"),
    )
}

fn phrases(findings: &PhraseFindings) -> String {
    let popular = &findings.popular;
    let least = counted(popular.min_documents.into(), "page");
    if popular.popular == 0 {
        return format!("Near-copies excluded, no shingle of five words is on {least} or more.");
    }
    let number = findings.stitched().count() as u64;
    let first = findings
        .stitched()
        .next()
        .map(|site| text::site(&site.site))
        .unwrap_or_default();
    let stitched = match number {
        0 => "No site is stitched together from such phrases of other sites.".to_owned(),
        1 => format!("1 site is stitched together from such phrases of other sites: {first}."),
        number => format!(
            "{} are stitched together from such phrases of other sites; the first of them is {first}.",
            counted(number, "site"),
        ),
    };
    format!(
        "Near-copies excluded, {} of five words {} on {least} or more. {stitched}",
        counted(popular.popular, "shingle"),
        choose(popular.popular, "is", "are"),
    )
}

fn contents(corpus: &CorpusInfo) -> String {
    let pages = counted(corpus.pages, "page");
    let sites = corpus.sites.map_or_else(String::new, |sites| {
        format!(" of {}", counted(sites, "site"))
    });
    if corpus.chunks == 0 {
        return format!("The corpus has {pages}{sites}, but no chunks.");
    }
    let distinct = (corpus.distinct_chunks).map_or_else(String::new, |distinct| {
        format!(", {} of them distinct", count(distinct))
    });
    format!(
        "The corpus has {pages}{sites}, cut into {}{distinct}.",
        counted(corpus.chunks, "chunk"),
    )
}

fn discovery(discovery: &Discovery) -> String {
    let object = object(discovery);
    let above = above_threshold(discovery);
    if discovery.labeled == 0 {
        return format!("No {object} that counts appears {above}, so discovery made no labels.");
    }
    let stop = match discovery.stop {
        0 => String::new(),
        stop => format!(
            "; {} {} excluded",
            counted(stop, "stop chunk"),
            choose(stop, "was", "were")
        ),
    };
    format!(
        "{} {} {above} and {} as copied{stop}.",
        counted(discovery.labeled, object),
        choose(discovery.labeled, "appears", "appear"),
        choose(discovery.labeled, "counts", "count"),
    )
}

fn detection(report: &Report) -> String {
    let (labels, matched) = (report.detection.labels, &report.detection.matched);
    let pages = &report.detection.pages;
    if labels == 0 {
        return "Without labels, there was nothing to look for.".to_owned();
    }
    if !is_found(report) {
        return format!("None of the {} was found.", counted(labels, "label"));
    }
    let files = match matched.files {
        0 => String::new(),
        files => format!(" and {}", counted(files, "whole file")),
    };
    format!(
        "{} of {} {} found, in {}{files}, on {} of the {} that count ({}).",
        count(matched.labels_seen),
        counted(labels, "label"),
        choose(matched.labels_seen, "was", "were"),
        counted(matched.chunks, "chunk"),
        count(pages.matched),
        counted(pages.counted, "page"),
        share(pages.matched, pages.counted),
    )
}

fn pages(pages: &PageShares) -> String {
    let threshold = percent(pages.threshold);
    if pages.targets == 0 {
        return format!("No page stands out: none has a share of copied chunks above {threshold}.");
    }
    format!(
        "{} {} out, with a share of copied chunks above {threshold}.",
        counted(pages.targets, "page"),
        choose(pages.targets, "stands", "stand"),
    )
}

fn neighborhoods(shares: &NeighborhoodShares) -> String {
    let threshold = percent(shares.threshold);
    if shares.bad == 0 {
        return format!("No neighbourhood stands out: none has a badness above {threshold}.");
    }
    let worst = match shares.top.first() {
        Some(worst) if worst.badness > shares.threshold => format!(
            "; the worst is {}, at {}",
            text::line(&worst.prefix),
            percent(worst.badness)
        ),
        _ => String::new(),
    };
    format!(
        "{} of {} {} bad, with a badness above {threshold}{worst}.",
        count(shares.bad),
        counted(shares.total, "neighbourhood"),
        choose(shares.bad, "is", "are"),
    )
}

fn copying(report: &Report) -> Option<String> {
    let (copier, source, chunks) = strongest(&report.detection.sites)?;
    let rings = match report.detection.rings {
        0 => String::new(),
        rings => format!(
            "; {} of sites {} chunks of each other",
            counted(rings, "pair"),
            choose(rings, "has", "have")
        ),
    };
    Some(format!(
        "The pair of sites with most in common is {} and {}, with {}{rings}.",
        text::site(copier),
        text::site(source),
        counted(chunks, "chunk"),
    ))
}
