//! Reads a table, one column of one row group at a time.

use std::fs::File;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{BoolType, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, Length, SerializedFileReader};
use reprise_fingerprint::Fingerprint;
use reprise_shingle::Shingles;

use super::checked_pages::column_reader;
use super::{GROUP_ROWS, IntScan, OptionalTexts, SHINGLE_BYTES, Texts, Value, Values};
use crate::checksum;
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::page_file::PageFile;
use crate::schema::{Column, ColumnOf, Kind, Table};

/// Reads table `T`.
pub struct TableReader<T> {
    file: TableFile,
    marker: PhantomData<fn() -> T>,
}

/// The file of a table whose columns are known at run time.
pub(crate) struct TableFile {
    pub(super) reader: SerializedFileReader<PageFile>,
    columns: &'static [Column],
    /// The number of columns in the file. Older files lack the last ones.
    columns_found: usize,
    pub(super) path: PathBuf,
}

impl<T: Table> TableReader<T> {
    /// Opens the file of a table, and checks that its columns are those of the table.
    pub fn open(path: &Path) -> Result<TableReader<T>, StoreError> {
        TableReader::open_checked(path, None)
    }

    /// Opens the file of a segment's table, and checks it against its entry in the manifest.
    pub(crate) fn open_listed(
        path: &Path,
        summary: &FileSummary,
    ) -> Result<TableReader<T>, StoreError> {
        TableReader::open_checked(path, Some(summary))
    }

    fn open_checked(
        path: &Path,
        summary: Option<&FileSummary>,
    ) -> Result<TableReader<T>, StoreError> {
        let open = || TableFile::open(path, T::COLUMNS, T::COLUMNS_MIN, summary);
        Ok(TableReader {
            file: guarded(path, open)?,
            marker: PhantomData,
        })
    }

    pub(crate) fn file(&self) -> &TableFile {
        &self.file
    }

    /// Returns the number of row groups.
    pub fn groups(&self) -> usize {
        self.file.groups()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.file.rows()
    }

    /// Returns the value for `key` in the metadata of the file.
    pub fn noted(&self, key: &str) -> Option<&str> {
        let metadata = self.file.reader.metadata().file_metadata();
        let notes = metadata.key_value_metadata()?;
        notes.iter().find(|note| note.key == key)?.value.as_deref()
    }

    /// Reads a column of a row group.
    pub fn read<V: Value>(
        &self,
        group: usize,
        column: ColumnOf<T, V>,
    ) -> Result<V::Rows, StoreError> {
        let values = self.file.values(group, column.column)?;
        Ok(V::rows(values).expect("the kind of a column follows from its type"))
    }

    /// Reads a column of a type that is known at run time.
    pub fn values(&self, group: usize, column: Column) -> Result<Values, StoreError> {
        self.file.values(group, column)
    }

    /// Reads a column of row numbers. Fails unless all of them are below `end`.
    pub fn indices(
        &self,
        group: usize,
        column: ColumnOf<T, i64>,
        end: usize,
    ) -> Result<Vec<usize>, StoreError> {
        let values = self.read(group, column)?;
        let index = |value: i64| usize::try_from(value).ok().filter(|&index| index < end);
        (values.into_iter().map(index).collect::<Option<_>>()).ok_or_else(|| {
            let detail = format!("it refers to a {} that does not exist", column.column.name);
            StoreError::damaged(&self.file.path, detail)
        })
    }

    /// Replaces `values` by the integers of a column of a row group. Reuses the memory of `values`.
    pub fn ints_into(
        &self,
        group: usize,
        column: ColumnOf<T, i64>,
        values: &mut Vec<i64>,
    ) -> Result<(), StoreError> {
        guarded(&self.file.path, || {
            self.file.ints_into(group, column.column, values)
        })
    }

    /// Reads the integers of a column of all row groups, some rows at a time.
    pub fn scan_ints(&self, column: ColumnOf<T, i64>) -> IntScan<'_> {
        IntScan::new(&self.file, column.column)
    }

    /// Replaces `found` by the fingerprints of a column of a row group. Reuses the memory of `found`.
    pub fn fingerprints_into(
        &self,
        group: usize,
        column: ColumnOf<T, Fingerprint>,
        found: &mut Vec<Fingerprint>,
    ) -> Result<(), StoreError> {
        guarded(&self.file.path, || {
            self.file
                .fixed_into(group, column.column, found, fingerprint_of)
        })
    }

    /// Replaces `found` by the shingles of a column of a row group. Reuses the memory of `found`.
    pub fn shingles_into(
        &self,
        group: usize,
        column: ColumnOf<T, Shingles>,
        found: &mut Vec<Shingles>,
    ) -> Result<(), StoreError> {
        guarded(&self.file.path, || {
            self.file
                .fixed_into(group, column.column, found, shingles_of)
        })
    }
}

impl TableFile {
    fn open(
        path: &Path,
        columns: &'static [Column],
        columns_min: usize,
        summary: Option<&FileSummary>,
    ) -> Result<TableFile, StoreError> {
        let file = File::open(path).map_err(StoreError::reading(path))?;
        let file = PageFile::new(file).map_err(StoreError::reading(path))?;
        if let Some(summary) = summary {
            check_listed(&file, path, summary)?;
        }
        let reader = SerializedFileReader::new(file).map_err(StoreError::reading_table(path))?;
        let found = reader.metadata().file_metadata().schema_descr();
        let names: Vec<&str> = found.columns().iter().map(|column| column.name()).collect();
        let expected: Vec<&str> = columns.iter().map(|column| column.name).collect();
        if names.len() < columns_min || !expected.starts_with(&names) {
            return Err(StoreError::damaged(
                path,
                format!("its columns are {names:?}, not {expected:?}"),
            ));
        }
        Ok(TableFile {
            columns_found: names.len(),
            reader,
            columns,
            path: path.to_owned(),
        })
    }

    pub(crate) fn groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// Returns the number of rows of a group.
    pub(super) fn group_rows(&self, group: usize) -> usize {
        let group = self.reader.metadata().row_group(group);
        group.num_rows().max(0) as usize
    }

    pub(crate) fn rows(&self) -> u64 {
        self.reader.metadata().file_metadata().num_rows().max(0) as u64
    }

    /// Returns the index of a column in the file, or `None` if the file is older than the column.
    fn index(&self, column: Column) -> Option<usize> {
        let index = (self.columns.iter()).position(|other| other.name == column.name);
        index.filter(|&index| index < self.columns_found)
    }

    /// Returns the index of a column that every file has.
    pub(super) fn required_index(&self, column: Column) -> Result<usize, StoreError> {
        let name = column.name;
        self.index(column)
            .ok_or_else(|| StoreError::damaged(&self.path, format!("it has no column {name}")))
    }

    pub(crate) fn values(&self, group: usize, column: Column) -> Result<Values, StoreError> {
        guarded(&self.path, || self.read_column(group, column))
    }

    fn read_column(&self, number: usize, column: Column) -> Result<Values, StoreError> {
        let rows = self.group_rows(number);
        let Some(index) = self.index(column) else {
            return Ok(Values::missing(column.kind, rows));
        };
        let wrap = StoreError::reading_table(&self.path);
        let group = self.reader.get_row_group(number).map_err(&wrap)?;
        let reader = column_reader(group.as_ref(), index).map_err(&wrap)?;
        let values = match (column.kind, column.is_nullable) {
            (Kind::Int | Kind::Time, false) => {
                read_all(get_typed_column_reader::<Int64Type>(reader), rows)
                    .map(|(values, _)| Values::Int(values))
            }
            (Kind::Int | Kind::Time, true) => {
                read_all(get_typed_column_reader::<Int64Type>(reader), rows)
                    .map(|(values, levels)| Values::OptionalInt(join_optional(values, &levels)))
            }
            (Kind::Float, false) => read_all(get_typed_column_reader::<DoubleType>(reader), rows)
                .map(|(values, _)| Values::Float(values)),
            (Kind::Float, true) => read_all(get_typed_column_reader::<DoubleType>(reader), rows)
                .map(|(values, levels)| Values::OptionalFloat(join_optional(values, &levels))),
            (Kind::Bool, _) => read_all(get_typed_column_reader::<BoolType>(reader), rows)
                .map(|(values, _)| Values::Bool(values)),
            (Kind::Text, false) => read_all(get_typed_column_reader::<ByteArrayType>(reader), rows)
                .map(|(values, _)| Values::Text(Texts(values))),
            (Kind::Text, true) => read_all(get_typed_column_reader::<ByteArrayType>(reader), rows)
                .map(|(values, levels)| {
                    Values::OptionalText(OptionalTexts(join_optional(values, &levels)))
                }),
            (Kind::Fingerprint, _) => {
                let mut values = Vec::new();
                self.fixed_into(number, column, &mut values, fingerprint_of)?;
                Ok(Values::Fingerprint(values))
            }
            (Kind::Shingles, _) => {
                let mut values = Vec::new();
                self.fixed_into(number, column, &mut values, shingles_of)?;
                Ok(Values::Shingles(values))
            }
        }
        .map_err(&wrap)?;
        self.check_rows(column.name, values.len(), rows)?;
        Ok(values)
    }

    /// Returns the error for damage to this file.
    pub(crate) fn damaged(&self, detail: &str) -> StoreError {
        StoreError::damaged(&self.path, detail)
    }

    fn ints_into(
        &self,
        group: usize,
        column: Column,
        values: &mut Vec<i64>,
    ) -> Result<(), StoreError> {
        let wrap = StoreError::reading_table(&self.path);
        let index = self.required_index(column)?;
        let rows = self.group_rows(group);
        let group = self.reader.get_row_group(group).map_err(&wrap)?;
        let reader = column_reader(group.as_ref(), index).map_err(&wrap)?;
        let reader = get_typed_column_reader::<Int64Type>(reader);
        values.clear();
        read_into(reader, rows, values).map_err(&wrap)?;
        self.check_rows(column.name, values.len(), rows)
    }

    /// Replaces `found` by values of fixed length. Takes their plain bytes directly from the pages: to create
    /// a value of the Parquet library for each would cost more than the rest of a scan.
    fn fixed_into<V, const LENGTH: usize>(
        &self,
        group: usize,
        column: Column,
        found: &mut Vec<V>,
        value: impl Fn(&[u8; LENGTH]) -> V,
    ) -> Result<(), StoreError> {
        found.clear();
        let wrap = StoreError::reading_table(&self.path);
        let index = self.required_index(column)?;
        let rows = self.group_rows(group);
        let group = self.reader.get_row_group(group).map_err(&wrap)?;
        let mut pages = group.get_column_page_reader(index).map_err(&wrap)?;
        found.reserve(rows.min(GROUP_ROWS));
        while let Some(page) = pages.get_next_page().map_err(&wrap)? {
            let (values, _) = plain_values(&page, LENGTH, &self.path)?.as_chunks();
            found.extend(values.iter().map(&value));
        }
        self.check_rows(column.name, found.len(), rows)
    }

    /// Fails unless a column has one value for each row of its group.
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
}

/// Compares the size and the footer of a file with the manifest. The pages have their own checksums.
fn check_listed(file: &PageFile, path: &Path, summary: &FileSummary) -> Result<(), StoreError> {
    if file.len() != summary.bytes {
        let detail = format!("{} bytes instead of {}", file.len(), summary.bytes);
        return Err(StoreError::damaged(path, detail));
    }
    let Some(checksum) = &summary.footer else {
        return Ok(());
    };
    let footer = file.footer().map_err(StoreError::reading_table(path))?;
    if checksum::of_bytes(&footer) != *checksum {
        let detail = "the checksum of its footer does not match";
        return Err(StoreError::damaged(path, detail));
    }
    Ok(())
}

/// Returns the bytes of a page of plain values of fixed length. Fails if the page is of another kind.
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
        let detail = "a column of fixed-length values has missing values";
        return Err(StoreError::damaged(path, detail));
    };
    if *encoding != Encoding::PLAIN {
        let detail = "a column of fixed-length values has an unexpected encoding";
        return Err(StoreError::damaged(path, detail));
    }
    if !buf.len().is_multiple_of(length) {
        let detail = "a value of fixed length is incomplete";
        return Err(StoreError::damaged(path, detail));
    }
    Ok(buf)
}

/// Calls `read`, and turns a panic into an error. Some damaged files make the Parquet library panic.
pub(super) fn guarded<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(StoreError::damaged(path, "it is not valid Parquet")))
}

fn fingerprint_of(bytes: &[u8; 20]) -> Fingerprint {
    Fingerprint::from_bytes(*bytes)
}

fn shingles_of(bytes: &[u8; SHINGLE_BYTES]) -> Shingles {
    let (parts, _) = bytes.as_chunks();
    std::array::from_fn(|at| u64::from_be_bytes(parts[at]))
}

/// Inserts missing values where the definition level is 0.
fn join_optional<T>(values: Vec<T>, levels: &[i16]) -> Vec<Option<T>> {
    let mut values = values.into_iter();
    levels
        .iter()
        .map(|&level| if level == 1 { values.next() } else { None })
        .collect()
}

/// Reads the values of a column, and the definition level of each row: 1 if the row has a value.
fn read_all<T: DataType>(
    reader: ColumnReaderImpl<T>,
    rows: usize,
) -> parquet::errors::Result<(Vec<T::T>, Vec<i16>)> {
    let mut values = Vec::new();
    let levels = read_into(reader, rows, &mut values)?;
    Ok((values, levels))
}

/// Appends `rows` rows of a column to `values`, and returns their definition levels.
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
