//! Stops decompression bombs: streams that unpack to far more bytes than they have.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::limits::RecordLimits;
use crate::problem::{Problem, ProblemKind};
use crate::stream_view::is_bomb;

/// The number of bytes that a decoder has taken from its input.
pub(crate) type Taken = Arc<AtomicU64>;

/// Counts the bytes that are taken from a reader.
pub(crate) struct Counted<R> {
    inner: R,
    taken: Taken,
}

impl<R: BufRead> Counted<R> {
    /// Wraps a reader. The count in `taken` starts at 0, and can be read while a decoder owns the reader.
    pub(crate) fn new(inner: R, taken: &Taken) -> Counted<R> {
        taken.store(0, Ordering::Relaxed);
        Counted {
            inner,
            taken: Arc::clone(taken),
        }
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(output)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        self.inner.consume(count);
    }
}

/// Fails as soon as the output of a decoder exceeds the ratio limit.
pub(crate) struct RatioGuard<R> {
    inner: R,
    taken: Taken,
    made: usize,
    limits: RecordLimits,
}

impl<R: Read> RatioGuard<R> {
    pub(crate) fn new(inner: R, taken: Taken, limits: RecordLimits) -> RatioGuard<R> {
        RatioGuard {
            inner,
            taken,
            made: 0,
            limits,
        }
    }
}

impl<R: Read> Read for RatioGuard<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(output)?;
        self.made += count;
        let taken = self.taken.load(Ordering::Relaxed) as usize;
        if self.limits.is_bomb(taken, self.made) {
            let detail = format!("{taken} bytes unpack to {} or more", self.made);
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, detail));
        }
        Ok(count)
    }
}

/// Returns the problem that an error while unpacking a stream stands for.
pub(crate) fn broken_stream(error: &io::Error, offset: u64) -> Problem {
    if is_bomb(error) {
        return Problem::new(ProblemKind::Bomb, offset, error.to_string());
    }
    if error.raw_os_error().is_some() {
        return Problem::new(ProblemKind::Unreadable, offset, error.to_string());
    }
    if error.kind() == io::ErrorKind::OutOfMemory {
        return Problem::new(
            ProblemKind::TooLarge,
            offset,
            format!("a stream that {error}"),
        );
    }
    let detail = format!("a compressed stream that breaks off: {error}");
    Problem::new(ProblemKind::Malformed, offset, detail)
}
