//! Writes a table, one row group at a time.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{
    Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::column::writer::{
    ColumnWriter, ColumnWriterImpl, get_column_writer, get_typed_column_writer_mut,
};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::summed_pages::ColumnBytes;
use super::{GROUP_ROWS, SHINGLE_BYTES, Values};
use crate::aside::create_file;
use crate::checksum::Summed;
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::schema::{Column, Kind, Packing};

/// Writes a table to a Parquet file.
pub struct TableWriter {
    writer: SerializedFileWriter<Summed<BufWriter<File>>>,
    path: PathBuf,
    rows: u64,
    /// For each column, true if its pages get checksums.
    is_summed: Vec<bool>,
    column: ColumnBytes,
}

impl TableWriter {
    /// Creates the file of a table.
    pub fn create(path: &Path, columns: &[Column]) -> Result<TableWriter, StoreError> {
        let file = create_file(path).map_err(StoreError::writing(path))?;
        let sink = Summed::new(BufWriter::with_capacity(1 << 20, file));
        let writer =
            SerializedFileWriter::new(sink, schema(columns), Arc::new(properties(columns)))
                .map_err(StoreError::writing_table(path))?;
        Ok(TableWriter {
            writer,
            path: path.to_owned(),
            rows: 0,
            is_summed: (columns.iter())
                .map(|column| column.packing != Packing::InPlace)
                .collect(),
            column: ColumnBytes::default(),
        })
    }

    /// Writes one row group, given column by column.
    pub fn write(&mut self, columns: &[Values]) -> Result<(), StoreError> {
        let rows = columns.first().map_or(0, Values::len);
        let columns = columns.iter();
        self.write_columns(rows, columns.map(Cow::Borrowed))
    }

    /// Writes one row group of `rows` rows. Calls the function of each column when the column is written,
    /// so that only one column is in memory.
    pub(crate) fn write_each(
        &mut self,
        rows: usize,
        columns: &mut [&mut dyn FnMut() -> Values],
    ) -> Result<(), StoreError> {
        let columns = columns.iter_mut();
        self.write_columns(rows, columns.map(|make| Cow::Owned(make())))
    }

    fn write_columns<'v>(
        &mut self,
        rows: usize,
        columns: impl Iterator<Item = Cow<'v, Values>>,
    ) -> Result<(), StoreError> {
        if rows == 0 {
            return Ok(());
        }
        self.rows += rows as u64;
        self.write_group(columns)
            .map_err(StoreError::writing_table(&self.path))
    }

    fn write_group<'v>(
        &mut self,
        columns: impl Iterator<Item = Cow<'v, Values>>,
    ) -> parquet::errors::Result<()> {
        let properties = Arc::clone(self.writer.properties());
        let descriptors = self.writer.schema_descr().columns().to_vec();
        let mut group = self.writer.next_row_group()?;
        for ((values, descriptor), &is_summed) in columns.zip(descriptors).zip(&self.is_summed) {
            let pages = Box::new(self.column.pages(is_summed));
            let mut writer = get_column_writer(descriptor, Arc::clone(&properties), pages);
            write_values(&mut writer, &values)?;
            // Frees the memory before the encoded column is completed.
            drop(values);
            let closed = writer.close()?;
            let bytes = self.column.take();
            group.append_column(&bytes, closed)?;
            self.column.give_back(bytes);
        }
        group.close()?;
        Ok(())
    }

    /// Adds a key and a value to the metadata of the file.
    pub fn note(&mut self, key: &str, value: String) {
        self.writer
            .append_key_value_metadata(KeyValue::new(key.to_owned(), value));
    }

    /// Returns the number and the checksum of the bytes that were written so far.
    pub(crate) fn sum(&mut self) -> Result<(u64, String), StoreError> {
        let flushed = self.writer.flush();
        flushed.map_err(StoreError::writing(&self.path))?;
        Ok(self.writer.inner().finish())
    }

    /// Completes the file and flushes it to disk.
    pub fn finish(mut self) -> Result<FileSummary, StoreError> {
        let wrap = StoreError::writing_table(&self.path);
        let io = StoreError::writing(&self.path);
        self.writer.flush().map_err(&io)?;
        self.writer.inner_mut().begin_tail();
        self.writer.finish().map_err(&wrap)?;
        self.writer.inner_mut().flush().map_err(&io)?;
        let file = self.writer.inner().inner().get_ref();
        // Pipes and devices cannot be flushed to disk.
        if file.metadata().is_ok_and(|found| found.is_file()) {
            file.sync_all().map_err(&io)?;
        }
        let (bytes, checksum) = self.writer.inner().finish();
        Ok(FileSummary {
            rows: self.rows,
            bytes,
            checksum,
            footer: self.writer.inner().tail(),
        })
    }
}

fn write_values(writer: &mut ColumnWriter<'_>, values: &Values) -> parquet::errors::Result<usize> {
    match values {
        Values::Int(values) => typed::<Int64Type>(writer).write_batch(values, None, None),
        Values::OptionalInt(values) => {
            let (present, levels) = split_optional(values);
            typed::<Int64Type>(writer).write_batch(&present, Some(&levels), None)
        }
        Values::Float(values) => typed::<DoubleType>(writer).write_batch(values, None, None),
        Values::OptionalFloat(values) => {
            let (present, levels) = split_optional(values);
            typed::<DoubleType>(writer).write_batch(&present, Some(&levels), None)
        }
        Values::Bool(values) => typed::<BoolType>(writer).write_batch(values, None, None),
        Values::Text(values) => typed::<ByteArrayType>(writer).write_batch(&values.0, None, None),
        Values::OptionalText(values) => {
            let (present, levels) = split_optional(&values.0);
            typed::<ByteArrayType>(writer).write_batch(&present, Some(&levels), None)
        }
        Values::Fingerprint(values) => write_fixed(writer, values, |value, bytes| {
            bytes.extend_from_slice(value.as_bytes());
        }),
        Values::Shingles(values) => write_fixed(writer, values, |value, bytes| {
            bytes.extend(value.iter().flat_map(|shingle| shingle.to_be_bytes()));
        }),
    }
}

/// Writes values of fixed length, some at a time, because values of the Parquet library take more memory.
fn write_fixed<T>(
    writer: &mut ColumnWriter<'_>,
    values: &[T],
    push: impl Fn(&T, &mut Vec<u8>),
) -> parquet::errors::Result<usize> {
    /// A multiple of the library's batch size, so that pages end at the same rows as with a single call.
    const AT_A_TIME: usize = 1 << 10;
    let mut written = 0;
    for some in values.chunks(AT_A_TIME) {
        let mut bytes = Vec::new();
        for value in some {
            push(value, &mut bytes);
        }
        let length = bytes.len() / some.len();
        let values = fixed(bytes, length);
        written += typed::<FixedLenByteArrayType>(writer).write_batch(&values, None, None)?;
    }
    Ok(written)
}

fn typed<'w, 'p, T: DataType>(writer: &'w mut ColumnWriter<'p>) -> &'w mut ColumnWriterImpl<'p, T> {
    get_typed_column_writer_mut(writer)
}

/// Splits `bytes` into values of `length` bytes that share one buffer.
fn fixed(bytes: Vec<u8>, length: usize) -> Vec<FixedLenByteArray> {
    let bytes = ByteArray::from(bytes);
    (0..bytes.len() / length)
        .map(|index| bytes.slice(index * length, length).into())
        .collect()
}

/// Returns the values that are present, and the definition level of each row: 1 if it has a value.
fn split_optional<T: Clone>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let present = values.iter().flatten().cloned().collect();
    let levels = values
        .iter()
        .map(|value| i16::from(value.is_some()))
        .collect();
    (present, levels)
}

/// Returns the Parquet schema of a table.
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
                Kind::Fingerprint | Kind::Shingles => (PhysicalType::FIXED_LEN_BYTE_ARRAY, None),
            };
            let repetition = if column.is_nullable {
                Repetition::OPTIONAL
            } else {
                Repetition::REQUIRED
            };
            let field = Type::primitive_type_builder(column.name, physical)
                .with_logical_type(logical)
                .with_repetition(repetition)
                .with_length(match column.kind {
                    Kind::Fingerprint => 20,
                    Kind::Shingles => SHINGLE_BYTES as i32,
                    _ => -1,
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

/// Returns the encodings and compressions of a table's columns.
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
        if matches!(column.kind, Kind::Fingerprint | Kind::Shingles) {
            builder = builder.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    builder.build()
}
