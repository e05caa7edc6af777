//! The results in plain words, made from the numbers.

use crate::data::{Discovery, NearCopies, NeighborhoodResults, PhraseFindings, Report};
use crate::html::copying::{ring_count, strongest};
use crate::html::discovery::{above_threshold, object};
use crate::html::numbers::{choose, count, counted, percent, ratio, share};
use crate::html::text;
use crate::html::{campaigns, crawl};

/// Whether anything of the labels was found at all.
pub(crate) fn is_found(report: &Report) -> bool {
    let detection = &report.detection;
    detection.matched_chunks > 0 || detection.matched_files > 0
}

/// Pages that are near-copies of each other.
pub(crate) fn near_copies(report: &Report) -> u64 {
    report.near.as_ref().map_or(0, |near| near.in_clusters)
}

/// The result in a few words.
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

/// Three to six sentences.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    if report.corpus.pages == 0 {
        let why = if report.corpus.skipped.is_empty() {
            "Nothing was skipped either: the files that were read held no record."
        } else {
            "Look at what was skipped: the files hold no pages, or none that could be read."
        };
        return vec![
            "The corpus holds no page.".to_owned(),
            "So there is no chunk to count, and no page or neighbourhood to judge.".to_owned(),
            why.to_owned(),
        ];
    }
    let mut sentences = vec![
        corpus(report),
        discovery(&report.discovery),
        detection(report),
    ];
    if is_found(report) {
        sentences.push(pages(report));
        sentences.push(neighborhoods(&report.detection.neighborhoods));
        sentences.extend(copying(report));
    }
    sentences
}

/// A line for the crawl, one for campaigns, one for near-copies and one for phrases, where there was one or they were looked for.
pub(crate) fn likeness(report: &Report) -> Vec<String> {
    if report.corpus.pages == 0 {
        return Vec::new();
    }
    let near = report.near.as_ref().map(near);
    let phrases = report.phrases.as_ref().map(phrases);
    let crawl = report.crawl.as_ref().map(crawl::sentence);
    let campaigns = report.campaigns.as_ref().map(campaigns::sentence);
    crawl
        .into_iter()
        .chain(campaigns)
        .chain(near)
        .chain(phrases)
        .collect()
}

fn near(near: &NearCopies) -> String {
    let similarity = percent(near.similarity);
    if near.clusters == 0 {
        return format!(
            "No page is a near-copy of another: no two share {similarity} of their phrases."
        );
    }
    format!(
        "{} ({}) {} near-copies, in {}: they share {similarity} or more of their phrases. \
         With one page of each cluster kept, {} could go.",
        counted(near.in_clusters, "page"),
        share(near.in_clusters, near.documents),
        choose(near.in_clusters, "has", "are"),
        counted(near.clusters, "cluster"),
        counted(near.removable, "page"),
    )
}

fn phrases(findings: &PhraseFindings) -> String {
    let least = counted(findings.min_documents.into(), "page");
    if findings.popular == 0 {
        return format!("Near-copies aside, no five-word phrase was drawn from {least} or more.");
    }
    let monsters = match findings.monsters.as_slice() {
        [] => "no site is stitched together from such phrases of other sites".to_owned(),
        [monster] => format!(
            "1 site, {}, is stitched together from such phrases of other sites",
            text::site(&monster.site)
        ),
        [monster, ..] => format!(
            "{} are stitched together from such phrases of other sites, first of all {}",
            counted(findings.monsters.len() as u64, "site"),
            text::site(&monster.site)
        ),
    };
    format!(
        "Near-copies aside, {} of five words {} on {least} or more; {monsters}.",
        counted(findings.popular, "shingle"),
        choose(findings.popular, "is", "are"),
    )
}

fn corpus(report: &Report) -> String {
    let corpus = &report.corpus;
    let pages = counted(corpus.pages, "page");
    let sites = counted(corpus.sites, "site");
    if corpus.chunks == 0 {
        format!("The corpus holds {pages} of {sites}, without a single chunk of text.")
    } else {
        format!(
            "The corpus holds {pages} of {sites}, cut into {}, {} of them distinct.",
            counted(corpus.chunks, "chunk"),
            count(corpus.distinct_chunks),
        )
    }
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
            "; {} {} left out",
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
    let detection = &report.detection;
    if detection.labels == 0 {
        return "Without labels there was nothing to look for in the pages.".to_owned();
    }
    let labels = counted(detection.labels, "label");
    if !is_found(report) {
        return format!(
            "Of {labels} that {} looked for, none was found.",
            choose(detection.labels, "was", "were")
        );
    }
    let files = match detection.matched_files {
        0 => String::new(),
        files => format!(" and as {}", counted(files, "whole file")),
    };
    format!(
        "{} of {labels} {} found, as {}{files}, on {} of the {} with a chunk that counts ({}).",
        count(detection.labels_seen),
        choose(detection.labels_seen, "was", "were"),
        counted(detection.matched_chunks, "chunk"),
        count(detection.pages.matched),
        counted(detection.pages.counted, "page"),
        share(detection.pages.matched, detection.pages.counted),
    )
}

fn pages(report: &Report) -> String {
    let pages = &report.detection.pages;
    let threshold = ratio(pages.threshold);
    if pages.targets == 0 {
        return format!("No page stands out: none has a contains above {threshold}.");
    }
    format!(
        "{} {} out, with a contains above {threshold}.",
        counted(pages.targets, "page"),
        choose(pages.targets, "stands", "stand"),
    )
}

fn neighborhoods(results: &NeighborhoodResults) -> String {
    let threshold = ratio(results.threshold);
    if results.bad == 0 {
        return format!("No neighbourhood stands out: none has a badness above {threshold}.");
    }
    let worst = match results.tree.first() {
        Some(worst) if worst.is_bad => format!(
            "; the worst is {}, at {}",
            text::line(&worst.prefix),
            ratio(worst.badness)
        ),
        _ => String::new(),
    };
    format!(
        "{} of {} {} bad, with a badness above {threshold}{worst}.",
        count(results.bad),
        counted(results.total, "neighbourhood"),
        choose(results.bad, "is", "are"),
    )
}

fn copying(report: &Report) -> Option<String> {
    let (copier, source, chunks) = strongest(&report.detection.copying)?;
    let rings = match ring_count(&report.detection.copying) {
        0 => String::new(),
        rings => format!(
            "; {} of sites {} from each other",
            counted(rings, "pair"),
            choose(rings, "copies", "copy")
        ),
    };
    Some(format!(
        "The strongest link is from {} to {}, with {} in common{rings}.",
        text::line(copier),
        text::line(source),
        counted(chunks, "chunk"),
    ))
}
