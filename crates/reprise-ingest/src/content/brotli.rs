//! Brotli from a slice. The crate's own reader takes its input ahead, so that it cannot be asked where its stream ended.

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
        // Strict: windows of more than 16 MiB are not for the web.
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

    /// What is left of the input.
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
            // What came before an error is given first; it is told when it is asked for more.
            _ if count > 0 => Ok(count),
            BrotliResult::ResultSuccess | BrotliResult::NeedsMoreOutput => Ok(0),
            BrotliResult::NeedsMoreInput => Err(io::ErrorKind::UnexpectedEof.into()),
            BrotliResult::ResultFailure => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}
