//! Reads an input that may let its reader wait for a long time: standard input, pipes and devices.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The time between two looks at the request to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// The size of a read.
const BLOCK_BYTES: usize = 128 << 10;

/// An input that a thread of its own opens and reads, so that its reader can stop while nothing arrives.
pub(crate) struct Stream<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Stream<'_> {
    /// Starts to read. Opening a pipe also waits for its writer, so the thread does it.
    pub(crate) fn start<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Stream<'_> {
        let (sender, blocks) = sync_channel(4);
        thread::spawn(move || match open() {
            Ok(input) => send_blocks(input, &sender),
            Err(error) => drop(sender.send(Err(error))),
        });
        Stream {
            blocks,
            block: io::Cursor::default(),
            is_cancelled,
        }
    }
}

/// Sends the input in blocks until it ends or nobody receives them.
fn send_blocks(mut input: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK_BYTES];
        let read = match input.read(&mut block) {
            Ok(0) => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(count) => {
                block.truncate(count);
                Ok(block)
            }
            Err(error) => Err(error),
        };
        let is_broken = read.is_err();
        if sender.send(read).is_err() || is_broken {
            return;
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.block.position() == self.block.get_ref().len() as u64 {
            // Also checked while data arrives, because an endless input is never waited for.
            if (self.is_cancelled)() {
                return Err(io::Error::other("cancelled"));
            }
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(block) => self.block = io::Cursor::new(block?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        self.block.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::{self, Read};

    use super::{BLOCK_BYTES, Stream};

    #[test]
    fn everything_is_read() {
        let bytes: Vec<u8> = (0..3 * BLOCK_BYTES + 7).map(|byte| byte as u8).collect();
        let input = bytes.clone();
        let mut found = Vec::new();
        let mut stream = Stream::start(|| Ok(io::Cursor::new(input)), &|| false);
        stream.read_to_end(&mut found).unwrap();
        assert_eq!(found, bytes);
    }

    #[test]
    fn errors_arrive_after_the_data() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("unplugged"))
            }
        }
        let mut found = Vec::new();
        let input = || Ok(io::Cursor::new(b"abc").chain(Broken));
        let error = Stream::start(input, &|| false).read_to_end(&mut found);
        assert_eq!(error.unwrap_err().to_string(), "unplugged");
        assert_eq!(found, b"abc");
        let input = || Err::<io::Empty, _>(io::Error::other("absent"));
        let error = Stream::start(input, &|| false).read_to_end(&mut found);
        assert_eq!(error.unwrap_err().to_string(), "absent");
    }

    #[test]
    fn a_reader_that_waits_can_stop() {
        let (input, writer) = io::pipe().unwrap();
        let looks = Cell::new(0);
        let is_cancelled = || {
            looks.set(looks.get() + 1);
            looks.get() > 2
        };
        let mut stream = Stream::start(move || Ok(input), &is_cancelled);
        assert!(stream.read(&mut [0; 10]).is_err());
        drop(writer);
    }
}
