//! Batches: pieces of the input that threads read in parallel, in a fixed order.

use std::cell::Cell;
use std::io;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::bomb::{Taken, broken_stream};
use crate::frame::{ALL, Event, Framing, Until, read_frames_to_break};
use crate::limits::RecordLimits;
use crate::member::{Compression, stream_view};
use crate::page::{Item, PageReader, Sink};
use crate::parquet_rows::{ParquetRows, RowBatch, TABLE_BYTES_DEFAULT};
use crate::problem::{Problem, ProblemKind};
use crate::record::{Place, Record, RecordKind};
use crate::source::{Layout, Source};
use crate::split::{BlockExtent, BlockRead, BlockReader};
use crate::stream_view::StreamView;

/// The default size of a batch, in bytes of the source.
pub const BATCH_BYTES: u64 = 8 << 20;
/// The most files in one batch.
const FILES_MAX: usize = 512;

/// A piece of the input, which any thread can read.
#[derive(Debug)]
pub struct Batch {
    /// The indices of the sources in this batch: one source, or several small files.
    pub sources: Range<usize>,
    work: Work,
}

impl Batch {
    /// Returns the byte range of the source, if the batch is a block of a source.
    pub fn block(&self) -> Option<Range<u64>> {
        match &self.work {
            Work::Block(range) => Some(range.clone()),
            _ => None,
        }
    }
}

#[derive(Debug)]
enum Work {
    Block(Range<u64>),
    Records(RecordBatch),
    Rows(RowBatch),
    Files,
    /// The source cannot be read.
    Broken(Problem),
    /// The system refused to read the source from this position on.
    Lost(Problem, u64),
}

/// Records of a stream that have been unpacked and not yet turned into pages.
#[derive(Debug, Default)]
struct RecordBatch {
    bytes: Vec<u8>,
    records: Vec<RawRecord>,
    problems: Vec<(usize, Problem)>,
    /// The position in the stream after the last record.
    end: u64,
    /// The number of compressed bytes read so far.
    taken_bytes: u64,
    is_last: bool,
    /// True if the system refused to read more.
    is_lost: bool,
}

#[derive(Debug)]
struct RawRecord {
    place: Place,
    head: Range<usize>,
    block: Range<usize>,
    damage: Option<(ProblemKind, String)>,
}

/// How far a batch was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchProgress {
    /// The part of the file that was really read, if the batch is a block of a source.
    pub extent: Option<BlockExtent>,
    /// The position in the source at which to continue later.
    pub position: u64,
    /// True if the source was read to its end.
    pub is_done: bool,
    /// The number of bytes of the file that were read so far, for a stream or a table. Their positions are not
    /// bytes of the file.
    pub taken_bytes: u64,
    /// True if the batch contains more, from `position` on.
    pub is_part: bool,
    /// The ranges of sources, by index, that the system refused to read in this run. `u64::MAX` stands for the
    /// end of a source.
    pub lost: Vec<(usize, Range<u64>)>,
}

impl BatchProgress {
    /// The progress of a batch that was read completely.
    const DONE: BatchProgress = BatchProgress {
        extent: None,
        position: 0,
        is_done: true,
        taken_bytes: 0,
        is_part: false,
        lost: Vec::new(),
    };
}

/// The memory that a page takes besides its text, at least. It counts towards the size of a batch.
pub(crate) const PAGE_BYTES: usize = 1 << 10;

/// Cuts a list of sources into batches, in order.
pub struct Batches {
    sources: Arc<[Source]>,
    limits: RecordLimits,
    next_source: usize,
    /// The range to read of each source: all of it, or what an earlier run left out.
    ranges: Vec<Range<u64>>,
    batch_bytes: u64,
    table_bytes: usize,
    open: Option<Open>,
}

enum Open {
    Split { position: u64 },
    Stream(StreamView<'static>, Framing, Taken),
    Rows(Box<ParquetRows>),
}

impl Batches {
    /// Creates batches of all bytes of these sources.
    pub fn new(sources: Arc<[Source]>, limits: RecordLimits) -> Batches {
        Batches {
            ranges: vec![0..u64::MAX; sources.len()],
            sources,
            limits,
            next_source: 0,
            batch_bytes: BATCH_BYTES,
            table_bytes: TABLE_BYTES_DEFAULT,
            open: None,
        }
    }

    /// Sets the range to read of each source: only records that begin in it are read. `u64::MAX` stands for the
    /// end of a source.
    #[must_use]
    pub fn with_ranges(mut self, ranges: Vec<Range<u64>>) -> Batches {
        self.ranges = ranges;
        self
    }

    /// Sets the size of a batch, instead of [`BATCH_BYTES`]. The size does not change which pages are read.
    /// Small batches take less memory.
    #[must_use]
    pub fn with_batch_bytes(mut self, batch_bytes: NonZeroU64) -> Batches {
        self.batch_bytes = batch_bytes.get();
        self
    }

    /// Sets the memory for reading a Parquet table: its footer, its pages and their decompression. A table that
    /// needs more is not read.
    #[must_use]
    pub fn with_table_bytes(mut self, table_bytes: usize) -> Batches {
        self.table_bytes = table_bytes;
        self
    }

    /// Returns the next batch. Streams are unpacked here; [`BatchReader::read`] does all other work.
    pub fn next_batch(&mut self) -> Option<Batch> {
        while self.next_source < self.sources.len() {
            let index = self.next_source;
            let sources = Arc::clone(&self.sources);
            let source = &sources[index];
            let work = match (&source.layout, self.open.take()) {
                (Layout::Broken(kind, detail), _) => {
                    self.next_source += 1;
                    Some(Work::Broken(Problem::new(*kind, 0, detail.clone())))
                }
                (Layout::Missing(detail), _) => {
                    self.next_source += 1;
                    let problem = Problem::new(ProblemKind::Unreadable, 0, detail.clone());
                    Some(Work::Lost(problem, 0))
                }
                (Layout::File | Layout::Mail, _) => {
                    let files = self.files_from(index);
                    self.next_source = files.end;
                    return Some(Batch {
                        sources: files,
                        work: Work::Files,
                    });
                }
                (_, None) => match self.open_source(source, self.ranges[index].start) {
                    Ok(open) => {
                        self.open = Some(open);
                        None
                    }
                    Err(work) => {
                        self.next_source += 1;
                        Some(work)
                    }
                },
                (_, Some(open)) => Some(self.next_work(source, open)),
            };
            if let Some(work) = work {
                return Some(Batch {
                    sources: index..index + 1,
                    work,
                });
            }
        }
        None
    }

    fn files_from(&self, first: usize) -> Range<usize> {
        let mut bytes = 0;
        let count = self.sources[first..]
            .iter()
            .take(FILES_MAX)
            .take_while(|source| {
                let fits = bytes < self.batch_bytes;
                bytes += source.bytes;
                fits && source.is_page()
            })
            .count();
        first..first + count
    }

    fn open_source(&self, source: &Source, start: u64) -> Result<Open, Work> {
        let lost = |error: io::Error| {
            let problem = Problem::new(ProblemKind::Unreadable, start, error.to_string());
            if error.raw_os_error().is_some() {
                Work::Lost(problem, start)
            } else {
                Work::Broken(problem)
            }
        };
        match &source.layout {
            Layout::Split(..) => Ok(Open::Split { position: start }),
            Layout::Stream(framing, compression) => {
                let taken = Taken::default();
                let mut view =
                    stream_view(source, *compression, &self.limits, Some(&taken)).map_err(lost)?;
                view.advance(start).map_err(lost)?;
                Ok(Open::Stream(view, *framing, taken))
            }
            _ => ParquetRows::open(source, start, self.table_bytes)
                .map(|rows| Open::Rows(Box::new(rows)))
                .map_err(lost),
        }
    }

    fn next_work(&mut self, source: &Source, open: Open) -> Work {
        let stop = self.ranges[self.next_source].end;
        match open {
            Open::Split { position } => {
                let block_bytes = match source.layout {
                    Layout::Split(_, Compression::None) => self.batch_bytes,
                    // Compressed records unpack to about four times as many bytes.
                    _ => (self.batch_bytes / 4).max(1),
                };
                // Blocks lie on a fixed grid, so that a continued run has the same blocks as the first run.
                let last = stop.min(source.bytes);
                let end = ((position / block_bytes + 1) * block_bytes).min(last);
                if end == last {
                    self.next_source += 1;
                } else {
                    self.open = Some(Open::Split { position: end });
                }
                Work::Block(position..end)
            }
            Open::Stream(mut view, framing, taken) => {
                let mut batch = read_stream(
                    &mut view,
                    source,
                    framing,
                    (self.batch_bytes / 2, stop),
                    &self.limits,
                );
                batch.taken_bytes = taken.load(Ordering::Relaxed);
                if batch.is_last || batch.is_lost || batch.end >= stop {
                    self.next_source += 1;
                } else {
                    self.open = Some(Open::Stream(view, framing, taken));
                }
                Work::Records(batch)
            }
            Open::Rows(mut rows) => {
                let batch = rows.next_rows(self.batch_bytes as usize / 2, stop, &self.limits);
                if batch.is_last || batch.end >= stop {
                    self.next_source += 1;
                } else {
                    self.open = Some(Open::Rows(rows));
                }
                Work::Rows(batch)
            }
        }
    }
}

fn read_stream(
    view: &mut StreamView<'static>,
    source: &Source,
    framing: Framing,
    (batch_bytes, stop): (u64, u64),
    limits: &RecordLimits,
) -> RecordBatch {
    let mut batch = RecordBatch::default();
    let place = |within, _| Place {
        offset: 0,
        length: source.bytes,
        within,
    };
    let batch_bytes = batch_bytes.max(1);
    let stop = stop.min(view.position() + batch_bytes);
    // A very short record takes more memory than its bytes.
    let kept = Cell::new(0);
    let until: Until<'_> = &|position| position >= stop || kept.get() >= 2 * batch_bytes;
    let result = read_frames_to_break(
        view,
        framing,
        limits,
        until,
        &place,
        &mut |event| match event {
            Event::Problem(problem) => {
                kept.set(kept.get() + size_of::<Problem>() as u64);
                batch.problems.push((batch.records.len(), problem));
            }
            Event::Record(record) => {
                let mut keep = |bytes: &[u8]| {
                    let start = batch.bytes.len();
                    batch.bytes.extend_from_slice(bytes);
                    start..batch.bytes.len()
                };
                let (head, block) = (keep(record.head), keep(record.block));
                let bytes = block.end - head.start + size_of::<RawRecord>() + PAGE_BYTES;
                kept.set(kept.get() + bytes as u64);
                batch.records.push(RawRecord {
                    place: record.place,
                    head,
                    block,
                    damage: record.damage,
                });
            }
        },
    );
    batch.end = view.position();
    // A stream that breaks off has ended too. The records before the break are kept.
    batch.is_last = view.at_end() && view.ahead().is_empty();
    if let Err(error) = result {
        batch.is_lost = error.raw_os_error().is_some();
        batch
            .problems
            .push((batch.records.len(), broken_stream(&error, batch.end)));
    }
    batch
}

/// Reads batches. Each thread has its own reader.
pub struct BatchReader {
    sources: Arc<[Source]>,
    pages: PageReader,
    blocks: BlockReader,
}

impl BatchReader {
    /// Creates a reader for batches of these sources.
    pub fn new(sources: Arc<[Source]>, limits: RecordLimits) -> BatchReader {
        BatchReader {
            sources,
            pages: PageReader::new(limits),
            blocks: BlockReader::new(limits),
        }
    }

    /// Reads one batch. `sink` receives the index of the source with each item.
    ///
    /// `from` is the position of the first record, if it is known (see [`BlockExtent`]).
    pub fn read(
        &mut self,
        batch: &Batch,
        from: Option<u64>,
        sink: &mut dyn FnMut(usize, Item<'_>),
    ) -> BatchProgress {
        self.read_part(batch, from, ALL, sink)
    }

    /// Reads a batch, or the first part of it: calls `is_full` before each record, and stops for now if it
    /// returns true. Only blocks are read in parts, because a compressed block may unpack to very much. All
    /// other batches are small.
    pub fn read_part(
        &mut self,
        batch: &Batch,
        from: Option<u64>,
        is_full: &dyn Fn(u64) -> bool,
        sink: &mut dyn FnMut(usize, Item<'_>),
    ) -> BatchProgress {
        let index = batch.sources.start;
        let mut sink_one = |item: Item<'_>| sink(index, item);
        match &batch.work {
            Work::Block(range) => self.block(index, (range.clone(), is_full), from, &mut sink_one),
            Work::Records(records) => self.records(index, records, &mut sink_one),
            Work::Rows(rows) => self.rows(index, rows, &mut sink_one),
            Work::Files => self.files(batch, sink),
            Work::Broken(problem) => {
                sink_one(Item::Problem(problem.clone()));
                BatchProgress::DONE
            }
            Work::Lost(problem, position) => {
                sink_one(Item::Problem(problem.clone()));
                BatchProgress {
                    position: *position,
                    is_done: false,
                    lost: vec![(index, *position..u64::MAX)],
                    ..BatchProgress::DONE
                }
            }
        }
    }

    fn block(
        &mut self,
        index: usize,
        (range, is_full): (Range<u64>, Until<'_>),
        from: Option<u64>,
        sink: Sink<'_>,
    ) -> BatchProgress {
        let sources = Arc::clone(&self.sources);
        let source = &sources[index];
        let Layout::Split(framing, compression) = source.layout else {
            unreachable!("only split sources are cut into blocks");
        };
        let pages = &mut self.pages;
        let BlockRead { mut extent, error } = self.blocks.read(
            source,
            (framing, compression),
            (range.clone(), is_full),
            from,
            &mut |event| match event {
                Event::Record(record) => pages.read(&record, &source.url, sink),
                Event::Problem(problem) => sink(Item::Problem(problem)),
            },
        );
        let mut lost = Vec::new();
        if let Some(error) = error {
            let read = extent.start.map_or(range.start, |_| extent.end);
            sink(Item::Problem(Problem::new(
                ProblemKind::Unreadable,
                read,
                error.to_string(),
            )));
            // The rest of this block is lost. The next block finds its first record by itself.
            extent = BlockExtent {
                start: extent.start.or(Some(range.start)),
                end: range.end.max(read),
            };
            if error.raw_os_error().is_some() {
                lost.push((index, read..extent.end));
            }
        }
        let is_part = extent.end < range.end && is_full(extent.end);
        BatchProgress {
            extent: Some(extent),
            position: extent.end,
            is_done: !is_part && range.end.max(extent.end) >= source.bytes,
            taken_bytes: 0,
            is_part,
            lost,
        }
    }

    fn records(&mut self, index: usize, batch: &RecordBatch, sink: Sink<'_>) -> BatchProgress {
        let sources = Arc::clone(&self.sources);
        let source = &sources[index];
        let Layout::Stream(framing, _) = source.layout else {
            unreachable!("only streams yield records");
        };
        let mut problems = batch.problems.iter().peekable();
        for (at, raw) in batch.records.iter().enumerate() {
            while let Some((_, problem)) = problems.next_if(|(before, _)| *before <= at) {
                sink(Item::Problem(problem.clone()));
            }
            let record = Record {
                place: raw.place,
                framing,
                head: &batch.bytes[raw.head.clone()],
                block: &batch.bytes[raw.block.clone()],
                damage: raw.damage.clone(),
            };
            self.pages.read(&record, &source.url, sink);
        }
        for (_, problem) in problems {
            sink(Item::Problem(problem.clone()));
        }
        BatchProgress {
            position: batch.end,
            is_done: batch.is_last && !batch.is_lost,
            taken_bytes: batch.taken_bytes,
            lost: if batch.is_lost {
                vec![(index, batch.end..u64::MAX)]
            } else {
                Vec::new()
            },
            ..BatchProgress::DONE
        }
    }

    fn rows(&mut self, index: usize, batch: &RowBatch, sink: Sink<'_>) -> BatchProgress {
        for row in &batch.rows {
            sink(Item::Record(RecordKind::Row));
            match row.as_row() {
                Ok(parsed) => self.pages.row(row.place(), &parsed, sink),
                Err((kind, detail)) => {
                    sink(Item::Problem(Problem::new(
                        kind,
                        row.place().offset,
                        detail,
                    )));
                }
            }
        }
        let mut lost = Vec::new();
        if let Some(problem) = &batch.problem {
            sink(Item::Problem(problem.clone()));
            let end = if batch.is_last { u64::MAX } else { batch.end };
            lost.extend(batch.is_lost.then_some((index, problem.offset..end)));
        }
        BatchProgress {
            position: batch.end,
            is_done: batch.is_last && !batch.is_lost,
            taken_bytes: batch.taken_bytes,
            lost,
            ..BatchProgress::DONE
        }
    }

    fn files(&mut self, batch: &Batch, sink: &mut dyn FnMut(usize, Item<'_>)) -> BatchProgress {
        let mut lost = Vec::new();
        for index in batch.sources.clone() {
            let source = &self.sources[index];
            self.pages.page_of(source, &mut |item| {
                let unreadable = ProblemKind::Unreadable;
                if matches!(&item, Item::Problem(problem) if problem.kind == unreadable) {
                    lost.push((index, 0..u64::MAX));
                }
                sink(index, item);
            });
        }
        BatchProgress {
            lost,
            ..BatchProgress::DONE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::num::NonZeroU64;
    use std::sync::Arc;

    use flate2::read::GzEncoder;

    use super::{BatchReader, Batches};
    use crate::limits::RecordLimits;
    use crate::page::Item;
    use crate::problem::ProblemKind;
    use crate::source::Source;

    const LIMITS: RecordLimits = RecordLimits {
        body_bytes: 1000,
        header_bytes: 200,
        ratio: 100,
        nesting: 2,
    };

    /// Returns the URLs and sizes of the pages, and the problems. `block_bytes` replaces the default size of a
    /// batch.
    fn read(
        name: &str,
        bytes: &[u8],
        block_bytes: Option<u64>,
    ) -> (Vec<(String, usize)>, Vec<ProblemKind>) {
        let source = Source::from_bytes(name, bytes.to_vec(), &LIMITS).unwrap();
        let sources: Arc<[Source]> = Arc::new([source]);
        let mut batches = Batches::new(Arc::clone(&sources), LIMITS);
        if let Some(bytes) = block_bytes.and_then(NonZeroU64::new) {
            batches = batches.with_batch_bytes(bytes);
        }
        let mut reader = BatchReader::new(sources, LIMITS);
        let (mut pages, mut problems, mut position) = (Vec::new(), Vec::new(), 0);
        while let Some(batch) = batches.next_batch() {
            if batch.block().is_some_and(|block| position >= block.end) {
                continue;
            }
            let progress = reader.read(&batch, Some(position), &mut |_, item| match item {
                Item::Record(_) => {}
                Item::Problem(problem) => problems.push(problem.kind),
                Item::Page(page) => pages.push((page.url.to_owned(), page.body.len())),
            });
            position = progress.position;
        }
        (pages, problems)
    }

    fn record(url: &str, body: &str) -> String {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packed = Vec::new();
        GzEncoder::new(text.as_bytes(), flate2::Compression::default())
            .read_to_end(&mut packed)
            .unwrap();
        packed
    }

    /// Returns letters that compress badly.
    fn noise(bytes: usize) -> String {
        let mut state = 1_u32;
        let mut letter = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (state >> 24) as u8 % 26)
        };
        (0..bytes).map(|_| letter()).collect()
    }

    #[test]
    fn a_stream_that_breaks_off_keeps_its_beginning() {
        let noise = noise(300);
        let row = |url: &str, text: &str| format!("{{\"url\":\"{url}\",\"text\":\"{text}\"}}\n");
        let rows = [
            row("a", &noise[..100]),
            row("b", &noise[100..200]),
            row("c", &noise[200..]),
        ];
        let packed = gzip(&rows.concat());
        let (pages, problems) = read("x.jsonl", &packed[..packed.len() - 20], None);
        assert_eq!(pages, [("a".to_owned(), 100), ("b".to_owned(), 100)]);
        assert_eq!(problems, [ProblemKind::BadRow, ProblemKind::Malformed]);
    }

    #[test]
    fn a_line_over_the_limit_is_one_problem() {
        // The line ends just after the bytes that are read at once, with less than the limit of a line to go.
        let long = format!(
            "{{\"url\":\"a\",\"text\":\"{}\"}}\n",
            "x".repeat((256 << 10) + 100)
        );
        let rows = [&long, &long, "{\"url\":\"b\",\"text\":\"b\"}\n"].concat();
        let (pages, problems) = read("x.jsonl", rows.as_bytes(), Some(1 << 10));
        assert_eq!(pages, [("b".to_owned(), 1)]);
        assert_eq!(problems, [ProblemKind::TooLarge; 2]);
    }

    #[test]
    fn a_corrupt_member_keeps_its_beginning() {
        let mut packed = gzip(&record("http://a/", &noise(900)));
        let middle = packed.len() / 2;
        packed[middle..middle + 16].fill(0xff);
        packed.extend(gzip(&record("http://b/", "after")));
        let (pages, problems) = read("x.warc", &packed, None);
        assert_eq!(problems, [ProblemKind::Malformed, ProblemKind::Truncated]);
        assert_eq!(pages.len(), 2, "{pages:?}");
        assert!(pages[0].1 > 100 && pages[0].1 < 900, "{pages:?}");
    }

    #[test]
    fn bodies_without_http_have_the_same_limit() {
        let archive = [
            record("http://a/", &noise(1000)),
            record("http://b/", &noise(1001)),
        ]
        .concat();
        let (pages, problems) = read("x.warc", archive.as_bytes(), None);
        assert_eq!(pages, [("http://a/".to_owned(), 1000)]);
        assert_eq!(problems, [ProblemKind::TooLarge]);
    }

    #[test]
    fn blocks_of_any_size_give_the_same_pages() {
        let inner = record("http://inner/", "an archive in an archive");
        let archive = [
            record("http://a/", &inner),
            record("http://b/", "b"),
            "garbage\n".to_owned(),
            inner,
        ]
        .concat();
        let whole = read("x.warc", archive.as_bytes(), None);
        assert_eq!(whole.0.len(), 3);
        for block_bytes in 1..archive.len() as u64 {
            assert_eq!(read("x.warc", archive.as_bytes(), Some(block_bytes)), whole);
        }
    }
}
