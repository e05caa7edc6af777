//! Stores the phrases of documents, and compares them in full.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use reprise_shingle::Overlap;
use reprise_store::StoreError;
use reprise_sys::read_exact_at;

/// The sets of phrases of documents. If they do not fit in memory, the older ones are in a temporary file.
pub(crate) struct PhraseSets {
    /// The start and the length of each document's set, in phrases from the start of the file.
    places: Vec<Option<(u64, u32)>>,
    /// The phrases after those in the file.
    memory: Vec<u64>,
    /// The number of phrases in the file.
    written: u64,
    file: Option<File>,
    /// The most phrases in memory.
    most: usize,
    temporary: PathBuf,
}

impl PhraseSets {
    pub(crate) fn new(documents: u32, memory_bytes: usize, temporary: &Path) -> PhraseSets {
        PhraseSets {
            places: vec![None; documents as usize],
            memory: Vec::new(),
            written: 0,
            file: None,
            most: memory_bytes / 8,
            temporary: temporary.to_owned(),
        }
    }

    /// Adds the phrases of a document, in any order.
    pub(crate) fn add(&mut self, document: u32, mut phrases: Vec<u64>) -> Result<(), StoreError> {
        phrases.sort_unstable();
        phrases.dedup();
        if self.memory.len() + phrases.len() > self.most {
            self.write_out()
                .map_err(StoreError::writing(&self.temporary))?;
        }
        let start = self.written + self.memory.len() as u64;
        self.places[document as usize] = Some((start, phrases.len() as u32));
        self.memory.extend(phrases);
        Ok(())
    }

    /// Appends the phrases in memory to the file.
    fn write_out(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.temporary)?);
        }
        if let Some(file) = &mut self.file {
            for some in self.memory.chunks(1 << 16) {
                let bytes: Vec<u8> = some
                    .iter()
                    .flat_map(|phrase| phrase.to_ne_bytes())
                    .collect();
                file.write_all(&bytes)?;
            }
        }
        self.written += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    /// Compares the phrases of two documents. Returns `None` if one of them could not be read.
    pub(crate) fn overlap(&self, one: u32, other: u32) -> Result<Option<Overlap>, StoreError> {
        let (Some(one), Some(other)) = (self.places[one as usize], self.places[other as usize])
        else {
            return Ok(None);
        };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let one = self.get(one, &mut first)?;
        let other = self.get(other, &mut second)?;
        Ok(Some(Overlap::of(one, other)))
    }

    /// Returns a set, from memory or through `buffer` from the file.
    fn get<'a>(
        &'a self,
        (start, length): (u64, u32),
        buffer: &'a mut Vec<u64>,
    ) -> Result<&'a [u64], StoreError> {
        if start >= self.written {
            let start = (start - self.written) as usize;
            return Ok(&self.memory[start..][..length as usize]);
        }
        let mut bytes = vec![0; length as usize * 8];
        if let Some(file) = &self.file {
            read_exact_at(file, &mut bytes, start * 8)
                .map_err(StoreError::reading(&self.temporary))?;
        }
        let (parts, _) = bytes.as_chunks();
        buffer.extend(parts.iter().map(|part| u64::from_ne_bytes(*part)));
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use reprise_shingle::Overlap;

    use super::PhraseSets;

    proptest! {
        #[test]
        fn overlaps_equal_those_of_plain_sets_also_from_disk(
            sets in proptest::collection::vec(proptest::collection::vec(0u64..40, 1..40), 2..6),
            memory in 0usize..2000,
        ) {
            let mut kept = PhraseSets::new(sets.len() as u32, memory, &std::env::temp_dir());
            for (number, set) in (0..).zip(&sets) {
                kept.add(number, set.clone()).unwrap();
            }
            let sets: Vec<BTreeSet<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            for (one, a) in (0..).zip(&sets) {
                for (other, b) in (0..).zip(&sets) {
                    let expected = Overlap {
                        shared: a.intersection(b).count() as u32,
                        one: a.len() as u32,
                        other: b.len() as u32,
                    };
                    prop_assert_eq!(kept.overlap(one, other).unwrap(), Some(expected));
                    let union = a.union(b).count() as f64;
                    prop_assert!((expected.jaccard() - f64::from(expected.shared) / union).abs() < 1e-12);
                }
            }
        }
    }
}
