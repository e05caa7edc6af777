//! Packs records again, in the compression of the source.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use lz4_flex::frame::FrameEncoder;

use crate::member::Compression;

/// A compressed stream that is being written.
pub(super) enum Packed<'w> {
    Plain(&'w mut dyn Write),
    Gzip(GzEncoder<&'w mut dyn Write>),
    Zstd(zstd::stream::write::Encoder<'static, &'w mut dyn Write>),
    Lz4(Box<FrameEncoder<&'w mut dyn Write>>),
}

impl<'w> Packed<'w> {
    pub(super) fn new(
        compression: Compression,
        dictionary: &[u8],
        output: &'w mut dyn Write,
    ) -> io::Result<Packed<'w>> {
        Ok(match compression {
            Compression::None => Packed::Plain(output),
            Compression::Gzip => {
                Packed::Gzip(GzEncoder::new(output, flate2::Compression::default()))
            }
            Compression::Zstd => Packed::Zstd(zstd::stream::write::Encoder::with_dictionary(
                output,
                zstd::DEFAULT_COMPRESSION_LEVEL,
                dictionary,
            )?),
            Compression::Lz4 => Packed::Lz4(Box::new(FrameEncoder::new(output))),
        })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Packed::Plain(_) => {}
            Packed::Gzip(encoder) => drop(encoder.finish()?),
            Packed::Zstd(encoder) => drop(encoder.finish()?),
            Packed::Lz4(encoder) => drop(encoder.finish().map_err(io::Error::other)?),
        }
        Ok(())
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Packed::Plain(output) => output,
            Packed::Gzip(encoder) => encoder,
            Packed::Zstd(encoder) => encoder,
            Packed::Lz4(encoder) => encoder,
        }
    }
}

impl Write for Packed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

/// Packs records one by one.
pub(super) struct Packer {
    compression: Compression,
    /// The dictionary of a zstd archive: its frames are read with it, so they are written with it.
    dictionary: Vec<u8>,
}

impl Packer {
    pub(super) fn new(compression: Compression, dictionary: Vec<u8>) -> Packer {
        Packer {
            compression,
            dictionary,
        }
    }

    /// Writes one member with the bytes that `write` writes.
    pub(super) fn pack(
        &self,
        output: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut packed = Packed::new(self.compression, &self.dictionary, output)?;
        write(&mut packed)?;
        packed.finish()
    }
}
