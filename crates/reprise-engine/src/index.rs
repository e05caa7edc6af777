//! Reads archives into a corpus: the first half of the data flow, on all cores, within a bound of memory.
//!
//! ```text
//! Batches --(one at a time)--> workers: read, cut, fingerprint --(in order)--> Assembly --> segments
//! ```
//! Workers take batches from a shared list and hand their rows to the assembly, which puts them in
//! order. Nothing that a worker does depends on the other workers, and nothing that the assembly
//! does depends on time: the corpus is the same, byte for byte, for any number of threads.

mod assembly;
mod chunker;
mod memo;
mod prefetch;
mod sampler;
mod select;
mod slots;
mod stats;
mod worker;

use std::collections::HashSet;
use std::mem;
use std::num::NonZeroU64;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use reprise_ingest::{
    BATCH_BYTES, Batch, Batches, Inputs, RecordLimits, Source, WHOLE_BYTES, is_of_stream,
};
use reprise_store::{AsBytes, Corpus, CorpusWriter, HeldSources, StoreError};

pub use stats::{IndexStats, Records, tally_of};

use crate::progress::Progress;
use assembly::Assembly;
use select::select;
use worker::Worker;

/// How to index.
#[derive(Clone, Copy, Debug)]
pub struct IndexConfig {
    /// Threads to use; fewer are used where memory is too small for so many.
    pub threads: usize,
    /// Bound of memory for the whole process.
    pub memory_bytes: usize,
    /// A segment is closed when its tables have grown to this.
    pub segment_bytes: usize,
    /// Hard limits on a record.
    pub limits: RecordLimits,
}

/// Default bound of memory.
pub const MEMORY_BYTES_DEFAULT: usize = 1 << 30;
/// The smallest bound that can be kept.
pub const MEMORY_BYTES_MIN: usize = 64 << 20;
/// Default limit on a record or HTTP header.
pub const HEADER_BYTES_DEFAULT: usize = 64 << 10;
/// Default limit on the ratio of unpacked to packed bytes.
pub const RATIO_DEFAULT: usize = 300;
/// Default limit on content encodings on top of one another.
pub const NESTING_DEFAULT: usize = 4;

/// The largest body that a bound of memory allows: it may be held several times over while it is decoded. However
/// much memory there is, places in a text are numbers of 32 bits, and a text may be three times as long as its body.
pub fn body_bytes_max(memory_bytes: usize) -> usize {
    (memory_bytes / 32).min(BODY_BYTES_MAX)
}

/// The largest body within any bound of memory.
pub const BODY_BYTES_MAX: usize = 1 << 30;

/// The largest header that a bound of memory allows. A record has two, and they are held as bodies are.
pub fn header_bytes_max(memory_bytes: usize) -> usize {
    memory_bytes / 128
}

/// The limit on a body is never larger than this unless asked for.
pub const BODY_BYTES_MAX_DEFAULT: usize = 64 << 20;

/// Default limit on a body.
pub fn body_bytes_default(memory_bytes: usize) -> usize {
    (memory_bytes / 64).min(BODY_BYTES_MAX_DEFAULT)
}

/// What the program itself takes of the memory: code and tables, of which an unoptimised build has most.
const PROGRAM_BYTES: usize = 16 << 20;

/// Default size of a segment in memory, and the largest. However much memory there is, rows are counted by numbers of
/// 32 bits.
pub fn segment_bytes_default(memory_bytes: usize) -> usize {
    (memory_bytes.saturating_sub(PROGRAM_BYTES) / 5).min(SEGMENT_BYTES_MAX)
}

/// The largest segment within any bound of memory.
pub const SEGMENT_BYTES_MAX: usize = 16 << 30;

/// What a thread needs for its buffers, beyond the bodies it holds.
const THREAD_BYTES: usize = 16 << 20;

impl IndexConfig {
    /// Batches are smaller where memory is small: several are under way at once. They follow from the size of a
    /// segment, which is at most a fifth of it, since segments end where batches do: whoever names that size gets the
    /// same segments within any memory.
    fn batch_bytes(&self) -> NonZeroU64 {
        let bytes = (self.segment_bytes as u64 / 24).clamp(256 << 10, BATCH_BYTES);
        NonZeroU64::new(bytes).expect("a batch has bytes")
    }

    /// Threads that the bound of memory has room for.
    fn threads_within_memory(&self) -> usize {
        let each = THREAD_BYTES + self.limits.body_bytes * 4;
        self.threads.clamp(1, (self.memory_bytes / 3 / each).max(1))
    }
}

/// What is shared between the threads of a run.
struct Shared<'c> {
    feed: Mutex<Feed>,
    assembly: Mutex<Assembly<'c>>,
    /// Told when the assembly has moved on.
    moved: Condvar,
    /// Batches that may be ahead of the assembly.
    ahead: u64,
}

struct Feed {
    batches: Batches,
    sequence: u64,
}

/// Adds the pages of `inputs` to a corpus.
///
/// Input: sources not held yet are read, those held are skipped; of one that a killed run left half
/// read, or of which segments were removed, what is missing is read. Output: segments in the corpus,
/// and what was done in figures. Errors: only of the corpus; broken input is counted. Memory: within
/// [`IndexConfig::memory_bytes`]. Threads: as configured; the result is the same for any number.
///
/// Algorithm: (1) find what the corpus holds; (2) workers read batches; (3) the assembly stitches
/// them in order and (4) writes a segment whenever it is full, and at the end.
pub fn index(
    mut inputs: Inputs,
    corpus: &mut CorpusWriter,
    config: &IndexConfig,
    progress: &dyn Progress,
) -> Result<IndexStats, StoreError> {
    reprise_sys::limit_kept_memory(config.memory_bytes);
    let held = HeldSources::read(corpus.corpus(), WHOLE_BYTES)?;
    let all = mem::take(&mut inputs.sources);
    let (sources, stretches, mut total) = select(all, &held);
    find_changed(corpus.corpus(), &sources, &held, &mut total)?;
    let sources: Arc<[Source]> = sources.into();
    let to_read = sources.iter().zip(&stretches);
    progress.begin(to_read.map(|(source, part)| source.bytes_in(part)).sum());
    let starts = stretches.iter().map(|stretch| stretch.start).collect();

    let threads = config.threads_within_memory();
    let settings = corpus.corpus().settings();
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
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads can be started");
    let shared = Shared {
        feed: Mutex::new(Feed {
            batches: Batches::new(Arc::clone(&sources), config.limits)
                .with_ranges(stretches)
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
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| shared.work(worker(memo_bytes)));
        }
    });
    let mut assembly = shared
        .assembly
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = assembly.failed {
        return Err(error);
    }
    assembly.close_segment()?;
    total.add(assembly.total);
    Ok(total)
}

/// Counts the sources whose name the corpus knows, though not what they are now: their old pages stay in it.
fn find_changed(
    corpus: &Corpus,
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
        for name in segment.names_of_read_sources()? {
            if let Some(name) = names.get(name.as_bytes()) {
                changed.insert(name);
                total.changed_segments.insert(segment.summary().number);
                total
                    .changed_example
                    .get_or_insert_with(|| String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    total.sources_changed += changed.len() as u64;
    Ok(())
}

/// The data behind a lock is whole even after a panic elsewhere; the panic itself ends the run.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
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
            self.work_on(sequence, &batch, &mut worker);
        }
    }

    /// Reads a batch, in parts where so much is made of it, and hands it over.
    fn work_on(&self, sequence: u64, batch: &Arc<Batch>, worker: &mut Worker) {
        let in_turn = || {
            self.wait_for_turn(sequence, 1);
        };
        let mut from = None;
        loop {
            let done = worker.read(Arc::clone(batch), from, &in_turn);
            let is_part = done.progress.is_part;
            from = Some(done.progress.position);
            // Nobody has more than one part in memory.
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

    /// Waits until no more than so many batches are not put behind one another yet, this one included: what waits for
    /// its turn takes memory. Then, is the run to go on?
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

/// Lets the other threads end when one has panicked: they would wait for its batch for ever.
struct StopOnPanic<'s, 'c>(&'s Shared<'c>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            locked(&self.0.assembly).is_stopped = true;
            self.0.moved.notify_all();
        }
    }
}

impl IndexStats {
    fn add(&mut self, other: IndexStats) {
        self.pages += other.pages;
        self.chunks += other.chunks;
        self.bytes_in += other.bytes_in;
        self.bytes_body += other.bytes_body;
        self.segments += other.segments;
        self.sources_read += other.sources_read;
        self.sources_held += other.sources_held;
        self.sources_continued += other.sources_continued;
        self.sources_changed += other.sources_changed;
        self.changed_example = self.changed_example.take().or(other.changed_example);
        self.changed_segments.extend(other.changed_segments);
        self.records.merge(&other.records);
        self.tally.merge(other.tally);
    }
}
