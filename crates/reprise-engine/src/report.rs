//! From what discovery and detection found to the data of a report, with the evidence read back.

mod campaigns;
mod crawl;
mod likeness;

use std::collections::BTreeMap;
use std::path::Path;

use reprise_detect::{Detection, Neighborhood};
use reprise_discover::{Discovery, category, occurrences};
use reprise_ingest::{RecordLimits, format_date};
pub use reprise_report as html;
use reprise_store::{Corpus, Level, StoreError, count_sites};
use reprise_text::{ChunkForm, Content, normalize};

use crate::evidence::read_page;
pub use campaigns::{SignedWith, campaigns, is_mail};
pub use likeness::{near_copies, phrase_findings};

/// What a report is made from.
#[derive(Debug)]
pub struct Findings<'f> {
    /// What discovery found.
    pub discovery: &'f Discovery,
    /// Was its threshold chosen by the tool?
    pub is_auto: bool,
    /// What detection found.
    pub detection: &'f Detection,
    /// Rows of the labels that were looked for.
    pub labels: u64,
    /// How badness was computed.
    pub badness: &'f str,
    /// What was skipped on the way into the corpus.
    pub skipped: Vec<html::Skipped>,
    /// Near-copies, where the corpus has shingles.
    pub near: Option<html::NearCopies>,
    /// Shared phrases, where the corpus has shingles.
    pub phrases: Option<html::PhraseFindings>,
    /// Campaigns, where they were looked for.
    pub campaigns: Option<html::Campaigns>,
}

/// The data of a report, with the evidence read back from the archives.
pub fn report_of(
    corpus: &Corpus,
    findings: Findings<'_>,
    limits: &RecordLimits,
) -> Result<html::Report, StoreError> {
    let Findings {
        discovery,
        is_auto,
        detection,
        labels,
        badness,
        mut skipped,
        near,
        phrases,
        campaigns,
    } = findings;
    let top = top_objects(corpus, discovery, limits)?;
    let crawl = crawl::read_crawl(corpus.path()).unwrap_or_else(|unreadable| {
        skipped.push(unreadable);
        None
    });
    let manifest = corpus.manifest();
    let rows = |table: &str| {
        manifest
            .segments
            .iter()
            .map(|segment| segment.rows(table))
            .sum()
    };
    let sum = |value: fn(&reprise_store::SegmentSummary) -> u64| {
        manifest.segments.iter().map(value).sum::<u64>()
    };
    Ok(html::Report {
        title: title(corpus.path()),
        corpus: html::CorpusFacts {
            path: corpus.path().display().to_string(),
            pages: rows("pages"),
            chunks: rows("chunks"),
            distinct_chunks: match discovery.level {
                Level::Chunk => discovery.distinct,
                Level::File => reprise_store::count_distinct(corpus)?,
            },
            sites: count_sites(corpus)?,
            segments: manifest.segments.len() as u64,
            bytes_in: sum(|segment| segment.bytes_in),
            bytes_body: sum(|segment| segment.bytes_body),
            hash: manifest.hash.clone(),
            chunk: manifest.chunk.clone(),
            skipped,
        },
        discovery: html::Discovery {
            level: discovery.level.to_string(),
            count: discovery.count.to_string(),
            threshold: discovery.threshold,
            is_auto,
            objects: discovery.objects,
            distinct: discovery.distinct,
            labeled: discovery.labeled,
            stop: discovery.stop.total(),
            frequency: discovery.frequency.clone(),
            top,
        },
        detection: report_detection(labels, detection, badness),
        near,
        phrases,
        campaigns,
        crawl,
        notes: why_nothing(discovery, detection, labels),
    })
}

/// The name of the corpus; of the directory around it where it is just called corpus.
fn title(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).collect();
    let name = match parts.as_slice() {
        [last, around] if *last == "corpus" => around,
        [last, ..] => last,
        [] => path.as_os_str(),
    };
    name.to_string_lossy().into_owned()
}

fn report_detection(labels: u64, detection: &Detection, badness: &str) -> html::Detection {
    let pages = &detection.pages;
    let neighborhoods = &detection.neighborhoods;
    html::Detection {
        labels,
        labels_seen: detection.matched.labels_seen,
        matched_chunks: detection.matched.chunks,
        matched_files: detection.matched.files,
        badness: badness.to_owned(),
        pages: html::PageResults {
            total: pages.total,
            counted: pages.spread.count,
            matched: pages.matched,
            mean: pages.spread.mean,
            stddev: pages.spread.stddev,
            threshold: pages.spread.threshold,
            targets: pages.spread.over,
            histogram: pages.spread.histogram.clone(),
            top: pages
                .top
                .iter()
                .map(|page| html::PageResult {
                    url: page.url.clone(),
                    contains: page.contains.unwrap_or(0.0),
                    matched: page.matched,
                    chunks: page.chunks,
                    source_url: page.source_url.as_deref().map(str::to_owned),
                    source_site: page.source_site.as_deref().map(str::to_owned),
                    fetched: page.fetched.map(format_date),
                    source_fetched: page.source_fetched.map(format_date),
                    older: page.older().map(str::to_owned),
                })
                .collect(),
        },
        neighborhoods: html::NeighborhoodResults {
            total: neighborhoods.spread.count,
            mean: neighborhoods.spread.mean,
            stddev: neighborhoods.spread.stddev,
            threshold: neighborhoods.spread.threshold,
            bad: neighborhoods.spread.over,
            histogram: neighborhoods.spread.histogram.clone(),
            tree: tree(&neighborhoods.top, neighborhoods.spread.threshold),
        },
        copying: detection
            .site_pairs
            .iter()
            .map(|pair| html::SitePair {
                copier: pair.copier.to_string(),
                source: pair.source.to_string(),
                chunks: pair.chunks,
                pages: pair.pages,
            })
            .collect(),
    }
}

/// The most frequent objects with their text and the pages they are on.
pub fn top_objects(
    corpus: &Corpus,
    discovery: &Discovery,
    limits: &RecordLimits,
) -> Result<Vec<html::TopObject>, StoreError> {
    let fingerprints: Vec<_> = discovery.top.iter().map(|top| top.fingerprint).collect();
    let found = occurrences(corpus, discovery.level, &fingerprints, 3)?;
    let mut objects = Vec::new();
    for (top, places) in discovery.top.iter().zip(found) {
        // Any of its places will do; the first archive that can still be read tells the text.
        let mut text = Err("no occurrence can be read back".to_owned());
        for place in &places {
            text = read_page(corpus, place.page, limits)?.map(|page| {
                let raw = match discovery.level {
                    Level::Chunk => page
                        .text
                        .get(place.span.clone())
                        .unwrap_or_default()
                        .to_owned(),
                    Level::File => page.text,
                };
                (page.content.unwrap_or(Content::Other), raw)
            });
            if text.is_ok() {
                break;
            }
        }
        let (text, guess) = match text {
            Ok((content, raw)) => {
                let mut visible = String::new();
                normalize(content, ChunkForm::Text, &raw, &mut visible);
                let (kind, reason) = category(&raw, &visible);
                (raw, (kind.as_str().to_owned(), reason))
            }
            Err(why) => (
                format!("(the text cannot be shown: {why})"),
                (String::new(), String::new()),
            ),
        };
        let [occurrences, pages, sites] = top.counts;
        objects.push(html::TopObject {
            fingerprint: top.fingerprint.to_string(),
            occurrences,
            pages,
            sites,
            chars: top.chars,
            category: guess.0,
            reason: guess.1,
            text,
            urls: places.into_iter().map(|place| place.url).collect(),
        });
    }
    Ok(objects)
}

/// Neighbourhoods within one another. Each is put below the closest one that holds it.
fn tree(worst: &[Neighborhood], threshold: f64) -> Vec<html::Neighborhood> {
    let by_prefix: BTreeMap<&str, &Neighborhood> = worst
        .iter()
        .map(|found| (found.prefix.as_str(), found))
        .collect();
    let parent = |prefix: &str| {
        let mut end = prefix.len();
        while let Some(at) = prefix[..end.saturating_sub(1)].rfind('/') {
            end = at + 1;
            if by_prefix.contains_key(&prefix[..end]) {
                return Some(prefix[..end].to_owned());
            }
        }
        None
    };
    let mut children: BTreeMap<String, Vec<&Neighborhood>> = BTreeMap::new();
    for found in worst {
        children
            .entry(parent(&found.prefix).unwrap_or_default())
            .or_default()
            .push(found);
    }
    nest("", &children, threshold)
}

fn nest(
    parent: &str,
    children: &BTreeMap<String, Vec<&Neighborhood>>,
    threshold: f64,
) -> Vec<html::Neighborhood> {
    children.get(parent).map_or_else(Vec::new, |found| {
        found
            .iter()
            .map(|found| html::Neighborhood {
                prefix: found.prefix.clone(),
                pages: found.pages,
                badness: found.badness,
                matched: found.matched,
                chunks: found.chunks,
                is_bad: found.badness > threshold,
                children: nest(&found.prefix, children, threshold),
            })
            .collect()
    })
}

/// Plain sentences for a run that found nothing.
fn why_nothing(discovery: &Discovery, detection: &Detection, labels: u64) -> Vec<String> {
    let mut notes = why_undiscovered(discovery);
    if labels > 0 && detection.matched.chunks == 0 && detection.matched.files == 0 {
        notes.push(format!(
            "None of the {labels} labels was found in the {} pages that were looked at.",
            detection.pages.total
        ));
    }
    notes
}

/// Why discovery labelled nothing.
pub fn why_undiscovered(discovery: &Discovery) -> Vec<String> {
    let object = discovery.level.as_str();
    if discovery.labeled > 0 {
        return Vec::new();
    }
    if discovery.objects == 0 {
        return vec![format!("The corpus holds no {object}.")];
    }
    let stop = discovery.stop;
    let mut notes = vec![format!(
        "Nothing is over the threshold of {} {}: the most frequent {object} that is no stop chunk has {}.",
        discovery.threshold, discovery.count, discovery.nearest
    )];
    if stop.total() > 0 {
        notes.push(format!(
            "Of {} distinct {object}s, {} are stop chunks: {} without visible text, {} too short, {} listed.",
            discovery.distinct,
            stop.total(),
            stop.no_text,
            stop.short,
            stop.listed
        ));
    }
    notes
}
