//! What a thread hands over: some pages with their chunks, ready to be put behind those before them.

use std::sync::Arc;

use reprise_fingerprint::{Fingerprint, HashKind};
use reprise_shingle::{SHINGLES, Shingler, Shingles};

use crate::builder::grow;

/// A page, as the `pages` table holds it. Neighbours share the texts that they have in common.
#[derive(Clone, Debug, Default)]
pub struct PageRow {
    /// URL as the archive writes it.
    pub url: String,
    /// Host of the URL, or empty.
    pub host: Arc<str>,
    /// Site of the URL, or empty.
    pub site: Arc<str>,
    /// Fetch time in milliseconds since 1970.
    pub fetched: Option<i64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Media type.
    pub media_type: Arc<str>,
    /// Name of the encoding, or empty.
    pub charset: &'static str,
    /// Address of the server.
    pub ip: Option<Arc<str>>,
    /// `html`, `plain`, `other` or `binary`.
    pub content: &'static str,
    /// Size of the decoded body.
    pub bytes: u64,
    /// Fingerprint of the decoded body.
    pub fingerprint: Fingerprint,
    /// Index of the source, as the segment knows it (see [`crate::SegmentBuilder::add_source`]).
    pub source: u32,
    /// Where the record lies in its source.
    pub offset: u64,
    /// Bytes from there that hold it.
    pub length: u64,
    /// Bytes to skip in the unpacked member.
    pub within: u64,
    /// How many of the batch's chunks are this page's.
    pub chunks: u32,
}

/// A fingerprint that is new in a batch.
#[derive(Clone, Copy, Debug)]
pub struct NewFingerprint {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Characters of the normal form.
    pub chars: u32,
    /// Does the chunk have visible text?
    pub is_visible: bool,
}

/// A chunk of a page.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRow {
    /// Index into the batch's fingerprints.
    pub fingerprint: u32,
    /// First byte in the page's text.
    pub start: u32,
    /// Length in bytes.
    pub length: u32,
}

/// What is sampled of a page's words.
#[derive(Clone, Copy, Debug)]
pub struct PageShingles {
    /// How many words the page has.
    pub words: u32,
    /// Fingerprint of its words, one after another: pages with the same one say the same.
    pub text: Fingerprint,
    /// Its shingles; all zero for a page without words.
    pub shingles: Shingles,
}

impl PageShingles {
    /// What is sampled of the document that a shingler holds.
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
    /// Index of the source, as in [`PageRow::source`].
    pub source: u32,
    /// Name of the kind.
    pub kind: &'static str,
    /// Where in the source.
    pub offset: u64,
    /// URL, where known.
    pub url: Option<String>,
    /// What was found.
    pub detail: String,
}

impl ProblemRow {
    /// Memory that it takes.
    pub fn memory_bytes(&self) -> usize {
        let url = self.url.as_ref().map_or(0, String::len);
        size_of::<ProblemRow>() + self.detail.len() + url
    }
}

/// Some pages with their chunks.
///
/// The same fingerprint may stand in `fingerprints` more than once; it is the same all the same.
#[derive(Clone, Debug, Default)]
pub struct PageBatch {
    /// The pages, in order.
    pub pages: Vec<PageRow>,
    /// Fingerprints that the chunks refer to.
    pub fingerprints: Vec<NewFingerprint>,
    /// The chunks of all pages, one page after another.
    pub chunks: Vec<ChunkRow>,
    /// The shingles of all pages, or of none.
    pub shingles: Vec<PageShingles>,
    /// Records that were skipped or damaged.
    pub problems: Vec<ProblemRow>,
}

impl PageBatch {
    /// Makes room for more chunks and their fingerprints; where there are few, they make it themselves.
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
