//! Stores the shingles of many documents, in memory or, if they do not fit, in a temporary file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use reprise_shingle::{SHINGLES, Shingles};
use reprise_store::{PageShingles, StoreError};
use reprise_sys::read_exact_at;

const BYTES: usize = SHINGLES * 8;

/// The shingles of documents, by index.
pub(crate) enum Sketches<'a> {
    /// The shingles of the caller, and the index of each document among them.
    Given(&'a [PageShingles], &'a [u32]),
    Memory(Vec<Shingles>),
    File(File),
}

/// Collects shingles, in order.
pub(crate) struct SketchWriter {
    memory: Vec<Shingles>,
    file: Option<BufWriter<File>>,
    most: usize,
    temporary: std::path::PathBuf,
}

impl SketchWriter {
    /// Creates a writer for `documents` documents. If they do not fit in memory, all are written to a file.
    pub(crate) fn new(documents: usize, memory_bytes: usize, temporary: &Path) -> SketchWriter {
        let most = memory_bytes / BYTES;
        SketchWriter {
            memory: Vec::with_capacity(documents.min(most)),
            file: None,
            most,
            temporary: temporary.to_owned(),
        }
    }

    pub(crate) fn push(&mut self, shingles: &Shingles) -> Result<(), StoreError> {
        if self.file.is_none() && self.memory.len() < self.most {
            self.memory.push(*shingles);
            return Ok(());
        }
        self.write(shingles)
            .map_err(StoreError::writing(&self.temporary))
    }

    fn write(&mut self, shingles: &Shingles) -> std::io::Result<()> {
        if self.file.is_none() {
            let mut file = BufWriter::new(tempfile::tempfile_in(&self.temporary)?);
            for shingles in self.memory.drain(..) {
                write_one(&mut file, &shingles)?;
            }
            self.file = Some(file);
        }
        match &mut self.file {
            Some(file) => write_one(file, shingles),
            None => Ok(()),
        }
    }

    pub(crate) fn finish(self) -> Result<Sketches<'static>, StoreError> {
        match self.file {
            None => Ok(Sketches::Memory(self.memory)),
            Some(file) => file
                .into_inner()
                .map(Sketches::File)
                .map_err(|error| StoreError::writing(&self.temporary)(error.into_error())),
        }
    }
}

fn write_one(file: &mut impl Write, shingles: &Shingles) -> std::io::Result<()> {
    let bytes: Vec<u8> = shingles
        .iter()
        .flat_map(|value| value.to_ne_bytes())
        .collect();
    file.write_all(&bytes)
}

impl Sketches<'_> {
    /// Returns the shingles of a document.
    pub(crate) fn get(&self, number: usize) -> Result<Cow<'_, Shingles>, StoreError> {
        match self {
            Sketches::Given(all, numbers) => {
                Ok(Cow::Borrowed(&all[numbers[number] as usize].shingles))
            }
            Sketches::Memory(all) => Ok(Cow::Borrowed(&all[number])),
            Sketches::File(file) => {
                let mut bytes = [0; BYTES];
                read_exact_at(file, &mut bytes, (number * BYTES) as u64)
                    .map_err(StoreError::reading(Path::new("a temporary file")))?;
                let (parts, _) = bytes.as_chunks();
                let shingles = std::array::from_fn(|at| u64::from_ne_bytes(parts[at]));
                Ok(Cow::Owned(shingles))
            }
        }
    }
}
