//! Puts batches in order, joins the blocks of a file, and closes segments when they are full.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use reprise_ingest::{Batch, Source};
use reprise_store::{CorpusWriter, Progress, SegmentBuilder, SourceRow, StoreError};

use super::stats::IndexStats;
use super::worker::{Done, Worker};

/// The part of a run that depends on the order of batches.
pub(crate) struct Assembly<'c> {
    sources: Arc<[Source]>,
    corpus: &'c mut CorpusWriter,
    pool: rayon::ThreadPool,
    progress: &'c dyn Progress,
    segment_bytes: usize,
    /// Reads a block again if its first record was guessed wrong.
    second_reader: Worker,
    /// Batches that were finished before their turn.
    waiting: BTreeMap<u64, Done>,
    /// The number of the batch whose turn it is.
    pub(crate) next: u64,
    /// How far each source has been read.
    positions: Vec<u64>,
    /// The bytes of each source that were reported as progress.
    told_bytes: Vec<u64>,
    /// Sources with a part before this position that could not be read, so that the start of the next
    /// record is unknown.
    is_after_loss: BTreeSet<usize>,
    /// The number of each source in the current segment.
    numbers: BTreeMap<usize, u32>,
    builder: SegmentBuilder,
    /// The figures of the current segment.
    segment: IndexStats,
    /// The figures of the run.
    pub(crate) total: IndexStats,
    /// The error that ended the run.
    pub(crate) failed: Option<StoreError>,
    /// True if no more batches are accepted.
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

    /// Takes a batch and all batches that waited for it, or a part of the batch whose turn it is. Returns
    /// true if the rest of that batch is needed.
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

    /// Appends a batch, or a part of one. Returns true if more parts follow.
    ///
    /// A block is valid if it begins where the block before it ended. Otherwise it is read again from there,
    /// or dropped if a record extends beyond it.
    fn stitch(&mut self, done: Done) -> Result<bool, StoreError> {
        let source = done.batch.sources.start;
        let (Some(block), Some(extent)) = (done.batch.block(), done.progress.extent) else {
            self.put(done)?;
            return Ok(false);
        };
        let position = self.positions[source];
        if extent.start == Some(position) || self.is_after_loss.contains(&source) {
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
            // It is the turn of this batch already.
            let done = (self.second_reader).read(Arc::clone(batch), Some(from), &|| {});
            let is_part = done.progress.is_part;
            from = done.progress.position;
            self.put(done)?;
            if !is_part {
                return Ok(());
            }
        }
    }

    /// Appends rows, and closes the segment if it is full.
    fn put(&mut self, done: Done) -> Result<(), StoreError> {
        if self.is_lost_from_the_start(&done) {
            // The next run reports it again.
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
        self.progress.advance(told_bytes);
        self.progress.add_pages(rows.pages.len() as u64);
        // A page with very many chunks has as many rows here as in the segment.
        drop(rows);
        if self.builder.memory_bytes() >= self.segment_bytes {
            self.close_segment()?;
        }
        Ok(())
    }

    /// Returns true if nothing of a source was read and nothing of it is in the segment.
    fn is_lost_from_the_start(&self, done: &Done) -> bool {
        let source = done.batch.sources.start;
        done.batch.sources.len() == 1
            && !self.numbers.contains_key(&source)
            && done.rows.pages.is_empty()
            && done.progress.lost == [(source, self.positions[source]..u64::MAX)]
    }

    /// Records the parts that could not be read. The corpus does not have them, so the next run reads them.
    /// The part after them becomes a separate row of the sources.
    fn lose(&mut self, lost: &[(usize, Range<u64>)]) {
        for (source, range) in lost {
            self.builder
                .set_progress(self.numbers[source], range.start, false);
            if range.end < u64::MAX {
                self.numbers.remove(source);
                self.is_after_loss.insert(*source);
            }
        }
    }

    /// Returns the number of a source in the current segment.
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

    /// Records how far a source has been read. Returns the number of bytes since the last call.
    fn advance(&mut self, index: usize, position: u64, is_done: bool) -> u64 {
        self.is_after_loss.remove(&index);
        let before = std::mem::replace(&mut self.positions[index], position);
        let end = if is_done { u64::MAX } else { position };
        self.sources[index].bytes_in(&(before..end))
    }

    /// Returns the bytes of a source to report as progress. `bytes` is the number that was read now, or, of
    /// a stream or table, in all.
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

    /// Writes the current segment, unless it is empty.
    pub(crate) fn close_segment(&mut self) -> Result<(), StoreError> {
        if self.builder.is_empty() {
            return Ok(());
        }
        self.progress.activity("writing a segment");
        let builder = std::mem::take(&mut self.builder);
        let facts = self.segment.segment_facts();
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
        self.progress.activity("");
        Ok(())
    }
}
