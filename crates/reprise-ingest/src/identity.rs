//! By what a source is known again, whatever its name: it is not read twice.
//!
//! To read terabytes only to know them again would take too long, so samples of large sources stand for the rest.
//! Where two sources look the same by their samples and have different names, all their bytes decide.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use reprise_fingerprint::{Fingerprint, HashKind};

use crate::source::Source;

/// Sources up to this size are known by all of their bytes.
pub const WHOLE_BYTES: u64 = 1 << 20;
const SAMPLE_BYTES: u64 = 64 << 10;
const SAMPLES: u64 = 16;

/// Compared at once.
const PIECE_BYTES: u64 = 1 << 20;

/// The fingerprint of size, beginning, end, and samples between; and of what else makes a source what it is.
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
    /// Does its identity stand for samples of its bytes only?
    pub fn is_sampled(&self) -> bool {
        self.bytes > WHOLE_BYTES
    }

    /// Does another source have the same bytes?
    pub fn is_twin_of(&self, other: &Source) -> io::Result<bool> {
        Ok(self.bytes == other.bytes && is_same(&mut *self.open_at(0)?, &mut *other.open_at(0)?)?)
    }

    /// Does a file have the same bytes?
    pub fn is_twin_of_file(&self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        Ok(self.bytes == file.metadata()?.len() && is_same(&mut *self.open_at(0)?, &mut file)?)
    }

    /// Makes its identity one of all its bytes: another source has the same samples, and is another one.
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
