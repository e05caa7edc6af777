//! Copies the kept rows of a Parquet file, with all their columns of any type.
//!
//! A column is copied as the file stores it: values, definition levels, repetition levels. A row begins where
//! the repetition level is 0, so lists and structures need no special code.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};

use super::read::ends_too_soon;
use super::{Input, guarded};

/// The number of rows copied at a time.
const ROWS_A_READ: usize = 64;

/// A function that returns the dropped ranges among these rows, in order. A range may extend beyond the rows.
type RowsGone<'g> = dyn Fn(&Range<u64>) -> Vec<Range<u64>> + 'g;

/// Copies all rows except the dropped ones.
pub(crate) fn copy_rows(
    input: &Input,
    rows_gone: &RowsGone<'_>,
    output: &mut (dyn Write + Send),
) -> io::Result<()> {
    guarded(|| copy_file(input, rows_gone, output)).map_err(io::Error::from)
}

fn copy_file(
    input: &Input,
    rows_gone: &RowsGone<'_>,
    output: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let reader = input.open()?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let mut writer = SerializedFileWriter::new(output, schema, Arc::new(properties(metadata)))?;
    let mut first_row = 0;
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number)?;
        let rows = first_row..first_row + group.metadata().num_rows().max(0) as u64;
        first_row = rows.end;
        let count = rows.end - rows.start;
        let gone = Gone {
            rows_gone,
            group: rows,
        };
        // A row group without kept rows is not written.
        if gone.count() < count {
            copy_group(&*group, &gone, &mut writer)?;
        }
    }
    writer.close()?;
    Ok(())
}

/// The dropped rows of a row group.
struct Gone<'g> {
    rows_gone: &'g RowsGone<'g>,
    /// The rows of the group, by their numbers in the file.
    group: Range<u64>,
}

impl Gone<'_> {
    /// Returns the number of dropped rows.
    fn count(&self) -> u64 {
        let gone = self.among(&self.group);
        gone.map(|rows| rows.end - rows.start).sum()
    }

    /// Returns, for each of the `count` rows from row `first` of the group on, whether it is kept.
    fn stays(&self, first: usize, count: usize) -> Vec<bool> {
        let start = self.group.start + first as u64;
        let mut stays = vec![true; count];
        for gone in self.among(&(start..start + count as u64)) {
            stays[(gone.start - start) as usize..(gone.end - start) as usize].fill(false);
        }
        stays
    }

    /// Returns the dropped ranges among these rows.
    fn among(&self, rows: &Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let gone = (self.rows_gone)(rows).into_iter();
        gone.map(|gone| gone.start.max(rows.start)..gone.end.min(rows.end))
    }
}

/// Returns settings that keep the compression and the encoding of each column, and the sort order.
fn properties(metadata: &ParquetMetaData) -> WriterProperties {
    let file = metadata.file_metadata();
    let mut builder =
        WriterProperties::builder().set_key_value_metadata(file.key_value_metadata().cloned());
    let Some(group) = metadata.row_groups().first() else {
        return builder.build();
    };
    builder = builder.set_sorting_columns(group.sorting_columns().cloned());
    for column in group.columns() {
        let path = column.column_path();
        let has_dictionary = column.dictionary_page_offset().is_some();
        builder = builder
            .set_column_compression(path.clone(), column.compression())
            .set_column_dictionary_enabled(path.clone(), has_dictionary);
        if let Some(encoding) = encoding(column) {
            builder = builder.set_column_encoding(path.clone(), encoding);
        }
    }
    builder.build()
}

/// Returns the encoding of a column, if it is not the plain one.
fn encoding(column: &ColumnChunkMetaData) -> Option<Encoding> {
    column.encodings().find(|encoding| {
        matches!(
            encoding,
            Encoding::DELTA_BINARY_PACKED
                | Encoding::DELTA_LENGTH_BYTE_ARRAY
                | Encoding::DELTA_BYTE_ARRAY
                | Encoding::BYTE_STREAM_SPLIT
        )
    })
}

fn copy_group<W: Write + Send>(
    group: &dyn RowGroupReader,
    gone: &Gone<'_>,
    writer: &mut SerializedFileWriter<W>,
) -> Result<(), ParquetError> {
    let rows = group.metadata().num_rows().max(0) as usize;
    let mut copy = writer.next_row_group()?;
    for column in 0..group.num_columns() {
        let reader = group.get_column_reader(column)?;
        let Some(mut writer) = copy.next_column()? else {
            break;
        };
        copy_column(reader, &mut writer, rows, gone)?;
        writer.close()?;
    }
    copy.close()?;
    Ok(())
}

fn copy_column(
    reader: ColumnReader,
    writer: &mut SerializedColumnWriter<'_>,
    rows: usize,
    gone: &Gone<'_>,
) -> Result<(), ParquetError> {
    match reader {
        ColumnReader::BoolColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::Int32ColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::Int64ColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::Int96ColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::FloatColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::DoubleColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::ByteArrayColumnReader(from) => copy_values(from, writer.typed(), rows, gone),
        ColumnReader::FixedLenByteArrayColumnReader(from) => {
            copy_values(from, writer.typed(), rows, gone)
        }
    }
}

fn copy_values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    writer: &mut ColumnWriterImpl<'_, T>,
    rows: usize,
    gone: &Gone<'_>,
) -> Result<(), ParquetError> {
    let descriptor = writer.get_descriptor().clone();
    let most = (descriptor.max_def_level(), descriptor.max_rep_level());
    let mut first = 0;
    while first < rows {
        let mut cells = Cells::default();
        let (count, _, _) = reader.read_records(
            ROWS_A_READ.min(rows - first),
            Some(&mut cells.definitions),
            Some(&mut cells.repetitions),
            &mut cells.values,
        )?;
        if count == 0 {
            return Err(ends_too_soon(&descriptor.path().string()));
        }
        let stays = gone.stays(first, count);
        if stays.contains(&false) {
            cells.keep(&stays, most);
        }
        writer.write_batch(
            &cells.values,
            (most.0 > 0).then_some(cells.definitions.as_slice()),
            (most.1 > 0).then_some(cells.repetitions.as_slice()),
        )?;
        first += count;
    }
    Ok(())
}

/// Some rows of a column.
struct Cells<V> {
    values: Vec<V>,
    /// The definition levels. Empty if no value may be missing.
    definitions: Vec<i16>,
    /// The repetition levels. Empty for a column without lists.
    repetitions: Vec<i16>,
}

impl<V> Default for Cells<V> {
    fn default() -> Cells<V> {
        Cells {
            values: Vec::new(),
            definitions: Vec::new(),
            repetitions: Vec::new(),
        }
    }
}

impl<V> Cells<V> {
    /// Keeps the rows for which `stays` is true.
    fn keep(&mut self, stays: &[bool], (definition_max, repetition_max): (i16, i16)) {
        let mut old = std::mem::take(self);
        let mut values = old.values.drain(..);
        let levels = if definition_max > 0 {
            old.definitions.len()
        } else {
            values.len()
        };
        let mut row = 0;
        for level in 0..levels {
            if repetition_max > 0 {
                row += usize::from(level > 0 && old.repetitions[level] == 0);
            } else {
                row = level;
            }
            let definition = old.definitions.get(level).copied();
            let has_value = definition.is_none_or(|definition| definition == definition_max);
            let value = has_value.then(|| values.next()).flatten();
            if stays[row] {
                self.values.extend(value);
                self.definitions.extend(definition);
                self.repetitions.extend(old.repetitions.get(level).copied());
            }
        }
    }
}
