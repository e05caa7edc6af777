//! Turns a batch of records into rows, on one thread.

use std::cell::Cell;
use std::sync::Arc;

use reprise_chunk::ChunkSettings;
use reprise_fingerprint::Fingerprint;
use reprise_ingest::{
    Batch, BatchProgress, BatchReader, Item, Page, Problem, RecordLimits, Source, Tally,
};
use reprise_store::{ChunkRow, NewFingerprint, PageBatch, PageRow, PageShingles, ProblemRow};
use reprise_text::Content;
use reprise_url::{Site, is_on_host};

use super::chunker::Chunker;
use super::sampler::Sampler;
use super::stats::Records;

/// A batch that has been read, or a part of it.
pub(crate) struct Done {
    pub(crate) batch: Arc<Batch>,
    pub(crate) progress: BatchProgress,
    pub(crate) rows: PageBatch,
    pub(crate) tally: Tally,
    pub(crate) records: Records,
    pub(crate) body_bytes: u64,
}

/// Reads batches, one after another.
pub(crate) struct Worker {
    sources: Arc<[Source]>,
    reader: BatchReader,
    chunker: Chunker,
    sampler: Option<Sampler>,
    last: LastPage,
    rows_bytes_max: usize,
}

/// The memory of the rows of a chunk with a new fingerprint.
const CHUNK_BYTES: usize = size_of::<ChunkRow>() + size_of::<NewFingerprint>();

/// The texts that neighbouring pages of an archive usually share.
#[derive(Default)]
struct LastPage {
    host: Arc<str>,
    site: Arc<str>,
    media_type: Arc<str>,
    ip: Arc<str>,
}

impl Worker {
    pub(crate) fn new(
        sources: Arc<[Source]>,
        limits: RecordLimits,
        settings: ChunkSettings,
        has_shingles: bool,
        memo_bytes: usize,
        rows_bytes_max: usize,
    ) -> Worker {
        Worker {
            rows_bytes_max,
            reader: BatchReader::new(Arc::clone(&sources), limits),
            chunker: Chunker::new(settings, memo_bytes),
            sampler: has_shingles.then(|| Sampler::new(settings.hash)),
            sources,
            last: LastPage::default(),
        }
    }

    /// Reads a batch, from position `from` if it is given, until its rows reach the size of a part.
    ///
    /// The rows of a single page may exceed that size. Before they are made, `wait_for_turn` blocks until it
    /// is this batch's turn, so that only one thread at a time exceeds it.
    pub(crate) fn read(
        &mut self,
        batch: Arc<Batch>,
        from: Option<u64>,
        wait_for_turn: &dyn Fn(),
    ) -> Done {
        let mut rows = PageBatch::default();
        let mut tally = Tally::default();
        let mut records = Records::default();
        let mut body_bytes = 0;
        // Computed from the archive and not from memory, so that parts end with the same record for any
        // number of threads.
        let rows_bytes = Cell::new(0);
        let rows_bytes_max = self.rows_bytes_max;
        self.chunker.begin_batch();
        let Worker {
            sources,
            reader,
            chunker,
            sampler,
            last,
            ..
        } = self;
        let page_bytes =
            size_of::<PageRow>() + sampler.as_ref().map_or(0, |_| size_of::<PageShingles>());
        let is_full = |_| rows_bytes.get() >= rows_bytes_max;
        let grown = |chunks: usize| {
            if chunks * CHUNK_BYTES > rows_bytes_max {
                wait_for_turn();
            }
        };
        let progress = reader.read_part(&batch, from, &is_full, &mut |source, item| match item {
            Item::Record(kind) => records.count(kind),
            Item::Problem(problem) => {
                if let Some(kind) = problem.record {
                    records.count(kind);
                }
                if problem.kind.is_listed() {
                    let row = problem_row(source, &problem);
                    rows_bytes.set(rows_bytes.get() + row.memory_bytes());
                    rows.problems.push(row);
                }
                tally.add(&sources[source].name, problem);
            }
            Item::Page(page) => {
                body_bytes += page.body.len() as u64;
                let chunks = rows.chunks.len();
                (rows.pages).push(last.row(&page, source as u32));
                chunker.page(page.body, page.text, &mut rows, &grown);
                (rows.shingles).extend(sampler.as_mut().map(|sampler| sampler.page(page.text)));
                let chunks = rows.chunks.len() - chunks;
                let bytes = page_bytes + page.url.len() + chunks * CHUNK_BYTES;
                rows_bytes.set(rows_bytes.get() + bytes);
            }
        });
        self.chunker.end_batch(&mut rows);
        Done {
            batch,
            progress,
            rows,
            tally,
            records,
            body_bytes,
        }
    }
}

fn problem_row(source: usize, problem: &Problem) -> ProblemRow {
    ProblemRow {
        source: source as u32,
        kind: problem.kind.as_str(),
        offset: problem.offset,
        url: problem.url.clone(),
        detail: problem.detail.clone(),
    }
}

impl LastPage {
    /// Returns the row of the next page, without its fingerprint and number of chunks.
    fn row(&mut self, page: &Page<'_>, source: u32) -> PageRow {
        if !is_on_host(page.url, &self.host) {
            let site = Site::of(page.url);
            self.host = site.host.into();
            self.site = site.site.into();
        }
        PageRow {
            url: page.url.to_owned(),
            host: Arc::clone(&self.host),
            site: Arc::clone(&self.site),
            fetched: page.fetched,
            status: page.status,
            media_type: shared(&mut self.media_type, page.media_type),
            charset: page.charset,
            ip: page.ip.map(|ip| shared(&mut self.ip, ip)),
            content: page
                .text
                .map_or("binary", |(content, _)| Content::as_str(content)),
            bytes: page.body.len() as u64,
            fingerprint: Fingerprint::default(),
            source,
            offset: page.place.offset,
            length: page.place.length,
            within: page.place.within,
            chunks: 0,
        }
    }
}

/// Returns `last` if it equals the text, and otherwise replaces it.
fn shared(last: &mut Arc<str>, text: &str) -> Arc<str> {
    if **last != *text {
        *last = text.into();
    }
    Arc::clone(last)
}
