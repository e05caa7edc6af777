//! Reads a table, a column of a group of rows at a time.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use reprise_fingerprint::Fingerprint;
use reprise_shingle::Shingles;

use super::checked_pages::column_reader;
use super::{GROUP_ROWS, IntScan, SHINGLE_BYTES, Values};
use crate::checksum;
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::page_file::PageFile;
use crate::schema::{Kind, Table};

/// Reads a table.
pub struct TableReader {
    pub(super) reader: SerializedFileReader<PageFile>,
    pub(super) table: &'static Table,
    pub(super) path: PathBuf,
}

impl TableReader {
    /// Opens the file of a table, and checks that its columns are those of the table.
    pub fn open(path: &Path, table: &'static Table) -> Result<TableReader, StoreError> {
        guarded(path, || TableReader::open_file(path, table, None))
    }

    /// The same of a table of a segment, which is to be as the manifest says.
    pub(crate) fn open_named(
        path: &Path,
        table: &'static Table,
        summary: &FileSummary,
    ) -> Result<TableReader, StoreError> {
        guarded(path, || TableReader::open_file(path, table, Some(summary)))
    }

    fn open_file(
        path: &Path,
        table: &'static Table,
        summary: Option<&FileSummary>,
    ) -> Result<TableReader, StoreError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        let file = PageFile::new(file).map_err(StoreError::io("read", path))?;
        if let Some(summary) = summary {
            check_named(&file, path, summary)?;
        }
        let reader = SerializedFileReader::new(file).map_err(StoreError::parquet("read", path))?;
        let found = reader.metadata().file_metadata().schema_descr();
        let names: Vec<&str> = found.columns().iter().map(|column| column.name()).collect();
        let wanted: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        if names != wanted {
            return Err(StoreError::damaged(
                path,
                format!("its columns are {names:?}, not {wanted:?}"),
            ));
        }
        Ok(TableReader {
            reader,
            table,
            path: path.to_owned(),
        })
    }

    /// How many groups of rows there are.
    pub fn groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// How many rows a group has.
    pub(super) fn group_rows(&self, group: usize) -> usize {
        let group = self.reader.metadata().row_group(group);
        group.num_rows().max(0) as usize
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.reader.metadata().file_metadata().num_rows().max(0) as u64
    }

    /// What the file's own metadata says under this key.
    pub fn noted(&self, key: &str) -> Option<&str> {
        let notes = self
            .reader
            .metadata()
            .file_metadata()
            .key_value_metadata()?;
        notes.iter().find(|note| note.key == key)?.value.as_deref()
    }

    /// The values of a column in a group.
    pub fn read(&self, group: usize, column: &str) -> Result<Values, StoreError> {
        guarded(&self.path, || self.read_column(group, column))
    }

    fn read_column(&self, number: usize, column: &str) -> Result<Values, StoreError> {
        let index = self.table.column(column);
        let spec = self.table.columns[index];
        let wrap = StoreError::parquet("read", &self.path);
        let group = self.reader.get_row_group(number).map_err(&wrap)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let reader = column_reader(group.as_ref(), index).map_err(&wrap)?;
        let values = match (spec.kind, spec.is_nullable) {
            (Kind::Int | Kind::Time, false) => {
                read_all(get_typed_column_reader::<Int64Type>(reader), rows)
                    .map(|(v, _)| Values::Int(v))
            }
            (Kind::Int | Kind::Time, true) => {
                read_all(get_typed_column_reader::<Int64Type>(reader), rows)
                    .map(|(values, levels)| Values::OptionalInt(join_optional(values, &levels)))
            }
            (Kind::Float, false) => read_all(get_typed_column_reader::<DoubleType>(reader), rows)
                .map(|(v, _)| Values::Float(v)),
            (Kind::Float, true) => read_all(get_typed_column_reader::<DoubleType>(reader), rows)
                .map(|(values, levels)| Values::OptionalFloat(join_optional(values, &levels))),
            (Kind::Bool, _) => read_all(get_typed_column_reader::<BoolType>(reader), rows)
                .map(|(v, _)| Values::Bool(v)),
            (Kind::Text, false) => read_all(get_typed_column_reader::<ByteArrayType>(reader), rows)
                .map(|(v, _)| Values::Text(v)),
            (Kind::Text, true) => read_all(get_typed_column_reader::<ByteArrayType>(reader), rows)
                .map(|(values, levels)| Values::OptionalText(join_optional(values, &levels))),
            (Kind::Fingerprint, _) => {
                let mut values = Vec::new();
                self.read_plain(number, column, &mut values, |bytes| {
                    Fingerprint::from_bytes(*bytes)
                })?;
                Ok(Values::Fingerprint(values))
            }
            (Kind::Shingles, _) => {
                let mut values = Vec::new();
                self.read_plain(number, column, &mut values, shingles_of)?;
                Ok(Values::Shingles(values))
            }
        }
        .map_err(&wrap)?;
        self.check_rows(column, values.len(), rows)?;
        Ok(values)
    }

    /// The integers of a column in a group.
    pub fn ints(&self, group: usize, column: &str) -> Result<Vec<i64>, StoreError> {
        let mut values = Vec::new();
        self.ints_into(group, column, &mut values)?;
        Ok(values)
    }

    /// What is wrong with the file.
    pub(crate) fn damaged(&self, detail: &str) -> StoreError {
        StoreError::damaged(&self.path, detail)
    }

    /// The integers of a column in a group that count something of which there are so many.
    pub fn indices(
        &self,
        group: usize,
        column: &str,
        end: usize,
    ) -> Result<Vec<usize>, StoreError> {
        let values = self.ints(group, column)?;
        let index = |value: i64| usize::try_from(value).ok().filter(|&index| index < end);
        (values.into_iter().map(index).collect::<Option<_>>()).ok_or_else(|| {
            let detail = format!("a {column} that does not exist");
            StoreError::damaged(&self.path, detail)
        })
    }

    /// The integers of a column in a group, in place of what `values` held: a scan keeps its memory.
    pub fn ints_into(
        &self,
        group: usize,
        column: &str,
        values: &mut Vec<i64>,
    ) -> Result<(), StoreError> {
        guarded(&self.path, || {
            let index = self.table.column(column);
            let wrap = StoreError::parquet("read", &self.path);
            let group = self.reader.get_row_group(group).map_err(&wrap)?;
            let rows = group.metadata().num_rows().max(0) as usize;
            let reader = column_reader(group.as_ref(), index).map_err(&wrap)?;
            let reader = get_typed_column_reader::<Int64Type>(reader);
            values.clear();
            read_into(reader, rows, values).map_err(&wrap)?;
            self.check_rows(column, values.len(), rows)
        })
    }

    /// The integers of a column over all groups, some rows at a time.
    pub fn scan_ints(&self, column: &'static str) -> IntScan<'_> {
        IntScan::new(self, column)
    }

    /// The fingerprints of a column in a group.
    pub fn fingerprints(&self, group: usize, column: &str) -> Result<Vec<Fingerprint>, StoreError> {
        let mut found = Vec::new();
        self.fingerprints_into(group, column, &mut found)?;
        Ok(found)
    }

    /// The fingerprints of a column in a group, in place of what `found` held.
    ///
    /// They lie in the file as they are, so they are taken from its pages without the library's value
    /// for each, which would cost more than all the rest of a scan.
    pub fn fingerprints_into(
        &self,
        group: usize,
        column: &str,
        found: &mut Vec<Fingerprint>,
    ) -> Result<(), StoreError> {
        guarded(&self.path, || {
            self.read_plain(group, column, found, |bytes| {
                Fingerprint::from_bytes(*bytes)
            })
        })
    }

    /// The shingles in a group, in place of what `found` held.
    pub fn shingles_into(
        &self,
        group: usize,
        column: &str,
        found: &mut Vec<Shingles>,
    ) -> Result<(), StoreError> {
        guarded(&self.path, || {
            self.read_plain(group, column, found, shingles_of)
        })
    }

    /// Reads values of one length that lie in the file as they are.
    fn read_plain<T, const LENGTH: usize>(
        &self,
        group: usize,
        column: &str,
        found: &mut Vec<T>,
        value: impl Fn(&[u8; LENGTH]) -> T,
    ) -> Result<(), StoreError> {
        found.clear();
        let wrap = StoreError::parquet("read", &self.path);
        let index = self.table.column(column);
        let group = self.reader.get_row_group(group).map_err(&wrap)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let mut pages = group.get_column_page_reader(index).map_err(&wrap)?;
        found.reserve(rows.min(GROUP_ROWS));
        while let Some(page) = pages.get_next_page().map_err(&wrap)? {
            let (values, _) = plain_values(&page, LENGTH, &self.path)?.as_chunks();
            found.extend(values.iter().map(&value));
        }
        self.check_rows(column, found.len(), rows)
    }

    /// Each column of a group has a value for each of its rows.
    pub(super) fn check_rows(
        &self,
        column: &str,
        values: usize,
        rows: usize,
    ) -> Result<(), StoreError> {
        if values == rows {
            return Ok(());
        }
        let detail = format!("column {column} has {values} values for {rows} rows");
        Err(StoreError::damaged(&self.path, detail))
    }

    /// The texts of a column in a group.
    pub fn texts(&self, group: usize, column: &str) -> Result<Vec<ByteArray>, StoreError> {
        match self.read(group, column)? {
            Values::Text(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }

    /// The texts of a column in a group that may be missing.
    pub fn optional_texts(
        &self,
        group: usize,
        column: &str,
    ) -> Result<Vec<Option<ByteArray>>, StoreError> {
        match self.read(group, column)? {
            Values::OptionalText(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }

    /// The integers of a column in a group that may be missing.
    pub fn optional_ints(
        &self,
        group: usize,
        column: &str,
    ) -> Result<Vec<Option<i64>>, StoreError> {
        match self.read(group, column)? {
            Values::OptionalInt(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }

    /// The numbers of a column in a group.
    pub fn floats(&self, group: usize, column: &str) -> Result<Vec<f64>, StoreError> {
        match self.read(group, column)? {
            Values::Float(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }

    /// The truth values of a column in a group.
    pub fn bools(&self, group: usize, column: &str) -> Result<Vec<bool>, StoreError> {
        match self.read(group, column)? {
            Values::Bool(values) => Ok(values),
            other => unreachable!("column {column} holds {other:?}"),
        }
    }
}

/// Compares size and footer with what the manifest says; the pages have checksums of their own.
fn check_named(file: &PageFile, path: &Path, summary: &FileSummary) -> Result<(), StoreError> {
    if file.len() != summary.bytes {
        let detail = format!("{} bytes instead of {}", file.len(), summary.bytes);
        return Err(StoreError::damaged(path, detail));
    }
    let Some(checksum) = &summary.footer else {
        return Ok(());
    };
    let footer = file.footer().map_err(StoreError::parquet("read", path))?;
    if checksum::of_bytes(&footer) != *checksum {
        let detail = "the checksum of its footer does not fit";
        return Err(StoreError::damaged(path, detail));
    }
    Ok(())
}

/// The bytes of a page whose values, of one length, lie there as they are, one after another.
pub(crate) fn plain_values<'p>(
    page: &'p Page,
    length: usize,
    path: &Path,
) -> Result<&'p Bytes, StoreError> {
    let (Page::DataPage { buf, encoding, .. }
    | Page::DataPageV2 {
        buf,
        encoding,
        def_levels_byte_len: 0,
        rep_levels_byte_len: 0,
        ..
    }) = page
    else {
        return Err(StoreError::damaged(path, "its fingerprints have gaps"));
    };
    if *encoding != Encoding::PLAIN {
        return Err(StoreError::damaged(path, "its fingerprints are packed"));
    }
    if !buf.len().is_multiple_of(length) {
        return Err(StoreError::damaged(path, "a fingerprint is cut off"));
    }
    Ok(buf)
}

/// The Parquet library is written for files by honest writers; some damage makes it panic.
pub(super) fn guarded<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(StoreError::damaged(path, "it makes no sense inside")))
}

fn shingles_of(bytes: &[u8; SHINGLE_BYTES]) -> Shingles {
    let (parts, _) = bytes.as_chunks();
    std::array::from_fn(|at| u64::from_be_bytes(parts[at]))
}

fn join_optional<T>(values: Vec<T>, levels: &[i16]) -> Vec<Option<T>> {
    let mut values = values.into_iter();
    levels
        .iter()
        .map(|&level| if level == 1 { values.next() } else { None })
        .collect()
}

/// The values of a column, and for each row whether it has one.
fn read_all<T: DataType>(
    reader: ColumnReaderImpl<T>,
    rows: usize,
) -> parquet::errors::Result<(Vec<T::T>, Vec<i16>)> {
    let mut values = Vec::new();
    let levels = read_into(reader, rows, &mut values)?;
    Ok((values, levels))
}

fn read_into<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    values: &mut Vec<T::T>,
) -> parquet::errors::Result<Vec<i16>> {
    values.reserve(rows.min(GROUP_ROWS));
    let mut levels = Vec::new();
    let mut done = 0;
    while done < rows {
        let (records, _, _) = reader.read_records(rows - done, Some(&mut levels), None, values)?;
        if records == 0 {
            break;
        }
        done += records;
    }
    Ok(levels)
}
