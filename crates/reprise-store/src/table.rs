//! Tables as Parquet files: typed columns in, typed columns out, a group of rows at a time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::column::page::Page;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{
    AsBytes, BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use reprise_fingerprint::Fingerprint;

use crate::checksum::Summed;
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::page_file::PageFile;
use crate::schema::{Column, Kind, Packing, Table};

/// Rows in one group: what a reader holds of a column at a time.
pub const GROUP_ROWS: usize = 1 << 16;

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
}

impl Values {
    /// Texts from strings.
    pub fn texts<'a>(strings: impl IntoIterator<Item = &'a str>) -> Values {
        Values::Text(strings.into_iter().map(ByteArray::from).collect())
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
        }
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes a table.
pub struct TableWriter {
    writer: SerializedFileWriter<Summed<BufWriter<File>>>,
    path: PathBuf,
    rows: u64,
}

impl TableWriter {
    /// Creates the file of a table.
    pub fn create(path: &Path, columns: &[Column]) -> Result<TableWriter, StoreError> {
        let file = File::create(path).map_err(StoreError::io("write", path))?;
        let sink = Summed::new(BufWriter::with_capacity(1 << 20, file));
        let writer =
            SerializedFileWriter::new(sink, schema(columns), Arc::new(properties(columns)))
                .map_err(StoreError::parquet("write", path))?;
        Ok(TableWriter {
            writer,
            path: path.to_owned(),
            rows: 0,
        })
    }

    /// Writes one group of rows, a column after the other.
    pub fn write(&mut self, columns: &[Values]) -> Result<(), StoreError> {
        let rows = columns.first().map_or(0, Values::len);
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows as u64;
        self.write_group(columns)
            .map_err(StoreError::parquet("write", &self.path))
    }

    fn write_group(&mut self, columns: &[Values]) -> parquet::errors::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for values in columns {
            write_column(&mut group, values)?;
        }
        group.close()?;
        Ok(())
    }

    /// Notes something about the table in the file's own metadata.
    pub fn note(&mut self, key: &str, value: String) {
        self.writer
            .append_key_value_metadata(KeyValue::new(key.to_owned(), value));
    }

    /// Size and checksum of what has been written so far.
    pub(crate) fn sum(&self) -> (u64, String) {
        self.writer.inner().finish()
    }

    /// Ends the file, and makes sure that it is on disk.
    pub fn finish(mut self) -> Result<FileSummary, StoreError> {
        let wrap = StoreError::parquet("write", &self.path);
        self.writer.finish().map_err(&wrap)?;
        let io = StoreError::io("write", &self.path);
        self.writer.inner_mut().flush().map_err(&io)?;
        self.writer
            .inner()
            .inner()
            .get_ref()
            .sync_all()
            .map_err(&io)?;
        let (bytes, checksum) = self.writer.inner().finish();
        Ok(FileSummary {
            rows: self.rows,
            bytes,
            checksum,
        })
    }
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &Values,
) -> parquet::errors::Result<()> {
    let Some(mut writer) = group.next_column()? else {
        return Ok(());
    };
    match values {
        Values::Int(values) => writer.typed::<Int64Type>().write_batch(values, None, None),
        Values::OptionalInt(values) => {
            let (present, levels) = split_optional(values);
            writer
                .typed::<Int64Type>()
                .write_batch(&present, Some(&levels), None)
        }
        Values::Float(values) => writer.typed::<DoubleType>().write_batch(values, None, None),
        Values::OptionalFloat(values) => {
            let (present, levels) = split_optional(values);
            writer
                .typed::<DoubleType>()
                .write_batch(&present, Some(&levels), None)
        }
        Values::Bool(values) => writer.typed::<BoolType>().write_batch(values, None, None),
        Values::Text(values) => writer
            .typed::<ByteArrayType>()
            .write_batch(values, None, None),
        Values::OptionalText(values) => {
            let (present, levels) = split_optional(values);
            writer
                .typed::<ByteArrayType>()
                .write_batch(&present, Some(&levels), None)
        }
        Values::Fingerprint(values) => {
            // One buffer for all: the library's values are slices of it.
            let bytes: Vec<u8> = values.iter().flat_map(|value| *value.as_bytes()).collect();
            let bytes = ByteArray::from(bytes);
            let values: Vec<FixedLenByteArray> = (0..values.len())
                .map(|index| bytes.slice(index * 20, 20).into())
                .collect();
            writer
                .typed::<FixedLenByteArrayType>()
                .write_batch(&values, None, None)
        }
    }?;
    writer.close()
}

fn split_optional<T: Clone>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let present = values.iter().flatten().cloned().collect();
    let levels = values
        .iter()
        .map(|value| i16::from(value.is_some()))
        .collect();
    (present, levels)
}

fn schema(columns: &[Column]) -> Arc<Type> {
    let fields = columns
        .iter()
        .map(|column| {
            let (physical, logical) = match column.kind {
                Kind::Int => (PhysicalType::INT64, None),
                Kind::Time => (
                    PhysicalType::INT64,
                    Some(LogicalType::timestamp(true, TimeUnit::MILLIS)),
                ),
                Kind::Float => (PhysicalType::DOUBLE, None),
                Kind::Bool => (PhysicalType::BOOLEAN, None),
                Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
                Kind::Fingerprint => (PhysicalType::FIXED_LEN_BYTE_ARRAY, None),
            };
            let repetition = if column.is_nullable {
                Repetition::OPTIONAL
            } else {
                Repetition::REQUIRED
            };
            let field = Type::primitive_type_builder(column.name, physical)
                .with_logical_type(logical)
                .with_repetition(repetition)
                .with_length(if column.kind == Kind::Fingerprint {
                    20
                } else {
                    -1
                })
                .build()
                .expect("a column that Parquet can hold");
            Arc::new(field)
        })
        .collect();
    let group = Type::group_type_builder("schema")
        .with_fields(fields)
        .build();
    Arc::new(group.expect("a schema of plain columns"))
}

fn properties(columns: &[Column]) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by("reprise".to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_compression(Compression::UNCOMPRESSED);
    for column in columns {
        let path = ColumnPath::from(column.name);
        let is_dictionary = column.packing == Packing::Dictionary;
        builder = builder.set_column_dictionary_enabled(path.clone(), is_dictionary);
        if !is_dictionary && column.kind != Kind::Bool {
            let encoding = column.packing.encoding(column.kind);
            builder = builder.set_column_encoding(path.clone(), encoding);
        }
        if matches!(column.packing, Packing::Zstd | Packing::DeltaZstd) {
            let level = ZstdLevel::try_new(1).expect("zstd has a level 1");
            builder = builder.set_column_compression(path.clone(), Compression::ZSTD(level));
        }
        if column.kind == Kind::Fingerprint {
            builder = builder.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    builder.build()
}

/// Reads a table.
pub struct TableReader {
    reader: SerializedFileReader<PageFile>,
    table: &'static Table,
    path: PathBuf,
}

impl TableReader {
    /// Opens the file of a table, and checks that its columns are those of the table.
    pub fn open(path: &Path, table: &'static Table) -> Result<TableReader, StoreError> {
        guarded(path, || TableReader::open_file(path, table))
    }

    fn open_file(path: &Path, table: &'static Table) -> Result<TableReader, StoreError> {
        let file = File::open(path).map_err(StoreError::io("read", path))?;
        let file = PageFile::new(file).map_err(StoreError::io("read", path))?;
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

    fn read_column(&self, group: usize, column: &str) -> Result<Values, StoreError> {
        let index = self.table.column(column);
        let spec = self.table.columns[index];
        let wrap = StoreError::parquet("read", &self.path);
        let group = self.reader.get_row_group(group).map_err(&wrap)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let reader = group.get_column_reader(index).map_err(&wrap)?;
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
            (Kind::Fingerprint, _) => read_all(
                get_typed_column_reader::<FixedLenByteArrayType>(reader),
                rows,
            )
            .map(|(values, _)| {
                Values::Fingerprint(values.iter().filter_map(as_fingerprint).collect())
            }),
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
            let reader = group.get_column_reader(index).map_err(&wrap)?;
            let reader = get_typed_column_reader::<Int64Type>(reader);
            values.clear();
            read_into(reader, rows, values).map_err(&wrap)?;
            self.check_rows(column, values.len(), rows)
        })
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
        found.clear();
        guarded(&self.path, || self.read_fingerprints(group, column, found))
    }

    fn read_fingerprints(
        &self,
        group: usize,
        column: &str,
        found: &mut Vec<Fingerprint>,
    ) -> Result<(), StoreError> {
        let wrap = StoreError::parquet("read", &self.path);
        let index = self.table.column(column);
        let group = self.reader.get_row_group(group).map_err(&wrap)?;
        let rows = group.metadata().num_rows().max(0) as usize;
        let mut pages = group.get_column_page_reader(index).map_err(&wrap)?;
        found.reserve(rows.min(GROUP_ROWS));
        while let Some(page) = pages.get_next_page().map_err(&wrap)? {
            let plain = plain_values(&page)
                .ok_or_else(|| StoreError::damaged(&self.path, "its fingerprints are packed"))?;
            let (values, rest) = plain.as_chunks::<20>();
            if !rest.is_empty() {
                return Err(StoreError::damaged(&self.path, "a fingerprint is cut off"));
            }
            found.extend(values.iter().copied().map(Fingerprint::from_bytes));
        }
        self.check_rows(column, found.len(), rows)
    }

    /// Each column of a group has a value for each of its rows.
    fn check_rows(&self, column: &str, values: usize, rows: usize) -> Result<(), StoreError> {
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

/// The bytes of a page whose values lie there as they are, one after another.
pub(crate) fn plain_values(page: &Page) -> Option<&Bytes> {
    let (Page::DataPage { buf, encoding, .. }
    | Page::DataPageV2 {
        buf,
        encoding,
        def_levels_byte_len: 0,
        rep_levels_byte_len: 0,
        ..
    }) = page
    else {
        return None;
    };
    (*encoding == Encoding::PLAIN).then_some(buf)
}

/// The Parquet library is written for files by honest writers; some damage makes it panic.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(StoreError::damaged(path, "it makes no sense inside")))
}

fn as_fingerprint(value: &FixedLenByteArray) -> Option<Fingerprint> {
    value
        .as_bytes()
        .try_into()
        .ok()
        .map(Fingerprint::from_bytes)
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
        }
    }
}
