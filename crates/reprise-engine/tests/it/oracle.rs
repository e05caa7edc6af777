//! The corpus of a planted web is compared with one that slow and obvious code computes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use reprise_engine::ingest::{BatchReader, Batches, Item, Source};
use reprise_engine::store::schema::{Chunks, Fingerprints, Pages};
use reprise_engine::store::{CorpusReader, Segment, count_distinct, count_sites};
use reprise_engine::{ChunkForm, Content, Fingerprint, HashKind};
use reprise_text::{Cutter, normalize};
use reprise_url::Site;
use tempfile::tempdir;

use crate::support::{How, LIMITS, add, open_inputs, planted_web};

/// A chunk: start, length, characters, visible, fingerprint.
type Chunk = (i64, i64, i64, bool, Fingerprint);

#[derive(Debug, PartialEq, Eq)]
struct PlainPage {
    url: String,
    site: String,
    file: Fingerprint,
    chunks: Vec<Chunk>,
}

fn chunks(content: Content, text: &str, form: ChunkForm) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for span in Cutter::new(content, text) {
        let mut normal = String::new();
        let measure = normalize(content, form, &text[span.start..span.end], &mut normal);
        if !normal.is_empty() {
            chunks.push((
                span.start as i64,
                (span.end - span.start) as i64,
                normal.chars().count() as i64,
                measure.visible,
                HashKind::Sha256.fingerprint(normal.as_bytes()),
            ));
        }
    }
    chunks
}

/// Returns every page with its chunks, computed on one thread, without a memo and with one hash at a time.
fn slow_pages(names: &[String], form: ChunkForm) -> Vec<PlainPage> {
    let inputs = open_inputs(names, &std::env::temp_dir());
    let sources: Arc<[Source]> = inputs.sources.clone().into();
    let mut batches = Batches::new(Arc::clone(&sources), LIMITS);
    let mut reader = BatchReader::new(sources, LIMITS);
    let mut pages = Vec::new();
    while let Some(batch) = batches.next_batch() {
        reader.read(&batch, None, &mut |_, item| {
            if let Item::Page(page) = item {
                pages.push(PlainPage {
                    url: page.url.to_owned(),
                    site: Site::of(page.url).site,
                    file: HashKind::Sha256.fingerprint(page.body),
                    chunks: page
                        .text
                        .map_or(Vec::new(), |(content, text)| chunks(content, text, form)),
                });
            }
        });
    }
    pages
}

/// Returns the pages and chunks in the tables of a segment.
fn stored_pages(segment: &Segment<'_>) -> Vec<PlainPage> {
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let pages = segment.pages().unwrap();
    let mut found = Vec::new();
    for group in 0..pages.groups() {
        let urls = pages.read(group, Pages::URL).unwrap();
        let sites = pages.read(group, Pages::SITE).unwrap();
        let files = pages.read(group, Pages::FINGERPRINT).unwrap();
        for ((url, site), file) in urls.iter().zip(sites.iter()).zip(files) {
            found.push(PlainPage {
                url: string(url),
                site: string(site),
                file,
                chunks: Vec::new(),
            });
        }
    }
    let table = segment.fingerprints().unwrap();
    let (mut fingerprints, mut chars, mut visible) = (Vec::new(), Vec::new(), Vec::new());
    for group in 0..table.groups() {
        fingerprints.extend(table.read(group, Fingerprints::FINGERPRINT).unwrap());
        chars.extend(table.read(group, Fingerprints::CHARS).unwrap());
        visible.extend(table.read(group, Fingerprints::VISIBLE).unwrap());
    }
    let table = segment.chunks().unwrap();
    for group in 0..table.groups() {
        let starts = table.read(group, Chunks::START).unwrap();
        let lengths = table.read(group, Chunks::LENGTH).unwrap();
        let ranks = table.read(group, Chunks::RANK).unwrap();
        let pages = table.read(group, Chunks::PAGE).unwrap();
        for (row, page) in pages.into_iter().enumerate() {
            let rank = ranks[row] as usize;
            let chunk = (
                starts[row],
                lengths[row],
                chars[rank],
                visible[rank],
                fingerprints[rank],
            );
            found[page as usize].chunks.push(chunk);
        }
    }
    found
}

/// Counts the occurrences, pages and sites of every fingerprint.
fn slow_counts(pages: &[PlainPage]) -> BTreeMap<Fingerprint, (i64, i64, i64)> {
    let mut seen: BTreeMap<Fingerprint, (i64, BTreeSet<usize>, BTreeSet<&str>)> = BTreeMap::new();
    for (number, page) in pages.iter().enumerate() {
        for chunk in &page.chunks {
            let entry = seen.entry(chunk.4).or_default();
            entry.0 += 1;
            entry.1.insert(number);
            entry.2.insert(&page.site);
        }
    }
    seen.into_iter()
        .map(|(fingerprint, (occurrences, pages, sites))| {
            (
                fingerprint,
                (occurrences, pages.len() as i64, sites.len() as i64),
            )
        })
        .collect()
}

fn stored_counts(segment: &Segment<'_>) -> BTreeMap<Fingerprint, (i64, i64, i64)> {
    let table = segment.fingerprints().unwrap();
    let mut counts = BTreeMap::new();
    for group in 0..table.groups() {
        let occurrences = table.read(group, Fingerprints::OCCURRENCES).unwrap();
        let pages = table.read(group, Fingerprints::PAGES).unwrap();
        let sites = table.read(group, Fingerprints::SITES).unwrap();
        let fingerprints = table.read(group, Fingerprints::FINGERPRINT).unwrap();
        for (row, fingerprint) in fingerprints.into_iter().enumerate() {
            counts.insert(fingerprint, (occurrences[row], pages[row], sites[row]));
        }
    }
    counts
}

fn check(names: &[String], directory: &Path, form: ChunkForm, segment_bytes: usize) {
    let path = directory.join(format!("{form}-{segment_bytes}"));
    let how = How {
        threads: 2,
        segment_bytes,
        chunk: form,
    };
    let stats = add(names, &path, how);
    let corpus = CorpusReader::open(&path).unwrap();
    let expected = slow_pages(names, form);
    let mut rest = expected.as_slice();
    for segment in corpus.segments() {
        let found = stored_pages(&segment);
        let (here, later) = rest.split_at(found.len());
        assert!(
            found == here,
            "pages of segment {}",
            segment.summary().number
        );
        assert_eq!(stored_counts(&segment), slow_counts(here));
        rest = later;
    }
    assert!(rest.is_empty());
    assert_eq!(stats.pages, expected.len() as u64);
    let all = slow_counts(&expected);
    assert_eq!(count_distinct(&corpus, &()).unwrap(), all.len() as u64);
    let sites: BTreeSet<&str> = expected
        .iter()
        .map(|page| page.site.as_str())
        .filter(|site| !site.is_empty())
        .collect();
    assert_eq!(count_sites(&corpus).unwrap(), sites.len() as u64);
}

#[test]
fn a_planted_web_has_the_chunks_and_counts_of_the_slow_code() {
    let directory = tempdir().unwrap();
    let names = planted_web(&directory.path().join("web"));
    check(&names, directory.path(), ChunkForm::Markup, 64 << 20);
    check(&names, directory.path(), ChunkForm::Text, 64 << 20);
    check(&names, directory.path(), ChunkForm::Markup, 200 << 10);
}
