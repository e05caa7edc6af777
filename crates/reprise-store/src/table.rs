//! Tables as Parquet files, written and read one group of rows at a time.

mod checked_pages;
mod read;
mod scan;
mod summed_pages;
mod value;
mod write;

use reprise_fingerprint::Fingerprint;
use reprise_shingle::{SHINGLES, Shingles};

use crate::schema::Kind;

pub use read::TableReader;
pub(crate) use read::{TableFile, plain_values};
pub use scan::IntScan;
pub(crate) use scan::{ColumnScan, FingerprintScan};
pub use value::{OptionalTexts, Text, Texts, Time, Value};
pub use write::TableWriter;

/// Rows in one group: the part of a column that a reader holds at a time.
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
    /// Floating-point numbers.
    Float(Vec<f64>),
    /// Floating-point numbers that may be missing.
    OptionalFloat(Vec<Option<f64>>),
    /// True or false.
    Bool(Vec<bool>),
    /// Texts.
    Text(Texts),
    /// Texts that may be missing.
    OptionalText(OptionalTexts),
    /// Fingerprints.
    Fingerprint(Vec<Fingerprint>),
    /// Shingles.
    Shingles(Vec<Shingles>),
}

impl Values {
    /// Copies strings.
    pub fn texts<'a>(strings: impl IntoIterator<Item = &'a str>) -> Values {
        Values::Text(Texts::of(strings))
    }

    /// Returns `rows` missing values.
    pub(crate) fn missing(kind: Kind, rows: usize) -> Values {
        match kind {
            Kind::Float => Values::OptionalFloat(vec![None; rows]),
            Kind::Text => Values::OptionalText(OptionalTexts(vec![None; rows])),
            _ => Values::OptionalInt(vec![None; rows]),
        }
    }

    /// Replaces fingerprints and shingles by text in hexadecimal. Other values stay.
    #[must_use]
    pub fn into_text(self) -> Values {
        let texts = |texts: Vec<String>| Values::texts(texts.iter().map(String::as_str));
        match self {
            Values::Fingerprint(values) => texts(values.iter().map(ToString::to_string).collect()),
            Values::Shingles(values) => texts(values.iter().map(|one| hex(one)).collect()),
            other => other,
        }
    }

    /// Returns the number of values.
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

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Formats shingles in hexadecimal, separated by spaces.
pub(crate) fn hex(shingles: &[u64]) -> String {
    let each: Vec<String> = shingles.iter().map(|one| format!("{one:016x}")).collect();
    each.join(" ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{TableReader, TableWriter, Values};
    use crate::schema::{Chunks, Table};

    #[test]
    fn no_damaged_byte_makes_reading_panic() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("chunks.parquet");
        let mut writer = TableWriter::create(&path, Chunks::COLUMNS).unwrap();
        let column = || Values::Int(vec![1, 2, 3]);
        writer
            .write(&[column(), column(), column(), column()])
            .unwrap();
        writer.finish().unwrap();
        let sound = fs::read(&path).unwrap();
        let columns = [Chunks::PAGE, Chunks::START, Chunks::LENGTH, Chunks::RANK];
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            let Ok(reader) = TableReader::<Chunks>::open(&path) else {
                continue;
            };
            for group in 0..reader.groups() {
                for column in columns {
                    let _ = reader.read(group, column);
                }
            }
            for column in columns {
                let mut scan = reader.scan_ints(column);
                while let Ok(Some(_)) = scan.next_rows() {}
            }
        }
    }
}
