//! A growing view of a byte stream, with which framing code looks ahead in any source of bytes.

use std::io::{self, BufRead, Read};

/// A function that opens a stream again, from its beginning.
type Reopen<'s> = Box<dyn Fn() -> io::Result<Box<dyn Read + Send + 's>> + Send + 's>;

/// A function that opens a stream again, at a position.
type Seek<'s> = Box<dyn Fn(u64) -> io::Result<Box<dyn Read + Send>> + Send + 's>;

/// The bytes of a stream from the current position on, as far as they have been read.
pub(crate) struct StreamView<'s> {
    reader: Option<Box<dyn Read + Send + 's>>,
    reopen: Option<Reopen<'s>>,
    seek: Option<Seek<'s>>,
    /// True if the stream is read byte by byte, to get every byte before a break.
    is_careful: bool,
    /// The error at which the stream broke off, until it is reported.
    broken: Option<io::Error>,
    breaks_off: bool,
    /// True if the last bytes that were read are not a record. Kept here, because reading stops and continues
    /// between batches.
    pub(crate) is_in_garbage: bool,
    /// The end of the stream, if it is known yet.
    end: Option<u64>,
    /// The number of bytes that were read again to move back.
    again_bytes: u64,
    /// The least number of bytes to ask for at every read.
    step: usize,
    buffer: Vec<u8>,
    consumed: usize,
    /// The position of `buffer[0]` in the stream.
    base: u64,
}

/// The default for the least number of bytes to ask for at every read.
const READ_BYTES: usize = 128 << 10;
/// Shorter distances are read instead of skipped by seeking.
const SEEK_BYTES: u64 = 1 << 20;
/// The least number of bytes to ask for in a look far ahead.
const LOOK_BYTES: usize = 512;
/// The number of bytes before the last good position from which a stream is read byte by byte.
const CAREFUL_BYTES: u64 = 64;

impl<'s> StreamView<'s> {
    /// Creates a view that reads on demand. `position` is the position of the reader in its stream.
    pub(crate) fn new(reader: Box<dyn Read + Send + 's>, position: u64) -> StreamView<'s> {
        StreamView {
            reader: Some(reader),
            base: position,
            ..StreamView::whole(Vec::new()).with_end(None)
        }
    }

    /// Creates a view that reuses a buffer.
    pub(crate) fn with_buffer(
        reader: Box<dyn Read + Send + 's>,
        position: u64,
        mut buffer: Vec<u8>,
    ) -> StreamView<'s> {
        buffer.clear();
        StreamView {
            buffer,
            ..StreamView::new(reader, position)
        }
    }

    /// Creates a view of bytes in memory.
    pub(crate) fn whole(bytes: Vec<u8>) -> StreamView<'s> {
        StreamView {
            reader: None,
            reopen: None,
            seek: None,
            is_careful: false,
            broken: None,
            breaks_off: false,
            is_in_garbage: false,
            end: Some(bytes.len() as u64),
            again_bytes: 0,
            step: READ_BYTES,
            buffer: bytes,
            consumed: 0,
            base: 0,
        }
    }

    /// Sets the end of the stream.
    #[must_use]
    pub(crate) fn with_end(mut self, end: Option<u64>) -> StreamView<'s> {
        self.end = end;
        self
    }

    /// Sets the least number of bytes to ask for at every read.
    #[must_use]
    pub(crate) fn in_steps_of(mut self, bytes: usize) -> StreamView<'s> {
        self.step = bytes;
        self
    }

    /// Sets a function that opens the stream again at position 0: after a break, and to move back.
    #[must_use]
    pub(crate) fn reopened_by(
        mut self,
        reopen: impl Fn() -> io::Result<Box<dyn Read + Send + 's>> + Send + 's,
    ) -> StreamView<'s> {
        self.reopen = Some(Box::new(reopen));
        self
    }

    /// Sets a function that opens the stream at any position, so that long distances are not read.
    #[must_use]
    pub(crate) fn seeking_by(
        mut self,
        seek: impl Fn(u64) -> io::Result<Box<dyn Read + Send>> + Send + 's,
    ) -> StreamView<'s> {
        self.seek = Some(Box::new(seek));
        self
    }

    /// Returns the buffer, for reuse.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Returns the bytes that were read and not consumed yet.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.buffer[self.consumed..]
    }

    /// Returns the position of the first byte of [`StreamView::ahead`] in the stream.
    pub(crate) fn position(&self) -> u64 {
        self.base + self.consumed as u64
    }

    /// Returns true if nothing follows [`StreamView::ahead`].
    pub(crate) fn at_end(&self) -> bool {
        self.reader.is_none() && self.broken.is_none()
    }

    /// Returns true if the stream ended with an error.
    pub(crate) fn breaks_off(&self) -> bool {
        self.breaks_off
    }

    /// Reads until at least `want` bytes are there, or the stream ends. An error is returned once, if the bytes
    /// before it are not enough. After that, the stream ends with these bytes.
    pub(crate) fn fill(&mut self, want: usize) -> io::Result<()> {
        if self.consumed > 0 && self.consumed >= self.buffer.len() / 2 {
            self.buffer.drain(..self.consumed);
            self.base += self.consumed as u64;
            self.consumed = 0;
        }
        while self.buffer.len() - self.consumed < want {
            if let Some(error) = self.told_error() {
                return Err(error);
            }
            let Some(reader) = &mut self.reader else {
                return Ok(());
            };
            let missing = want - (self.buffer.len() - self.consumed);
            let old = self.buffer.len();
            // Reserve room for the final read that finds nothing, so that the buffer does not double.
            let wanted = missing.max(self.step);
            self.buffer.reserve(wanted + 32);
            let result = reader
                .by_ref()
                .take(wanted as u64)
                .read_to_end(&mut self.buffer);
            match result {
                Ok(_) if self.buffer.len() > old => {}
                Ok(_) => self.close(),
                // The bytes before an error are still good.
                Err(error) => self.break_off(error),
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        self.reader = None;
        self.end = Some(self.base + self.buffer.len() as u64);
    }

    /// Returns the error at which the stream broke off. A bomb has not ended, so its error is returned whenever
    /// more bytes are needed.
    fn told_error(&mut self) -> Option<io::Error> {
        let error = self.broken.take()?;
        if is_bomb(&error) {
            self.broken = Some(io::Error::new(error.kind(), error.to_string()));
        } else {
            self.breaks_off = true;
        }
        Some(error)
    }

    /// Ends the stream at an error. A decoder returns nothing of the step in which it meets an error. The kept
    /// bytes must not depend on the size of that step, so the rest is read again byte by byte.
    fn break_off(&mut self, error: io::Error) {
        let is_decoders = !is_bomb(&error) && error.raw_os_error().is_none();
        if self.is_careful || !is_decoders || self.reopen.is_none() {
            self.close();
            self.broken = Some(error);
            return;
        }
        self.is_careful = true;
        let good = self.base + self.buffer.len() as u64;
        match self.open_at(good) {
            Ok(reader) => self.reader = Some(reader),
            Err(error) => {
                self.close();
                self.broken = Some(error);
            }
        }
    }

    /// Opens the stream again at a position.
    fn open_at(&self, position: u64) -> io::Result<Box<dyn Read + Send + 's>> {
        let reopen = self.reopen.as_ref();
        let mut reader = reopen.ok_or(io::ErrorKind::NotSeekable)?()?;
        let step = if self.is_careful { CAREFUL_BYTES } else { 0 };
        let fast = position.saturating_sub(step);
        io::copy(&mut reader.by_ref().take(fast), &mut io::sink())?;
        if self.is_careful {
            reader = Box::new(ByteByByte(reader));
        }
        io::copy(&mut reader.by_ref().take(position - fast), &mut io::sink())?;
        Ok(reader)
    }

    /// Moves forward by `count` bytes, or to the end of the stream. Reads and drops bytes that are not in
    /// memory.
    pub(crate) fn advance(&mut self, count: u64) -> io::Result<()> {
        let mut left = count;
        loop {
            let here = (left.min(self.ahead().len() as u64)) as usize;
            self.consumed += here;
            left -= here as u64;
            if left == 0 || self.at_end() {
                return Ok(());
            }
            if let (Some(seek), Some(end)) = (&self.seek, self.end)
                && left > SEEK_BYTES
            {
                let target = self.position().saturating_add(left).min(end);
                self.reader = Some(seek(target)?);
                self.buffer.clear();
                (self.base, self.consumed) = (target, 0);
                return Ok(());
            }
            self.fill(left.min(READ_BYTES as u64) as usize)?;
        }
    }

    /// Moves forward by `count` bytes, or returns false and does not move if the stream ends before. The first
    /// time, the stream is read to its end and opened again; after that its end is known.
    pub(crate) fn step_over(&mut self, count: u64) -> io::Result<bool> {
        let here = self.position();
        let target = here.saturating_add(count);
        if self.end.is_none() {
            match self.advance(count) {
                Err(error) if is_bomb(&error) || error.raw_os_error().is_some() => {
                    return Err(error);
                }
                _ if self.position() == target || self.reopen.is_none() => return Ok(true),
                _ => {}
            }
            self.is_careful = false;
            self.breaks_off = false;
            self.reader = Some(self.open_at(here)?);
            self.buffer.clear();
            (self.base, self.consumed) = (here, 0);
        }
        if self.end.is_some_and(|end| end < target) {
            return Ok(false);
        }
        self.advance(count)?;
        Ok(true)
    }

    /// Returns a second view, `count` bytes ahead. Returns `None` if all bytes between would have to be read,
    /// or if the stream ends before.
    pub(crate) fn look_beyond(&self, count: u64) -> io::Result<Option<StreamView<'static>>> {
        let target = self.position().saturating_add(count);
        match (&self.seek, self.end) {
            (Some(seek), Some(end)) if target <= end => {
                let there = StreamView::new(seek(target)?, target).with_end(self.end);
                Ok(Some(there.in_steps_of(LOOK_BYTES)))
            }
            _ => Ok(None),
        }
    }

    /// Moves back to an earlier position, or returns false and does not move. A stream without seeking is read
    /// again from its beginning, as long as the bytes read again do not exceed those read before.
    pub(crate) fn step_back(&mut self, position: u64) -> io::Result<bool> {
        if position >= self.base {
            self.consumed = (position - self.base) as usize;
            return Ok(true);
        }
        if let Some(seek) = &self.seek {
            self.reader = Some(seek(position)?);
        } else if self.reopen.is_some() && self.again_bytes <= self.position() {
            self.again_bytes += position;
            self.is_careful = false;
            self.reader = Some(self.open_at(position)?);
        } else {
            return Ok(false);
        }
        self.broken = None;
        self.breaks_off = false;
        self.buffer.clear();
        (self.base, self.consumed) = (position, 0);
        Ok(true)
    }

    /// Drops the rest of the stream.
    pub(crate) fn abandon(&mut self) {
        self.consumed = self.buffer.len();
        self.broken = None;
        self.reader = None;
    }
}

/// Returns true if the error means that the ratio limit was exceeded.
pub(crate) fn is_bomb(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::QuotaExceeded
}

/// Asks for one byte at a time.
struct ByteByByte<R>(R);

impl<R: Read> Read for ByteByByte<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let one = output.len().min(1);
        self.0.read(&mut output[..one])
    }
}

impl Read for StreamView<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(out.len());
        out[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for StreamView<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ahead().is_empty() {
            self.fill(1)?;
        }
        Ok(self.ahead())
    }

    fn consume(&mut self, count: usize) {
        self.consumed += count;
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::StreamView;

    #[test]
    fn looking_far_ahead_keeps_the_buffer() {
        let bytes: Vec<u8> = (0..4_000_000_u32).map(|at| (at / 1000) as u8).collect();
        let open = {
            let bytes = bytes.clone();
            move |at: u64| -> io::Result<Box<dyn io::Read + Send>> {
                Ok(Box::new(io::Cursor::new(bytes[at as usize..].to_vec())))
            }
        };
        let mut view = StreamView::new(open(0).unwrap(), 0)
            .with_end(Some(bytes.len() as u64))
            .seeking_by(open);
        view.fill(1000).unwrap();
        view.advance(10).unwrap();
        let held = view.ahead().len();
        let mut there = view.look_beyond(3_000_000).unwrap().unwrap();
        there.fill(16).unwrap();
        assert_eq!(there.position(), 3_000_010);
        assert_eq!(there.ahead()[..16], bytes[3_000_010..3_000_026]);
        assert_eq!((view.position(), view.ahead().len()), (10, held));
        assert!(view.look_beyond(4_000_000).unwrap().is_none());
    }
}
