//! Sorting more rows than memory holds: sorted runs in temporary files, merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

/// A page, as neighbourhoods need it: its directory and its chunks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) directory: String,
    pub(crate) matched: u64,
    pub(crate) chunks: u64,
}

/// Takes rows in any order and gives them back sorted.
pub(crate) struct SortedRuns {
    rows: Vec<Row>,
    bytes: usize,
    bytes_max: usize,
    runs: Vec<BufReader<File>>,
    temporary: PathBuf,
}

impl SortedRuns {
    /// Keeps about so many bytes in memory, and puts what is more into temporary files.
    pub(crate) fn new(bytes_max: usize, temporary: PathBuf) -> SortedRuns {
        SortedRuns {
            rows: Vec::new(),
            bytes: 0,
            bytes_max,
            runs: Vec::new(),
            temporary,
        }
    }

    pub(crate) fn push(&mut self, row: Row) -> io::Result<()> {
        self.bytes += size_of::<Row>() + row.directory.len() + 16;
        self.rows.push(row);
        if self.bytes > self.bytes_max {
            self.write_run()?;
        }
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.rows.sort_unstable();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.temporary)?);
        for row in self.rows.drain(..) {
            for number in [row.directory.len() as u64, row.matched, row.chunks] {
                file.write_all(&number.to_le_bytes())?;
            }
            file.write_all(row.directory.as_bytes())?;
        }
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.runs.push(BufReader::new(file));
        self.bytes = 0;
        Ok(())
    }

    /// All rows, sorted.
    pub(crate) fn sorted(mut self) -> io::Result<SortedRows> {
        self.rows.sort_unstable();
        let mut sorted = SortedRows {
            heads: BinaryHeap::new(),
            memory: self.rows.into_iter(),
            runs: self.runs,
        };
        for run in 0..=sorted.runs.len() {
            sorted.load(run)?;
        }
        Ok(sorted)
    }
}

/// Rows in order: a merge of the runs on disk and of what is in memory.
pub(crate) struct SortedRows {
    heads: BinaryHeap<Reverse<(Row, usize)>>,
    memory: std::vec::IntoIter<Row>,
    runs: Vec<BufReader<File>>,
}

impl SortedRows {
    /// The next row.
    pub(crate) fn next(&mut self) -> io::Result<Option<Row>> {
        let Some(Reverse((row, run))) = self.heads.pop() else {
            return Ok(None);
        };
        self.load(run)?;
        Ok(Some(row))
    }

    /// Notes what stands first in a run; behind the last one comes what is in memory.
    fn load(&mut self, run: usize) -> io::Result<()> {
        let row = match self.runs.get_mut(run) {
            Some(file) => read_row(file)?,
            None => self.memory.next(),
        };
        self.heads.extend(row.map(|row| Reverse((row, run))));
        Ok(())
    }
}

fn read_row(file: &mut BufReader<File>) -> io::Result<Option<Row>> {
    let mut numbers = [[0; 8]; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        match file.read_exact(number) {
            Err(error) if index == 0 && error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok(None);
            }
            other => other?,
        }
    }
    let [length, matched, chunks] = numbers.map(u64::from_le_bytes);
    let mut directory = vec![0; length as usize];
    file.read_exact(&mut directory)?;
    Ok(Some(Row {
        directory: String::from_utf8(directory).map_err(io::Error::other)?,
        matched,
        chunks,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Row, SortedRuns};

    proptest! {
        #[test]
        fn runs_on_disk_change_nothing(names in proptest::collection::vec("[a-c/]{0,5}", 0..60), bytes in 1usize..4000) {
            let mut rows: Vec<Row> = names
                .iter()
                .zip(0..)
                .map(|(name, number)| Row { directory: name.clone(), matched: number, chunks: 100 })
                .collect();
            let mut runs = SortedRuns::new(bytes, std::env::temp_dir());
            for row in &rows {
                runs.push(row.clone()).unwrap();
            }
            let mut stream = runs.sorted().unwrap();
            let mut sorted = Vec::new();
            while let Some(row) = stream.next().unwrap() {
                sorted.push(row);
            }
            rows.sort();
            prop_assert_eq!(sorted, rows);
        }
    }
}
