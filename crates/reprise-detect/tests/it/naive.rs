//! Random corpora as plain lists, and their counts by a naive computation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_store::{
    ChunkRow, CorpusReader, CorpusWriter, NewFingerprint, PageBatch, PageRow, RequestedSettings,
    SegmentBuilder, SegmentFacts, SourceRow,
};

/// A page. Its chunks are numbers.
#[derive(Clone, Debug)]
pub(crate) struct PlainPage {
    pub(crate) site: u8,
    pub(crate) path: String,
    pub(crate) fetched: Option<i64>,
    pub(crate) chunks: Vec<u8>,
}

impl PlainPage {
    pub(crate) fn site(&self) -> String {
        format!("site{}.example", self.site)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/{}", self.site(), self.path)
    }
}

pub(crate) fn pages() -> impl Strategy<Value = Vec<PlainPage>> {
    let page = (
        0u8..4,
        "([ab]/){0,3}[xyz]",
        proptest::option::of(0i64..5),
        proptest::collection::vec(0u8..12, 0..8),
    );
    let page = page.prop_map(|(site, path, fetched, chunks)| PlainPage {
        site,
        path,
        fetched,
        chunks,
    });
    proptest::collection::vec(page, 0..24)
}

/// Returns true if a chunk has visible text. Chunk 0 has none.
pub(crate) fn is_visible(chunk: u8) -> bool {
    chunk != 0
}

/// Returns the number of characters of a chunk.
pub(crate) fn chars(chunk: u8) -> u64 {
    u64::from(chunk) * 10
}

pub(crate) fn fingerprint(chunk: u8) -> Fingerprint {
    HashKind::Sha256.fingerprint(&[chunk])
}

/// Writes pages as a corpus with `segment_pages` pages in each segment.
pub(crate) fn write(path: &Path, pages: &[PlainPage], segment_pages: usize) -> CorpusReader {
    let mut writer = CorpusWriter::open(path, RequestedSettings::default()).unwrap();
    for (number, pages) in pages.chunks(segment_pages.max(1)).enumerate() {
        let mut builder = SegmentBuilder::new();
        builder.add_source(SourceRow {
            name: format!("{number}"),
            format: "warc".to_owned(),
            bytes: 0,
            identity: HashKind::Sha256.fingerprint(&number.to_le_bytes()),
            start: 0,
            end: 0,
            is_done: true,
        });
        for page in pages {
            builder.append(&batch(page));
        }
        writer
            .add_segment(&builder, SegmentFacts::default())
            .unwrap();
    }
    CorpusReader::open(path).unwrap()
}

fn batch(page: &PlainPage) -> PageBatch {
    let body: Vec<u8> = page.chunks.clone();
    PageBatch {
        pages: vec![PageRow {
            url: page.url(),
            host: page.site().into(),
            site: page.site().into(),
            fetched: page.fetched,
            status: Some(200),
            media_type: "text/html".into(),
            charset: "UTF-8",
            ip: None,
            content: "html",
            bytes: body.len() as u64,
            fingerprint: HashKind::Sha256.fingerprint(&body),
            source: 0,
            offset: 0,
            length: 0,
            within: 0,
            chunks: page.chunks.len() as u32,
        }],
        fingerprints: page
            .chunks
            .iter()
            .map(|&chunk| NewFingerprint {
                fingerprint: fingerprint(chunk),
                chars: chars(chunk) as u32,
                is_visible: is_visible(chunk),
            })
            .collect(),
        chunks: (0..page.chunks.len() as u32)
            .map(|at| ChunkRow {
                fingerprint: at,
                start: at,
                length: 1,
            })
            .collect(),
        problems: Vec::new(),
        shingles: Vec::new(),
    }
}

/// Counts the occurrences, pages and sites of each chunk.
pub(crate) fn counts(pages: &[PlainPage]) -> BTreeMap<u8, [u64; 3]> {
    let mut counts = BTreeMap::new();
    for chunk in 0..12u8 {
        let with: Vec<&PlainPage> = pages
            .iter()
            .filter(|page| page.chunks.contains(&chunk))
            .collect();
        let occurrences = pages
            .iter()
            .flat_map(|page| &page.chunks)
            .filter(|found| **found == chunk)
            .count();
        let sites: BTreeSet<u8> = with.iter().map(|page| page.site).collect();
        if occurrences > 0 {
            counts.insert(
                chunk,
                [occurrences as u64, with.len() as u64, sites.len() as u64],
            );
        }
    }
    counts
}
