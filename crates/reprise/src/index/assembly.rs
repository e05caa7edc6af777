//! Puts batches in order, stitches the blocks of a file together, and closes segments when they are full.

use std::collections::BTreeMap;
use std::sync::Arc;

use reprise_ingest::Source;
use reprise_store::{CorpusWriter, SegmentBuilder, SourceRow, StoreError};

use super::stats::{IndexStats, segment_facts};
use super::worker::{Done, Worker};
use crate::progress::Progress;

/// Everything that depends on the order of batches.
pub(crate) struct Assembly<'c> {
    sources: Arc<[Source]>,
    corpus: &'c mut CorpusWriter,
    pool: rayon::ThreadPool,
    progress: &'c dyn Progress,
    segment_bytes: usize,
    /// Reads a block again when its beginning was guessed wrong.
    second_reader: Worker,
    /// Batches that are done before those in front of them.
    waiting: BTreeMap<u64, Done>,
    /// Number of the batch whose turn it is.
    pub(crate) next: u64,
    /// How far each source has been read.
    positions: Vec<u64>,
    /// Number of a source in the segment at hand.
    numbers: BTreeMap<usize, u32>,
    builder: SegmentBuilder,
    /// Of the segment at hand.
    segment: IndexStats,
    /// Of the whole run.
    pub(crate) total: IndexStats,
    /// Nothing more is taken: a segment could not be written.
    has_failed: bool,
}

impl<'c> Assembly<'c> {
    pub(crate) fn new(
        sources: Arc<[Source]>,
        positions: Vec<u64>,
        corpus: &'c mut CorpusWriter,
        pool: rayon::ThreadPool,
        segment_bytes: usize,
        second_reader: Worker,
        progress: &'c dyn Progress,
    ) -> Assembly<'c> {
        Assembly {
            sources,
            corpus,
            pool,
            progress,
            segment_bytes,
            second_reader,
            waiting: BTreeMap::new(),
            next: 0,
            positions,
            numbers: BTreeMap::new(),
            builder: SegmentBuilder::new(),
            segment: IndexStats::default(),
            total: IndexStats::default(),
            has_failed: false,
        }
    }

    /// Takes a batch, and all that were waiting for it.
    pub(crate) fn take(&mut self, sequence: u64, done: Done) -> Result<(), StoreError> {
        if self.has_failed {
            // The error has been told to who met it; what others bring now belongs to no segment.
            return Ok(());
        }
        self.waiting.insert(sequence, done);
        while let Some(done) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.put(done);
            if self.builder.memory_bytes() >= self.segment_bytes {
                self.close_segment()?;
            }
        }
        Ok(())
    }

    /// Puts the batch whose turn it is behind those before it.
    fn put(&mut self, done: Done) {
        let Some(done) = self.stitch(done) else {
            return;
        };
        let Done {
            batch,
            progress,
            mut rows,
            tally,
            records,
            body_bytes,
        } = done;
        let mut read_bytes = 0;
        for source in batch.sources.clone() {
            let number = self.number(source);
            self.builder
                .set_progress(number, progress.position, progress.is_done);
            read_bytes += self.advance(source, progress.position, progress.is_done);
        }
        for page in &mut rows.pages {
            page.source = self.numbers[&(page.source as usize)];
        }
        for problem in &mut rows.problems {
            problem.source = self.numbers[&(problem.source as usize)];
        }
        self.builder.append(&rows);
        self.segment.pages += rows.pages.len() as u64;
        self.segment.chunks += rows.chunks.len() as u64;
        self.segment.bytes_in += read_bytes;
        self.segment.bytes_body += body_bytes;
        self.segment.records.merge(&records);
        self.segment.tally.merge(tally);
        self.progress.advance(read_bytes, rows.pages.len() as u64);
    }

    /// A block is good if it begins where the one before it ended. If it does not, it is read
    /// again from there, or dropped where that record went beyond it.
    fn stitch(&mut self, done: Done) -> Option<Done> {
        let (Some(block), Some(stretch)) = (done.batch.block(), done.progress.stretch) else {
            return Some(done);
        };
        let position = self.positions[done.batch.sources.start];
        if stretch.start == Some(position) {
            return Some(done);
        }
        if position >= block.end {
            let is_last = block.end >= self.sources[done.batch.sources.start].bytes;
            return is_last.then(|| self.second_reader.read(done.batch, Some(position)));
        }
        Some(self.second_reader.read(done.batch, Some(position)))
    }

    /// The number of a source in the segment at hand.
    fn number(&mut self, index: usize) -> u32 {
        if let Some(&number) = self.numbers.get(&index) {
            return number;
        }
        let source = &self.sources[index];
        let start = self.positions[index];
        let number = self.builder.add_source(SourceRow {
            name: source.name.clone(),
            format: source.format().to_owned(),
            bytes: source.bytes,
            identity: source.identity,
            start,
            end: start,
            is_done: false,
        });
        self.numbers.insert(index, number);
        number
    }

    /// Notes how far a source has been read; returns how many of its bytes that is more than before.
    fn advance(&mut self, index: usize, position: u64, is_done: bool) -> u64 {
        let before = std::mem::replace(&mut self.positions[index], position);
        let end = if is_done { u64::MAX } else { position };
        self.sources[index].bytes_in(&(before..end))
    }

    /// Writes the segment at hand, if there is anything in it.
    pub(crate) fn close_segment(&mut self) -> Result<(), StoreError> {
        if self.builder.is_empty() {
            return Ok(());
        }
        self.progress.phase("writing");
        let builder = std::mem::take(&mut self.builder);
        let facts = segment_facts(&self.segment);
        let added = self
            .pool
            .install(|| self.corpus.add_segment(&builder, facts));
        self.has_failed = added.is_err();
        added?;
        self.numbers.clear();
        let segment = std::mem::take(&mut self.segment);
        self.total.pages += segment.pages;
        self.total.chunks += segment.chunks;
        self.total.bytes_in += segment.bytes_in;
        self.total.bytes_body += segment.bytes_body;
        self.total.segments += 1;
        self.total.records.merge(&segment.records);
        self.total.tally.merge(segment.tally);
        self.progress.phase("reading");
        Ok(())
    }
}
