//! Collects the rows of a segment in memory, in the order in which they arrive.

use std::sync::Arc;

use hashbrown::HashTable;
use reprise_fingerprint::Fingerprint;

use crate::batch::{PageBatch, PageShingles, ProblemRow};
use crate::words::Words;

/// The rows of a segment that is not written yet.
#[derive(Default)]
pub struct SegmentBuilder {
    pub(crate) sources: Vec<SourceRow>,
    pub(crate) pages: PackedPages,
    pub(crate) distinct: Distinct,
    pub(crate) chunks: PackedChunks,
    /// One for each page, or empty in a corpus without shingles.
    pub(crate) shingles: Vec<PageShingles>,
    pub(crate) problems: Vec<ProblemRow>,
    problem_bytes: usize,
}

/// A row of the table `sources`: a source, and the part of it that the segment holds.
#[derive(Clone, Debug)]
pub struct SourceRow {
    /// The name of the source.
    pub name: String,
    /// The format of the source, such as `warc`.
    pub format: String,
    /// The size of the source.
    pub bytes: u64,
    /// The fingerprint that recognises the source in a later run.
    pub identity: Fingerprint,
    /// The start of the part that the segment holds.
    pub start: u64,
    /// The end of that part.
    pub end: u64,
    /// True if that part ends at the end of the source.
    pub is_done: bool,
}

/// The rows of the table `pages`. Repeated texts are stored once.
#[derive(Default)]
pub(crate) struct PackedPages {
    /// All URLs, concatenated.
    pub(crate) urls: String,
    pub(crate) rows: Vec<PackedPage>,
    pub(crate) words: Words,
    last: LastWords,
}

/// The texts of the last page and their numbers. Neighbouring pages share texts, so most lookups end
/// here.
#[derive(Default)]
struct LastWords {
    host: Option<(Arc<str>, u32)>,
    site: Option<(Arc<str>, u32)>,
    media_type: Option<(Arc<str>, u32)>,
    ip: Option<(Arc<str>, u32)>,
}

pub(crate) struct PackedPage {
    pub(crate) url_end: usize,
    pub(crate) host: u32,
    pub(crate) site: u32,
    pub(crate) fetched: Option<i64>,
    pub(crate) status: Option<u16>,
    pub(crate) media_type: u32,
    pub(crate) charset: u32,
    pub(crate) ip: Option<u32>,
    pub(crate) content: &'static str,
    pub(crate) bytes: u64,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) source: u32,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) within: u64,
    pub(crate) chunks: u32,
}

/// The distinct fingerprints of the segment, numbered in the order in which they first occur.
#[derive(Default)]
pub(crate) struct Distinct {
    table: HashTable<Slot>,
    pub(crate) fingerprints: Vec<Fingerprint>,
    pub(crate) counts: Vec<Counts>,
}

/// An entry of the hash table of fingerprints. It holds part of the fingerprint, so that growing the table
/// reads no fingerprints and a search reads hardly any.
#[derive(Clone, Copy)]
struct Slot {
    prefix: u32,
    number: u32,
}

impl Slot {
    /// Hashes part of a fingerprint. Fingerprints are random already, so it is enough to spread their bits
    /// over 64.
    fn hash(prefix: u32) -> u64 {
        u64::from(prefix).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The counts of a fingerprint, and the properties of its chunk.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) occurrences: u32,
    pub(crate) pages: u32,
    last_page: u32,
    pub(crate) first_chunk: u32,
    pub(crate) chars: u32,
    pub(crate) is_visible: bool,
}

/// The rows of the table `chunks`.
#[derive(Default)]
pub(crate) struct PackedChunks {
    /// The number of each chunk's fingerprint in [`Distinct`].
    pub(crate) numbers: Vec<u32>,
    pub(crate) starts: Vec<u32>,
    pub(crate) lengths: Vec<u32>,
}

impl SegmentBuilder {
    /// Creates a builder without rows.
    pub fn new() -> SegmentBuilder {
        SegmentBuilder::default()
    }

    /// Adds a source, and returns the number by which pages and problems refer to it.
    pub fn add_source(&mut self, source: SourceRow) -> u32 {
        self.sources.push(source);
        self.sources.len() as u32 - 1
    }

    /// Sets how far a source has been read.
    pub fn set_progress(&mut self, source: u32, end: u64, is_done: bool) {
        let row = &mut self.sources[source as usize];
        row.end = end;
        row.is_done = is_done;
    }

    /// Returns true if the builder has no source. It then has no other rows either.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the number of distinct fingerprints.
    pub fn distinct_count(&self) -> u64 {
        self.distinct.fingerprints.len() as u64
    }

    /// Returns the memory that building and writing the segment takes. The number follows from the rows
    /// alone, not from the allocator, so that segments end at the same page on every machine.
    pub fn memory_bytes(&self) -> usize {
        // Writing also needs the sort key and the rank of each fingerprint, and the site of each chunk.
        const ORDER_BYTES: usize = 24;
        const SITE_BYTES: usize = size_of::<u32>();
        // The hash table has one more byte for each slot, and up to nine sixteenths of its slots are empty.
        const SLOT_BYTES: usize = (size_of::<Slot>() + 1) * 16 / 7;
        let distinct = grown(size_of::<Fingerprint>() + size_of::<Counts>()) + SLOT_BYTES;
        let chunk = grown(3 * size_of::<u32>());
        self.pages.rows.len() * grown(size_of::<PackedPage>())
            + grown(self.pages.urls.len())
            + self.pages.words.memory_bytes()
            + self.distinct.fingerprints.len() * (distinct + ORDER_BYTES)
            + self.chunks.numbers.len() * (chunk + SITE_BYTES)
            + self.shingles.len() * grown(size_of::<PageShingles>())
            + grown(self.problem_bytes)
            + self.sources.len() * (size_of::<SourceRow>() + 128)
    }

    /// Appends the rows of a batch.
    pub fn append(&mut self, batch: &PageBatch) {
        let numbers: Vec<u32> = batch
            .fingerprints
            .iter()
            .map(|new| {
                self.distinct
                    .number(new.fingerprint, new.chars, new.is_visible)
            })
            .collect();
        grow(&mut self.pages.rows, batch.pages.len());
        for column in [
            &mut self.chunks.numbers,
            &mut self.chunks.starts,
            &mut self.chunks.lengths,
        ] {
            grow(column, batch.chunks.len());
        }
        grow(&mut self.shingles, batch.shingles.len());
        grow(&mut self.problems, batch.problems.len());
        let mut chunks = batch.chunks.iter();
        for page in &batch.pages {
            let page_number = self.pages.push(page);
            for chunk in chunks.by_ref().take(page.chunks as usize) {
                let number = numbers[chunk.fingerprint as usize];
                let chunk_number = self.chunks.numbers.len() as u32;
                self.distinct.counts[number as usize].count(page_number, chunk_number);
                self.chunks.numbers.push(number);
                self.chunks.starts.push(chunk.start);
                self.chunks.lengths.push(chunk.length);
            }
        }
        self.shingles.extend_from_slice(&batch.shingles);
        for problem in &batch.problems {
            self.problem_bytes += problem.memory_bytes();
            self.problems.push(problem.clone());
        }
    }
}

/// Reserves memory for `more` rows, and at least a quarter of the current rows. A vector would double by
/// itself.
pub(crate) fn grow<T>(rows: &mut Vec<T>, more: usize) {
    if rows.capacity() - rows.len() < more {
        rows.reserve_exact(more.max(rows.len() / 4).max(64));
    }
}

/// Returns the memory for `bytes` of rows, with the unused quarter that [`grow`] may reserve.
fn grown(bytes: usize) -> usize {
    bytes + bytes / 4
}

impl Distinct {
    /// Returns the number of a fingerprint. A new one gets the next number.
    fn number(&mut self, fingerprint: Fingerprint, chars: u32, is_visible: bool) -> u32 {
        let Distinct {
            table,
            fingerprints,
            counts,
        } = self;
        let prefix = fingerprint.prefix() as u32;
        let entry = table.entry(
            Slot::hash(prefix),
            |slot| slot.prefix == prefix && fingerprints[slot.number as usize] == fingerprint,
            |slot| Slot::hash(slot.prefix),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(entry) => entry.get().number,
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let number = counts.len() as u32;
                entry.insert(Slot { prefix, number });
                grow(fingerprints, 1);
                grow(counts, 1);
                fingerprints.push(fingerprint);
                counts.push(Counts {
                    occurrences: 0,
                    pages: 0,
                    last_page: u32::MAX,
                    first_chunk: u32::MAX,
                    chars,
                    is_visible,
                });
                number
            }
        }
    }
}

impl Counts {
    /// Counts an occurrence. Pages must come in order.
    fn count(&mut self, page: u32, chunk: u32) {
        self.occurrences += 1;
        self.first_chunk = self.first_chunk.min(chunk);
        if self.last_page != page {
            self.last_page = page;
            self.pages += 1;
        }
    }
}

impl PackedPages {
    /// Appends a page and returns its number.
    fn push(&mut self, page: &crate::batch::PageRow) -> u32 {
        if self.urls.capacity() - self.urls.len() < page.url.len() {
            let more = page.url.len().max(self.urls.len() / 4);
            self.urls.reserve_exact(more);
        }
        let PackedPages { words, last, .. } = self;
        self.urls.push_str(&page.url);
        self.rows.push(PackedPage {
            url_end: self.urls.len(),
            host: words.number_again(&page.host, &mut last.host),
            site: words.number_again(&page.site, &mut last.site),
            fetched: page.fetched,
            status: page.status,
            media_type: words.number_again(&page.media_type, &mut last.media_type),
            charset: words.number(page.charset),
            ip: (page.ip.as_ref()).map(|ip| words.number_again(ip, &mut last.ip)),
            content: page.content,
            bytes: page.bytes,
            fingerprint: page.fingerprint,
            source: page.source,
            offset: page.offset,
            length: page.length,
            within: page.within,
            chunks: page.chunks,
        });
        self.rows.len() as u32 - 1
    }

    pub(crate) fn url(&self, page: usize) -> &str {
        let start = page
            .checked_sub(1)
            .map_or(0, |before| self.rows[before].url_end);
        &self.urls[start..self.rows[page].url_end]
    }
}
