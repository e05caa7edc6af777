//! Tables as Parquet files: typed columns in, typed columns out, a group of rows at a time.

mod checked_pages;
mod read;
mod scan;
mod summed_pages;
mod write;

use parquet::data_type::ByteArray;
use reprise_fingerprint::Fingerprint;
use reprise_shingle::{SHINGLES, Shingles};

pub use read::TableReader;
pub(crate) use read::plain_values;
pub use scan::IntScan;
pub(crate) use scan::{ColumnScan, FingerprintScan};
pub use write::TableWriter;

/// Rows in one group: what a reader holds of a column at a time.
pub const GROUP_ROWS: usize = 1 << 16;
/// Rows in one group of the table of shingles, whose rows are wide.
pub const SHINGLE_GROUP_ROWS: usize = 1 << 12;

pub(crate) const FINGERPRINT_BYTES: usize = 20;
const SHINGLE_BYTES: usize = SHINGLES * 8;

/// The values of one column, for one group of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers and times.
    Int(Vec<i64>),
    /// Integers and times that may be missing.
    OptionalInt(Vec<Option<i64>>),
    /// Numbers.
    Float(Vec<f64>),
    /// Numbers that may be missing.
    OptionalFloat(Vec<Option<f64>>),
    /// True or false.
    Bool(Vec<bool>),
    /// Texts.
    Text(Vec<ByteArray>),
    /// Texts that may be missing.
    OptionalText(Vec<Option<ByteArray>>),
    /// Fingerprints.
    Fingerprint(Vec<Fingerprint>),
    /// Shingles.
    Shingles(Vec<Shingles>),
}

impl Values {
    /// Texts from strings.
    pub fn texts<'a>(strings: impl IntoIterator<Item = &'a str>) -> Values {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for string in strings {
            all.extend_from_slice(string.as_bytes());
            ends.push(all.len());
        }
        // One buffer for all: the library's values are slices of it.
        let all = ByteArray::from(all);
        let mut start = 0;
        let slice = |end| {
            let slice = all.slice(start, end - start);
            start = end;
            slice
        };
        Values::Text(ends.into_iter().map(slice).collect())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Int(values) => values.len(),
            Values::OptionalInt(values) => values.len(),
            Values::Float(values) => values.len(),
            Values::OptionalFloat(values) => values.len(),
            Values::Bool(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::OptionalText(values) => values.len(),
            Values::Fingerprint(values) => values.len(),
            Values::Shingles(values) => values.len(),
        }
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{TableReader, TableWriter, Values};
    use crate::schema::CHUNKS;

    #[test]
    fn no_damaged_byte_makes_reading_panic() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("chunks.parquet");
        let mut writer = TableWriter::create(&path, CHUNKS.columns).unwrap();
        let column = || Values::Int(vec![1, 2, 3]);
        writer
            .write(&[column(), column(), column(), column()])
            .unwrap();
        writer.finish().unwrap();
        let sound = fs::read(&path).unwrap();
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            let Ok(reader) = TableReader::open(&path, &CHUNKS) else {
                continue;
            };
            for group in 0..reader.groups() {
                for column in CHUNKS.columns {
                    let _ = reader.read(group, column.name);
                }
            }
            for column in CHUNKS.columns {
                let mut scan = reader.scan_ints(column.name);
                while let Ok(Some(_)) = scan.next_rows() {}
            }
        }
    }
}
