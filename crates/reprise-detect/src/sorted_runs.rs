//! Sorts more rows than fit in memory. Sorted runs are written to temporary files and merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use reprise_store::StoreError;

/// The directory of a page, and its numbers of labelled and of all chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) directory: String,
    pub(crate) matched: u64,
    pub(crate) chunks: u64,
}

/// A row in memory. Its directory is a slice of [`Rows::directories`].
struct Held {
    start: usize,
    length: usize,
    matched: u64,
    chunks: u64,
}

/// Rows in memory.
#[derive(Default)]
struct Rows {
    directories: String,
    rows: Vec<Held>,
}

impl Rows {
    fn bytes(&self) -> usize {
        self.directories.len() + self.rows.len() * size_of::<Held>()
    }

    fn sort(&mut self) {
        let directories = self.directories.as_bytes();
        self.rows.sort_unstable_by(|a, b| {
            let numbers = |row: &Held| (row.matched, row.chunks);
            (directories[a.start..][..a.length])
                .cmp(&directories[b.start..][..b.length])
                .then_with(|| numbers(a).cmp(&numbers(b)))
        });
    }

    fn directory(&self, row: &Held) -> &str {
        &self.directories[row.start..][..row.length]
    }
}

/// Takes rows in any order and returns them sorted.
pub(crate) struct SortedRuns {
    rows: Rows,
    bytes_max: usize,
    runs: Vec<BufReader<File>>,
    temporary: PathBuf,
}

impl SortedRuns {
    /// Keeps about `bytes_max` bytes in memory and writes more to files in `temporary`.
    pub(crate) fn new(bytes_max: usize, temporary: PathBuf) -> SortedRuns {
        SortedRuns {
            rows: Rows::default(),
            bytes_max,
            runs: Vec::new(),
            temporary,
        }
    }

    /// Adds a row.
    pub(crate) fn push(
        &mut self,
        directory: &str,
        matched: u64,
        chunks: u64,
    ) -> Result<(), StoreError> {
        self.rows.rows.push(Held {
            start: self.rows.directories.len(),
            length: directory.len(),
            matched,
            chunks,
        });
        self.rows.directories.push_str(directory);
        if self.rows.bytes() > self.bytes_max {
            self.write_run()
                .map_err(StoreError::writing(&self.temporary))?;
        }
        Ok(())
    }

    /// Writes the rows in memory to a temporary file.
    fn write_run(&mut self) -> io::Result<()> {
        self.rows.sort();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.temporary)?);
        for row in &self.rows.rows {
            for number in [row.length as u64, row.matched, row.chunks] {
                file.write_all(&number.to_le_bytes())?;
            }
            file.write_all(self.rows.directory(row).as_bytes())?;
        }
        self.rows.rows.clear();
        self.rows.directories.clear();
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(BufReader::new(file));
        Ok(())
    }

    /// Returns all rows, sorted.
    pub(crate) fn sorted(mut self) -> Result<SortedRows, StoreError> {
        self.rows.sort();
        let mut sorted = SortedRows {
            heads: BinaryHeap::new(),
            memory: self.rows,
            at: 0,
            runs: self.runs,
            temporary: self.temporary,
        };
        for run in 0..=sorted.runs.len() {
            sorted.load(run, Row::default())?;
        }
        Ok(sorted)
    }
}

/// Merges the runs on disk with the rows in memory.
pub(crate) struct SortedRows {
    /// The first row of each run. The number after the last run stands for the rows in memory.
    heads: BinaryHeap<Reverse<(Row, usize)>>,
    memory: Rows,
    /// The next row in memory.
    at: usize,
    runs: Vec<BufReader<File>>,
    temporary: PathBuf,
}

impl SortedRows {
    /// Replaces `row` by the next row. Returns false at the end.
    pub(crate) fn next_into(&mut self, row: &mut Row) -> Result<bool, StoreError> {
        let Some(Reverse((next, run))) = self.heads.pop() else {
            return Ok(false);
        };
        let used = std::mem::replace(row, next);
        self.load(run, used)?;
        Ok(true)
    }

    /// Loads the first row of a run. Reuses the memory of `row`.
    fn load(&mut self, run: usize, mut row: Row) -> Result<(), StoreError> {
        let is_there = match self.runs.get_mut(run) {
            Some(file) => read_row(file, &mut row).map_err(StoreError::reading(&self.temporary))?,
            None => match self.memory.rows.get(self.at) {
                Some(held) => {
                    self.at += 1;
                    self.memory.directory(held).clone_into(&mut row.directory);
                    (row.matched, row.chunks) = (held.matched, held.chunks);
                    true
                }
                None => false,
            },
        };
        if is_there {
            self.heads.push(Reverse((row, run)));
        }
        Ok(())
    }
}

/// Reads a row. Returns false at the end of the file.
fn read_row(file: &mut BufReader<File>, row: &mut Row) -> io::Result<bool> {
    let mut numbers = [[0; 8]; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        match file.read_exact(number) {
            Err(error) if index == 0 && error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok(false);
            }
            other => other?,
        }
    }
    let [length, matched, chunks] = numbers.map(u64::from_le_bytes);
    let mut directory = std::mem::take(&mut row.directory).into_bytes();
    directory.resize(length as usize, 0);
    file.read_exact(&mut directory)?;
    row.directory = String::from_utf8(directory).map_err(io::Error::other)?;
    (row.matched, row.chunks) = (matched, chunks);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Row, SortedRuns};

    proptest! {
        #[test]
        fn the_order_does_not_depend_on_memory(names in proptest::collection::vec("[a-c/]{0,5}", 0..60), bytes in 1usize..4000) {
            let mut rows: Vec<Row> = names
                .iter()
                .zip(0..)
                .map(|(name, number)| Row { directory: name.clone(), matched: number, chunks: 100 })
                .collect();
            let mut runs = SortedRuns::new(bytes, std::env::temp_dir());
            for row in &rows {
                runs.push(&row.directory, row.matched, row.chunks).unwrap();
            }
            let mut stream = runs.sorted().unwrap();
            let mut sorted = Vec::new();
            let mut row = Row::default();
            while stream.next_into(&mut row).unwrap() {
                sorted.push(row.clone());
            }
            rows.sort();
            prop_assert_eq!(sorted, rows);
        }
    }
}
