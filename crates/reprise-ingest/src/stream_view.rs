//! A growing view into a byte stream, so that framing code can look ahead without knowing where bytes come from.

use std::io::{self, BufRead, Read};

/// Opens a stream again, from its beginning.
type Reopen<'s> = Box<dyn Fn() -> io::Result<Box<dyn Read + Send + 's>> + Send + 's>;

/// Opens a stream again, at a position.
type Seek<'s> = Box<dyn Fn(u64) -> io::Result<Box<dyn Read + Send>> + Send + 's>;

/// The bytes of a stream from the current position on, as far as they have been read.
pub(crate) struct StreamView<'s> {
    reader: Option<Box<dyn Read + Send + 's>>,
    reopen: Option<Reopen<'s>>,
    seek: Option<Seek<'s>>,
    /// Is the stream read byte by byte, to get all that there is before it breaks off?
    is_careful: bool,
    /// By what it broke off, until that is told.
    broken: Option<io::Error>,
    breaks_off: bool,
    /// Was what was read last no record? Kept here since reading stops and goes on between batches.
    pub(crate) is_in_garbage: bool,
    /// Where the stream ends, as soon as that is known.
    end: Option<u64>,
    /// Bytes that were read again to go back.
    again_bytes: u64,
    /// Bytes asked for at least at every read.
    step: usize,
    buffer: Vec<u8>,
    consumed: usize,
    /// Stream position of `buffer[0]`.
    base: u64,
}

/// Bytes asked for at least at every read, unless told otherwise.
const READ_BYTES: usize = 128 << 10;
/// Less than this is read rather than stepped over.
const SEEK_BYTES: u64 = 1 << 20;
/// Bytes asked for at least in a look at what lies far ahead.
const LOOK_BYTES: usize = 512;
/// A stream is read byte by byte a little before the place where it is known to be good.
const CAREFUL_BYTES: u64 = 64;

impl<'s> StreamView<'s> {
    /// A view that reads on demand; `position` is where in its stream the reader stands.
    pub(crate) fn new(reader: Box<dyn Read + Send + 's>, position: u64) -> StreamView<'s> {
        StreamView {
            reader: Some(reader),
            base: position,
            ..StreamView::whole(Vec::new()).with_end(None)
        }
    }

    /// The same, in a buffer that was used before.
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

    /// A view of bytes that are all there.
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

    /// The same view of a stream of which it is known where it ends.
    #[must_use]
    pub(crate) fn with_end(mut self, end: Option<u64>) -> StreamView<'s> {
        self.end = end;
        self
    }

    /// The same view, read by as many bytes at a time.
    #[must_use]
    pub(crate) fn in_steps_of(mut self, bytes: usize) -> StreamView<'s> {
        self.step = bytes;
        self
    }

    /// The same view of a stream from position 0 that can be opened again: where it breaks off, and to go back.
    #[must_use]
    pub(crate) fn reopened_by(
        mut self,
        reopen: impl Fn() -> io::Result<Box<dyn Read + Send + 's>> + Send + 's,
    ) -> StreamView<'s> {
        self.reopen = Some(Box::new(reopen));
        self
    }

    /// The same view of a stream in which it can be stepped over much without reading it.
    #[must_use]
    pub(crate) fn seeking_by(
        mut self,
        seek: impl Fn(u64) -> io::Result<Box<dyn Read + Send>> + Send + 's,
    ) -> StreamView<'s> {
        self.seek = Some(Box::new(seek));
        self
    }

    /// Gives the buffer back, for reuse.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The bytes read so far and not yet consumed.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.buffer[self.consumed..]
    }

    /// Stream position of the first of [`StreamView::ahead`].
    pub(crate) fn position(&self) -> u64 {
        self.base + self.consumed as u64
    }

    /// Is there nothing to read beyond [`StreamView::ahead`]?
    pub(crate) fn at_end(&self) -> bool {
        self.reader.is_none() && self.broken.is_none()
    }

    /// Has it come to its end by an error?
    pub(crate) fn breaks_off(&self) -> bool {
        self.breaks_off
    }

    /// Reads until at least `want` bytes are there or the stream ends. An error is told once, when
    /// the bytes before it are not enough; then the stream ends with these.
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
            // Room for all of it and for the look at whether more follows, lest the buffer doubles.
            let wanted = missing.max(self.step);
            self.buffer.reserve(wanted + 32);
            let result = reader
                .by_ref()
                .take(wanted as u64)
                .read_to_end(&mut self.buffer);
            match result {
                Ok(_) if self.buffer.len() > old => {}
                Ok(_) => self.close(),
                // What arrived before an error is still good: a truncated stream keeps its beginning.
                Err(error) => self.break_off(error),
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        self.reader = None;
        self.end = Some(self.base + self.buffer.len() as u64);
    }

    /// A bomb has not ended: the error comes whenever more is asked for.
    fn told_error(&mut self) -> Option<io::Error> {
        let error = self.broken.take()?;
        if is_bomb(&error) {
            self.broken = Some(io::Error::new(error.kind(), error.to_string()));
        } else {
            self.breaks_off = true;
        }
        Some(error)
    }

    /// Of the step in which it meets an error a decoder gives nothing. What is kept must not depend
    /// on how large that step happened to be, so the rest is read again byte by byte.
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

    /// The stream opened again at a position.
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

    /// Steps forward, reading and dropping what is not there yet; stops early at the end of the stream.
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

    /// Steps forward, or stays where it is and says so: where the stream ends before that. The first
    /// time that it does, it is read to its end and opened again; from then on its end is known.
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

    /// A second view, of what lies so many bytes ahead; `None` where that takes reading all that lies between, or the
    /// stream ends before.
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

    /// Steps back to where it was before, or stays where it is and says so. A stream that has to be read again from its
    /// beginning for that is, as long as no more is read again than was read.
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

    /// Lets go of all that is left.
    pub(crate) fn abandon(&mut self) {
        self.consumed = self.buffer.len();
        self.broken = None;
        self.reader = None;
    }
}

/// Has more been unpacked than the limits allow?
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
    fn a_look_far_ahead_keeps_what_is_in_memory() {
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
