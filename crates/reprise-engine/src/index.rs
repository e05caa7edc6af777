//! Reads archives into a corpus, on all cores and within a memory limit.
//!
//! ```text
//! Batches --(one at a time)--> workers: read, cut, fingerprint --(in order)--> Assembly --> segments
//! ```
//! Workers take batches from a shared list and pass their rows to the assembly, which puts them in order.
//! A worker does not depend on the others, and the assembly does not depend on time: the corpus is the
//! same, byte for byte, for any number of threads.

mod assembly;
mod chunker;
mod memo;
mod options;
mod prefetch;
mod sampler;
mod select;
mod slots;
mod stats;
mod worker;

use std::collections::HashSet;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use reprise_ingest::{Batch, Batches, Inputs, Source, WHOLE_BYTES, is_of_stream};
use reprise_store::{CorpusReader, CorpusWriter, HeldSources, Progress, StoreError, Unit};

pub(crate) use options::IndexConfig;
pub use options::{IndexOptions, LimitOptions};
pub(crate) use stats::IndexStats;
pub use stats::{ChangedSources, IndexSummary, SourceCounts};

use crate::error::Error;
use crate::resources::thread_pool;
use assembly::Assembly;
use select::select;
use worker::Worker;

/// The state that the threads of a run share.
struct Shared<'c> {
    feed: Mutex<Feed>,
    assembly: Mutex<Assembly<'c>>,
    /// Notified when the assembly has advanced.
    moved: Condvar,
    /// The number of batches that may be ahead of the assembly.
    ahead: u64,
    progress: &'c dyn Progress,
}

struct Feed {
    batches: Batches,
    sequence: u64,
}

/// Adds the pages of `inputs` to a corpus.
///
/// Input: sources that the corpus does not have are read. Of a source that it has in part, because a run
/// was killed or segments were removed, the missing part is read. Output: segments in the corpus, and
/// the figures of the run. Errors: only those of the corpus, and cancellation; broken input is counted.
/// Memory: within [`IndexConfig::memory_bytes`]. Threads: as configured; the result is the same for any
/// number.
///
/// Algorithm: (1) find what the corpus has; (2) workers read batches; (3) the assembly joins them in
/// order and (4) writes a segment whenever it is full, and at the end.
pub(crate) fn index(
    mut inputs: Inputs,
    corpus: &mut CorpusWriter,
    config: &IndexConfig,
    progress: &dyn Progress,
) -> Result<IndexStats, Error> {
    reprise_sys::limit_kept_memory(config.memory_bytes);
    let held = HeldSources::read(corpus.corpus(), WHOLE_BYTES)?;
    let all = mem::take(&mut inputs.sources);
    let (sources, ranges, mut total) = select(all, &held);
    find_changed(corpus.corpus(), &sources, &held, &mut total)?;
    let sources: Arc<[Source]> = sources.into();
    let to_read = sources.iter().zip(&ranges);
    let bytes = to_read.map(|(source, part)| source.bytes_in(part)).sum();
    progress.begin("reading", bytes, Unit::Bytes);
    let starts = ranges.iter().map(|range| range.start).collect();

    let threads = config.threads_within_memory();
    let settings = corpus.corpus().chunk_settings();
    let memo_bytes = (config.memory_bytes / 8 / threads).min(64 << 20);
    let has_shingles = corpus.corpus().has_shingles();
    let worker = |memo| {
        let sources = Arc::clone(&sources);
        let rows_bytes_max = config.batch_bytes().get() as usize;
        Worker::new(
            sources,
            config.limits,
            settings,
            has_shingles,
            memo,
            rows_bytes_max,
        )
    };
    let pool = thread_pool(threads)?;
    let shared = Shared {
        feed: Mutex::new(Feed {
            batches: Batches::new(Arc::clone(&sources), config.limits)
                .with_ranges(ranges)
                .with_batch_bytes(config.batch_bytes())
                .with_table_bytes(config.memory_bytes / 5),
            sequence: 0,
        }),
        assembly: Mutex::new(Assembly::new(
            Arc::clone(&sources),
            starts,
            corpus,
            pool,
            config.segment_bytes,
            worker(1 << 20),
            progress,
        )),
        moved: Condvar::new(),
        ahead: threads as u64 + 2,
        progress,
    };
    thread::scope(|scope| {
        // One of the workers is this thread, so that there is always one.
        for _ in 1..threads {
            let work = || shared.work(worker(memo_bytes));
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                log::debug!("a worker could not be started: {error}");
            }
        }
        shared.work(worker(memo_bytes));
    });
    total.add(shared.finish()?);
    Ok(total)
}

/// Counts the sources that the corpus has under the same name with other content. Their old pages stay in
/// the corpus.
fn find_changed(
    corpus: &CorpusReader,
    sources: &[Source],
    held: &HeldSources,
    total: &mut IndexStats,
) -> Result<(), StoreError> {
    let is_new = |source: &&Source| {
        !held.has(source.identity) && !is_of_stream(&source.name) && !source.is_missing()
    };
    let new = sources.iter().filter(is_new);
    let names: HashSet<&[u8]> = new.map(|source| source.name.as_bytes()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let mut changed: HashSet<&[u8]> = HashSet::new();
    for segment in corpus.segments() {
        for name in segment.names_of_read_sources()?.iter() {
            if let Some(name) = names.get(name) {
                changed.insert(name);
                total.changed.segments.insert(segment.summary().number);
                (total.changed.example)
                    .get_or_insert_with(|| String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    total.sources.changed += changed.len() as u64;
    Ok(())
}

/// Locks a mutex. Its data is consistent even after a panic of another thread, which ends the run anyway.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Closes the last segment and returns the figures of all.
    fn finish(self) -> Result<IndexStats, StoreError> {
        let assembly = self.assembly.into_inner();
        let mut assembly = assembly.unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = assembly.failed {
            return Err(error);
        }
        assembly.close_segment()?;
        Ok(assembly.total)
    }

    /// Ends the run with an error.
    fn stop(&self, error: StoreError) {
        let mut assembly = locked(&self.assembly);
        assembly.is_stopped = true;
        assembly.failed.get_or_insert(error);
        self.moved.notify_all();
    }

    fn work(&self, mut worker: Worker) {
        let _stop = StopOnPanic(self);
        loop {
            let (sequence, batch) = {
                let mut feed = locked(&self.feed);
                let Some(batch) = feed.batches.next_batch() else {
                    return;
                };
                feed.sequence += 1;
                (feed.sequence - 1, Arc::new(batch))
            };
            if !self.wait_for_turn(sequence, self.ahead) {
                return;
            }
            if self.progress.is_cancelled() {
                self.stop(StoreError::Cancelled);
                return;
            }
            self.work_on(sequence, &batch, &mut worker);
        }
    }

    /// Reads a batch and passes its rows to the assembly, in parts if there are many.
    fn work_on(&self, sequence: u64, batch: &Arc<Batch>, worker: &mut Worker) {
        let in_turn = || {
            self.wait_for_turn(sequence, 1);
        };
        let mut from = None;
        loop {
            let done = worker.read(Arc::clone(batch), from, &in_turn);
            let is_part = done.progress.is_part;
            from = Some(done.progress.position);
            // A thread has at most one part in memory.
            if is_part {
                in_turn();
            }
            let is_wanted = locked(&self.assembly).take(sequence, done);
            self.moved.notify_all();
            if !is_part || !is_wanted {
                return;
            }
        }
    }

    /// Blocks until this batch is within `ahead` of the assembly: batches that wait for their turn use
    /// memory. Returns false if the run was stopped.
    fn wait_for_turn(&self, sequence: u64, ahead: u64) -> bool {
        let mut assembly = locked(&self.assembly);
        while !assembly.is_stopped && sequence >= assembly.next + ahead {
            assembly = self
                .moved
                .wait(assembly)
                .unwrap_or_else(PoisonError::into_inner);
        }
        !assembly.is_stopped
    }
}

/// Stops the other threads if this one panics: they would wait for its batch forever.
struct StopOnPanic<'s, 'c>(&'s Shared<'c>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            locked(&self.0.assembly).is_stopped = true;
            self.0.moved.notify_all();
        }
    }
}
