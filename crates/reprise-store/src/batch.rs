//! The rows that a thread has read: pages with their chunks, ready to be added to a segment.

use std::sync::Arc;

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::{SHINGLES, Shingler, Shingles};

use crate::builder::grow;

/// A row of the table `pages`. Neighbouring rows share equal texts.
#[derive(Clone, Debug, Default)]
pub struct PageRow {
    /// The URL, as in the archive.
    pub url: String,
    /// The host of the URL, or empty.
    pub host: Arc<str>,
    /// The site of the URL, or empty.
    pub site: Arc<str>,
    /// The fetch time in milliseconds since 1970.
    pub fetched: Option<i64>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The media type.
    pub media_type: Arc<str>,
    /// The name of the charset, or empty.
    pub charset: &'static str,
    /// The IP address of the server.
    pub ip: Option<Arc<str>>,
    /// `html`, `plain`, `other` or `binary`.
    pub content: &'static str,
    /// The size of the decoded body.
    pub bytes: u64,
    /// The fingerprint of the decoded body.
    pub fingerprint: Fingerprint,
    /// The number of the source, from [`crate::SegmentBuilder::add_source`].
    pub source: u32,
    /// The position of the record in the source.
    pub offset: u64,
    /// The length of the record in the source.
    pub length: u64,
    /// The position of the record in the decompressed member at `offset`.
    pub within: u64,
    /// The number of chunks of the page.
    pub chunks: u32,
}

/// A fingerprint of a batch.
#[derive(Clone, Copy, Debug)]
pub struct NewFingerprint {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The number of characters of the chunk's normal form.
    pub chars: u32,
    /// True if the chunk has visible text.
    pub is_visible: bool,
}

/// A chunk of a page.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRow {
    /// The index in [`PageBatch::fingerprints`].
    pub fingerprint: u32,
    /// The first byte in the page's text.
    pub start: u32,
    /// The length in bytes.
    pub length: u32,
}

/// A row of the table `shingles`.
#[derive(Clone, Copy, Debug)]
pub struct PageShingles {
    /// The number of words of the page.
    pub words: u32,
    /// The fingerprint of the word sequence. Pages with the same words in the same order have the same one.
    pub text: Fingerprint,
    /// The shingles, all zero for a page without words.
    pub shingles: Shingles,
}

impl PageShingles {
    /// Computes the row of the document in `shingler`.
    pub fn of(shingler: &mut Shingler, hash: HashKind) -> PageShingles {
        let mut bytes = Vec::with_capacity(shingler.tokens().len() * 8);
        for token in shingler.tokens() {
            bytes.extend_from_slice(&token.to_be_bytes());
        }
        PageShingles {
            words: shingler.tokens().len() as u32,
            text: hash.fingerprint(&bytes),
            shingles: shingler.shingles().unwrap_or([0; SHINGLES]),
        }
    }
}

/// A record that was skipped or damaged.
#[derive(Clone, Debug)]
pub struct ProblemRow {
    /// The number of the source, as in [`PageRow::source`].
    pub source: u32,
    /// The kind of problem.
    pub kind: &'static str,
    /// The position of the record in the source.
    pub offset: u64,
    /// The URL of the record, if known.
    pub url: Option<String>,
    /// A description of the problem.
    pub detail: String,
}

impl ProblemRow {
    /// Returns the memory of the row.
    pub fn memory_bytes(&self) -> usize {
        let url = self.url.as_ref().map_or(0, String::len);
        size_of::<ProblemRow>() + self.detail.len() + url
    }
}

/// Some pages with their chunks.
#[derive(Clone, Debug, Default)]
pub struct PageBatch {
    /// The pages, in order.
    pub pages: Vec<PageRow>,
    /// The fingerprints that the chunks refer to. Duplicates are allowed.
    pub fingerprints: Vec<NewFingerprint>,
    /// The chunks of all pages, in page order.
    pub chunks: Vec<ChunkRow>,
    /// The shingles of all pages, or empty in a corpus without shingles.
    pub shingles: Vec<PageShingles>,
    /// Records that were skipped or damaged.
    pub problems: Vec<ProblemRow>,
}

impl PageBatch {
    /// Reserves memory for `chunks` more chunks and their fingerprints. A large vector grows by a quarter
    /// instead of doubling; a small one is left to grow as usual.
    pub fn make_room(&mut self, chunks: usize) {
        const MANY: usize = 1 << 16;
        if self.fingerprints.len() >= MANY {
            grow(&mut self.fingerprints, chunks);
        }
        if self.chunks.len() >= MANY {
            grow(&mut self.chunks, chunks);
        }
    }
}
