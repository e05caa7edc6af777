//! The identity of a source, by which a corpus recognises it under any name, so that no source is read twice.
//!
//! Reading terabytes only to recognise them would take too long, so the identity of a large source is made from
//! samples. If two sources with different names have equal samples, all their bytes are compared.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use reprise_fingerprint::{Fingerprint, HashKind};

use crate::source::Source;

/// The largest source whose identity is made from all of its bytes.
pub const WHOLE_BYTES: u64 = 1 << 20;
const SAMPLE_BYTES: u64 = 64 << 10;
const SAMPLES: u64 = 16;

/// The number of bytes compared at a time.
const PIECE_BYTES: u64 = 1 << 20;

/// Returns the fingerprint of the size, of samples including the first and last bytes, and of `and`, which
/// distinguishes sources with equal bytes.
pub(crate) fn sample(source: &Source, and: &str) -> io::Result<Fingerprint> {
    let mut bytes = source.bytes.to_le_bytes().to_vec();
    bytes.extend_from_slice(and.as_bytes());
    if source.bytes <= WHOLE_BYTES {
        source.open_at(0)?.read_to_end(&mut bytes)?;
    } else {
        for sample in 0..SAMPLES {
            let position = (source.bytes - SAMPLE_BYTES) / (SAMPLES - 1) * sample;
            source
                .open_at(position)?
                .take(SAMPLE_BYTES)
                .read_to_end(&mut bytes)?;
        }
        source
            .open_at(source.bytes - SAMPLE_BYTES)?
            .read_to_end(&mut bytes)?;
    }
    Ok(HashKind::Sha256.fingerprint(&bytes))
}

impl Source {
    /// Returns true if the identity is made from samples only.
    pub fn is_sampled(&self) -> bool {
        self.bytes > WHOLE_BYTES
    }

    /// Returns true if another source has the same bytes.
    pub fn is_twin_of(&self, other: &Source) -> io::Result<bool> {
        Ok(self.bytes == other.bytes && is_same(&mut *self.open_at(0)?, &mut *other.open_at(0)?)?)
    }

    /// Returns true if a file has the same bytes.
    pub fn is_twin_of_file(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        Ok(self.bytes == file.metadata()?.len() && is_same(&mut *self.open_at(0)?, &mut file)?)
    }

    /// Makes the identity from all bytes, because another source with other bytes has the same samples.
    pub fn be_known_by_all_bytes(&mut self) -> io::Result<()> {
        let mut all = b"whole".to_vec();
        let mut input = self.open_at(0)?;
        let mut piece = Vec::new();
        while input.by_ref().take(PIECE_BYTES).read_to_end(&mut piece)? > 0 {
            all.extend_from_slice(HashKind::Sha256.fingerprint(&piece).as_bytes());
            piece.clear();
        }
        self.identity = HashKind::Sha256.fingerprint(&all);
        Ok(())
    }
}

fn is_same(one: &mut dyn Read, other: &mut dyn Read) -> io::Result<bool> {
    let (mut bytes, mut other_bytes) = (Vec::new(), Vec::new());
    loop {
        bytes.clear();
        other_bytes.clear();
        one.take(PIECE_BYTES).read_to_end(&mut bytes)?;
        other.take(PIECE_BYTES).read_to_end(&mut other_bytes)?;
        if bytes != other_bytes {
            return Ok(false);
        }
        if bytes.is_empty() {
            return Ok(true);
        }
    }
}
