//! Decodes brotli from a slice. The reader of the crate `brotli` buffers its input, so it cannot tell where a
//! stream ends.

use std::io::{self, Read};

use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, HeapAlloc, HuffmanCode};

type State = BrotliState<HeapAlloc<u8>, HeapAlloc<u32>, HeapAlloc<HuffmanCode>>;

/// A stream that is being decoded.
pub(super) struct Brotli<'b> {
    input: &'b [u8],
    taken: usize,
    made: usize,
    state: Box<State>,
}

impl<'b> Brotli<'b> {
    pub(super) fn new(input: &'b [u8]) -> Brotli<'b> {
        // Strict mode refuses windows of more than 16 MiB, which the web does not use.
        let state = State::new_strict(
            HeapAlloc::new(0),
            HeapAlloc::new(0),
            HeapAlloc::new(HuffmanCode::default()),
        );
        Brotli {
            input,
            taken: 0,
            made: 0,
            state: Box::new(state),
        }
    }

    /// Returns the input after the bytes that were taken.
    pub(super) fn left(&self) -> &'b [u8] {
        &self.input[self.taken..]
    }
}

impl Read for Brotli<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let (mut left, mut room, mut count) = (self.left().len(), output.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut self.taken,
            self.input,
            &mut room,
            &mut count,
            output,
            &mut self.made,
            &mut self.state,
        );
        match result {
            // Output before an error is returned first. The next call returns the error.
            _ if count > 0 => Ok(count),
            BrotliResult::ResultSuccess | BrotliResult::NeedsMoreOutput => Ok(0),
            BrotliResult::NeedsMoreInput => Err(io::ErrorKind::UnexpectedEof.into()),
            BrotliResult::ResultFailure => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}
