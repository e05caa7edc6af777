//! Puts batches in order, stitches the blocks of a file together, and closes segments when they are full.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use reprise_ingest::{Batch, Source};
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
    /// Bytes of each source that were told to be read.
    told_bytes: Vec<u64>,
    /// Sources that were not read up to there, so that nobody knows where the next record begins.
    is_after_loss: BTreeSet<usize>,
    /// Number of a source in the segment at hand.
    numbers: BTreeMap<usize, u32>,
    builder: SegmentBuilder,
    /// Of the segment at hand.
    segment: IndexStats,
    /// Of the whole run.
    pub(crate) total: IndexStats,
    /// The error that a segment could not be written for.
    pub(crate) failed: Option<StoreError>,
    /// Nothing more is taken.
    pub(crate) is_stopped: bool,
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
            told_bytes: vec![0; positions.len()],
            positions,
            is_after_loss: BTreeSet::new(),
            numbers: BTreeMap::new(),
            builder: SegmentBuilder::new(),
            segment: IndexStats::default(),
            total: IndexStats::default(),
            failed: None,
            is_stopped: false,
        }
    }

    /// Takes a batch, and all that were waiting for it; or a part of the batch whose turn it is. Is the rest of that
    /// batch wanted?
    pub(crate) fn take(&mut self, sequence: u64, done: Done) -> bool {
        if self.is_stopped {
            return false;
        }
        self.try_take(sequence, done).unwrap_or_else(|error| {
            self.failed = Some(error);
            self.is_stopped = true;
            false
        })
    }

    fn try_take(&mut self, sequence: u64, done: Done) -> Result<bool, StoreError> {
        if sequence != self.next {
            debug_assert!(!done.progress.is_part, "parts come in their turn");
            self.waiting.insert(sequence, done);
            return Ok(false);
        }
        if self.stitch(done)? {
            return Ok(true);
        }
        self.next += 1;
        while let Some(done) = self.waiting.remove(&self.next) {
            self.stitch(done)?;
            self.next += 1;
        }
        Ok(false)
    }

    /// Puts a batch, or a part of one, behind what is before it. Is there more of it to come?
    ///
    /// A block is good if it begins where the one before it ended. If it does not, it is read
    /// again from there, or dropped where that record went beyond it.
    fn stitch(&mut self, done: Done) -> Result<bool, StoreError> {
        let source = done.batch.sources.start;
        let (Some(block), Some(stretch)) = (done.batch.block(), done.progress.extent) else {
            self.put(done)?;
            return Ok(false);
        };
        let position = self.positions[source];
        if stretch.start == Some(position) || self.is_after_loss.contains(&source) {
            let is_part = done.progress.is_part;
            self.put(done)?;
            return Ok(is_part);
        }
        if position < block.end {
            self.read_again(&done.batch, position)?;
        }
        Ok(false)
    }

    fn read_again(&mut self, batch: &Arc<Batch>, position: u64) -> Result<(), StoreError> {
        let mut from = position;
        loop {
            // It is the turn of the batch already.
            let done = (self.second_reader).read(Arc::clone(batch), Some(from), &|| {});
            let is_part = done.progress.is_part;
            from = done.progress.position;
            self.put(done)?;
            if !is_part {
                return Ok(());
            }
        }
    }

    /// Puts rows behind those before them, and closes the segment if it is full then.
    fn put(&mut self, done: Done) -> Result<(), StoreError> {
        if self.is_lost_from_the_start(&done) {
            // There is nothing to hold of it; whoever comes again is told again.
            self.total.tally.merge(done.tally);
            return Ok(());
        }
        let Done {
            batch,
            progress,
            mut rows,
            tally,
            records,
            body_bytes,
        } = done;
        let (mut read_bytes, mut told_bytes) = (0, 0);
        for source in batch.sources.clone() {
            let number = self.number(source);
            self.builder
                .set_progress(number, progress.position, progress.is_done);
            let bytes = self.advance(source, progress.position, progress.is_done);
            read_bytes += bytes;
            told_bytes += self.tell(source, bytes.max(progress.taken_bytes));
        }
        for page in &mut rows.pages {
            page.source = self.numbers[&(page.source as usize)];
        }
        for problem in &mut rows.problems {
            problem.source = self.numbers[&(problem.source as usize)];
        }
        self.lose(&progress.lost);
        self.builder.append(&rows);
        self.segment.pages += rows.pages.len() as u64;
        self.segment.chunks += rows.chunks.len() as u64;
        self.segment.bytes_in += read_bytes;
        self.segment.bytes_body += body_bytes;
        self.segment.records.merge(&records);
        self.segment.tally.merge(tally);
        self.progress.advance(told_bytes, rows.pages.len() as u64);
        // A page of very many chunks has as many rows here as in the segment.
        drop(rows);
        if self.builder.memory_bytes() >= self.segment_bytes {
            self.close_segment()?;
        }
        Ok(())
    }

    /// Was nothing at all read of a source, and is nothing of it in the segment?
    fn is_lost_from_the_start(&self, done: &Done) -> bool {
        let source = done.batch.sources.start;
        done.batch.sources.len() == 1
            && !self.numbers.contains_key(&source)
            && done.rows.pages.is_empty()
            && done.progress.lost == [(source, self.positions[source]..u64::MAX)]
    }

    /// Notes what could not be read: it is not held, so the next run reads it. What follows it is held for itself.
    fn lose(&mut self, lost: &[(usize, Range<u64>)]) {
        for (source, stretch) in lost {
            self.builder
                .set_progress(self.numbers[source], stretch.start, false);
            if stretch.end < u64::MAX {
                self.numbers.remove(source);
                self.is_after_loss.insert(*source);
            }
        }
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
        self.is_after_loss.remove(&index);
        let before = std::mem::replace(&mut self.positions[index], position);
        let end = if is_done { u64::MAX } else { position };
        self.sources[index].bytes_in(&(before..end))
    }

    /// How many more bytes of a source to tell of, where so many were read now, or of a stream or table in all.
    fn tell(&mut self, index: usize, bytes: u64) -> u64 {
        let source = &self.sources[index];
        if source.is_split() {
            return bytes;
        }
        let told = &mut self.told_bytes[index];
        let more = bytes.min(source.bytes).saturating_sub(*told);
        *told += more;
        more
    }

    /// Writes the segment at hand, if there is anything in it.
    pub(crate) fn close_segment(&mut self) -> Result<(), StoreError> {
        if self.builder.is_empty() {
            return Ok(());
        }
        self.progress.phase("writing");
        let builder = std::mem::take(&mut self.builder);
        let facts = segment_facts(&self.segment);
        self.pool
            .install(|| self.corpus.add_segment(&builder, facts))?;
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
