//! A growing view into a byte stream, so that framing code can look ahead without knowing where bytes come from.

use std::io::{self, BufRead, Read};

/// The bytes of a stream from the current position on, as far as they have been read.
pub(crate) struct Window<'s> {
    reader: Option<Box<dyn Read + Send + 's>>,
    buffer: Vec<u8>,
    consumed: usize,
    /// Stream position of `buffer[0]`.
    base: u64,
}

/// Bytes asked for at least at every read.
const READ_BYTES: usize = 128 << 10;

impl<'s> Window<'s> {
    /// A view that reads on demand; `position` is where in its stream the reader stands.
    pub(crate) fn new(reader: Box<dyn Read + Send + 's>, position: u64) -> Window<'s> {
        Window {
            reader: Some(reader),
            buffer: Vec::new(),
            consumed: 0,
            base: position,
        }
    }

    /// The same, in a buffer that was used before.
    pub(crate) fn with_buffer(
        reader: Box<dyn Read + Send + 's>,
        position: u64,
        mut buffer: Vec<u8>,
    ) -> Window<'s> {
        buffer.clear();
        Window {
            buffer,
            ..Window::new(reader, position)
        }
    }

    /// A view of bytes that are all there.
    pub(crate) fn whole(bytes: Vec<u8>) -> Window<'s> {
        Window {
            reader: None,
            buffer: bytes,
            consumed: 0,
            base: 0,
        }
    }

    /// Gives the buffer back, for reuse.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// The bytes read so far and not yet consumed.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.buffer[self.consumed..]
    }

    /// Stream position of the first of [`Window::ahead`].
    pub(crate) fn position(&self) -> u64 {
        self.base + self.consumed as u64
    }

    /// Is there nothing to read beyond [`Window::ahead`]?
    pub(crate) fn at_end(&self) -> bool {
        self.reader.is_none()
    }

    /// Reads until at least `want` bytes are there or the stream ends.
    pub(crate) fn fill(&mut self, want: usize) -> io::Result<()> {
        if self.consumed > 0 && self.consumed >= self.buffer.len() / 2 {
            self.buffer.drain(..self.consumed);
            self.base += self.consumed as u64;
            self.consumed = 0;
        }
        while self.buffer.len() - self.consumed < want {
            let Some(reader) = &mut self.reader else {
                return Ok(());
            };
            let missing = want - (self.buffer.len() - self.consumed);
            let old = self.buffer.len();
            // Room for all of it and for the look at whether more follows, lest the buffer doubles.
            let wanted = missing.max(READ_BYTES);
            self.buffer.reserve(wanted + 32);
            let result = reader
                .by_ref()
                .take(wanted as u64)
                .read_to_end(&mut self.buffer);
            // What arrived before an error is still good: a truncated stream keeps its beginning.
            if result.is_err() || self.buffer.len() == old {
                self.reader = None;
            }
            result?;
        }
        Ok(())
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
            self.fill(READ_BYTES)?;
        }
    }
}

impl Read for Window<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(out.len());
        out[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Window<'_> {
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
