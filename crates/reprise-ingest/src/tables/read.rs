//! Reads the values of some columns, row by row.

use std::io;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::cell::{Cell, Meaning};
use super::pages::{Pages, too_much};
use super::{Input, guarded};

/// The number of rows read at a time.
const ROWS_A_READ: usize = 64;

/// The memory for a footer, as a multiple of its size: the library needs half a kilobyte for each column of
/// each row group.
const METADATA_RATIO: usize = 16;

/// A table that is being read.
pub(crate) struct Table {
    reader: SerializedFileReader<Input>,
    /// The same input, for reading the headers of pages.
    input: Input,
    /// The memory for pages.
    page_bytes_max: usize,
    names: &'static [&'static str],
    /// The index in the file of each of these columns.
    columns: Vec<Option<usize>>,
    group: usize,
    open: Option<OpenGroup>,
}

struct OpenGroup {
    columns: Vec<OpenColumn>,
    /// The number of rows that were read.
    position: usize,
    rows: usize,
}

struct OpenColumn {
    /// The index in `names`.
    name: usize,
    reader: ColumnReader,
    pages: Pages,
}

impl OpenGroup {
    fn rows_left(&self) -> usize {
        self.rows - self.position
    }

    /// Returns the number of rows to read at a time. More than one row is read only if all of them have at most
    /// `bytes_max` bytes.
    fn rows_within(&self, bytes_max: usize) -> usize {
        let most = self.rows_left().min(ROWS_A_READ);
        let bytes = |rows: usize| -> usize {
            let columns = self.columns.iter();
            let bytes =
                columns.map(|column| column.pages.bytes_in(self.position, self.position + rows));
            bytes.sum()
        };
        let mut rows = most;
        while rows > 1 && bytes(rows) > bytes_max {
            rows /= 2;
        }
        rows
    }
}

impl Table {
    /// Opens a table to read these columns, if it has them. Lists are not read. Returns an error if footer and
    /// pages take more than `memory_bytes`.
    pub(crate) fn open(
        input: Input,
        names: &'static [&'static str],
        memory_bytes: usize,
    ) -> io::Result<Table> {
        told(&input.clone(), || {
            let footer_bytes = input.footer_bytes()?;
            let metadata_bytes = footer_bytes.saturating_mul(METADATA_RATIO);
            let Some(page_bytes_max) = memory_bytes.checked_sub(metadata_bytes) else {
                return Err(ParquetError::General(format!(
                    "the footer may take {metadata_bytes} bytes of memory, more than the limit of {memory_bytes}"
                )));
            };
            let reader = input.open()?;
            let schema = reader.metadata().file_metadata().schema_descr();
            let find = |name: &&str| {
                schema.columns().iter().position(|column| {
                    column.path().parts() == [*name] && column.max_rep_level() == 0
                })
            };
            Ok(Table {
                columns: names.iter().map(find).collect(),
                reader,
                input,
                page_bytes_max,
                names,
                group: 0,
                open: None,
            })
        })
    }

    /// Returns true if the table has the column with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let columns = self.names.iter().zip(&self.columns);
        columns
            .filter(|(known, _)| **known == name)
            .any(|(_, column)| column.is_some())
    }

    /// Skips at most `rows` rows, and returns the number of skipped rows. Whole row groups are not read.
    pub(crate) fn skip(&mut self, rows: u64) -> io::Result<u64> {
        told(&self.input.clone(), || {
            let mut skipped = 0;
            while skipped < rows && self.group < self.reader.num_row_groups() {
                let group = self.reader.metadata().row_group(self.group);
                let in_group = group.num_rows().max(0) as u64;
                if skipped + in_group <= rows {
                    skipped += in_group;
                    self.group += 1;
                    continue;
                }
                let mut open = self.open_group()?;
                let count = (rows - skipped) as usize;
                for column in &mut open.columns {
                    skip_records(&mut column.reader, count)?;
                }
                open.position += count;
                skipped = rows;
                self.open = Some(open);
            }
            Ok(skipped)
        })
    }

    /// Returns the next rows, column by column in the order of the names, or `None` at the end. Returns one
    /// row, or several with about `bytes_max` bytes. After an error, nothing can be read unless the row group
    /// is given up.
    pub(crate) fn read(&mut self, bytes_max: usize) -> io::Result<Option<Vec<Vec<Cell>>>> {
        told(&self.input.clone(), || {
            while self.open.as_ref().is_none_or(|open| open.rows_left() == 0) {
                if self.group >= self.reader.num_row_groups() {
                    return Ok(None);
                }
                self.open = Some(self.open_group()?);
            }
            self.read_some(bytes_max).map(Some)
        })
    }

    /// Returns the size of the row groups that were read, including the current one.
    pub(crate) fn taken_bytes(&self) -> u64 {
        let begun = self.reader.metadata().row_groups().iter().take(self.group);
        let bytes = begun.map(|group| group.compressed_size().max(0) as u64);
        bytes.fold(0, u64::saturating_add)
    }

    /// Gives up the row group in which an error occurred. Returns the number of the row at which to continue,
    /// if there are more.
    pub(crate) fn give_up_group(&mut self) -> Option<u64> {
        self.open = None;
        let groups = self.reader.metadata().row_groups();
        let rows = |group: &RowGroupMetaData| group.num_rows().max(0) as u64;
        let before = groups.get(..self.group)?;
        (self.group < groups.len()).then(|| before.iter().map(rows).sum())
    }

    fn open_group(&mut self) -> Result<OpenGroup, ParquetError> {
        // Free the previous group first.
        self.open = None;
        // Count the group even if it cannot be opened: then it is the one to give up.
        self.group += 1;
        let group = self.reader.get_row_group(self.group - 1)?;
        let columns = self.columns.iter().enumerate();
        let columns = columns
            .filter_map(|(name, column)| Some((name, (*column)?)))
            .map(|(name, column)| {
                let chunk = group.metadata().column(column);
                Ok(OpenColumn {
                    name,
                    pages: Pages::of(&self.input, chunk, self.page_bytes_max)?,
                    reader: group.get_column_reader(column)?,
                })
            })
            .collect::<Result<Vec<_>, ParquetError>>()?;
        let bytes = columns
            .iter()
            .map(|column| column.pages.memory_bytes())
            .sum();
        if bytes > self.page_bytes_max {
            return Err(too_much(bytes, self.page_bytes_max));
        }
        Ok(OpenGroup {
            columns,
            position: 0,
            rows: group.metadata().num_rows().max(0) as usize,
        })
    }

    fn read_some(&mut self, bytes_max: usize) -> Result<Vec<Vec<Cell>>, ParquetError> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let Some(open) = &mut self.open else {
            return Ok(Vec::new());
        };
        let count = open.rows_within(bytes_max);
        let mut read = vec![Vec::new(); self.names.len()];
        for column in &mut open.columns {
            let name = column.name;
            let descriptor = schema.column(self.columns[name].unwrap_or_default());
            let cells = read_cells(&mut column.reader, &descriptor, count)?;
            if cells.len() != count {
                return Err(ends_too_soon(self.names[name]));
            }
            read[name] = detached(cells);
        }
        for cells in &mut read {
            cells.resize(count, Cell::Null);
        }
        open.position += count;
        Ok(read)
    }
}

/// Copies the values out of their page, because a single value would keep the whole page in memory.
fn detached(mut cells: Vec<Cell>) -> Vec<Cell> {
    let mut all = Vec::new();
    for cell in &cells {
        if let Cell::Text(bytes) | Cell::Bytes(bytes) = cell {
            all.extend_from_slice(bytes.data());
        }
    }
    let all = ByteArray::from(all);
    let mut start = 0;
    for cell in &mut cells {
        if let Cell::Text(bytes) | Cell::Bytes(bytes) = cell {
            let length = bytes.len();
            *bytes = all.slice(start, length);
            start += length;
        }
    }
    cells
}

fn told<T>(input: &Input, work: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    guarded(work).map_err(|error| input.told(error))
}

pub(crate) fn ends_too_soon(column: &str) -> ParquetError {
    ParquetError::General(format!("column {column} ends too soon"))
}

fn skip_records(reader: &mut ColumnReader, count: usize) -> Result<(), ParquetError> {
    let skipped = match reader {
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(count),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(count),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(count),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(count),
        ColumnReader::BoolColumnReader(_) => Ok(count),
    };
    match skipped? {
        skipped if skipped == count => Ok(()),
        _ => Err(ParquetError::General("a column ends too soon".to_owned())),
    }
}

fn read_cells(
    reader: &mut ColumnReader,
    descriptor: &ColumnDescriptor,
    count: usize,
) -> Result<Vec<Cell>, ParquetError> {
    let meaning = Meaning::of(descriptor);
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| meaning.bytes(value))
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                meaning.bytes(value.into())
            })
        }
        ColumnReader::Int32ColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                meaning.number(value.into(), value.cast_unsigned().into())
            })
        }
        ColumnReader::Int64ColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                meaning.number(value, value.cast_unsigned())
            })
        }
        // Older writers, such as Spark, store timestamps like this.
        ColumnReader::Int96ColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                Cell::Time(value.to_millis())
            })
        }
        ColumnReader::FloatColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                Cell::Fraction(value.into())
            })
        }
        ColumnReader::DoubleColumnReader(reader) => {
            read_values(reader, descriptor, count, Cell::Fraction)
        }
        ColumnReader::BoolColumnReader(_) => Ok(vec![Cell::Null; count]),
    }
}

fn read_values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    descriptor: &ColumnDescriptor,
    count: usize,
    cell: impl Fn(T::T) -> Cell,
) -> Result<Vec<Cell>, ParquetError> {
    let present = descriptor.max_def_level();
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut records = 0;
    while records < count {
        let (read, _, _) =
            reader.read_records(count - records, Some(&mut levels), None, &mut values)?;
        if read == 0 {
            break;
        }
        records += read;
    }
    if present == 0 {
        return Ok(values.into_iter().map(cell).collect());
    }
    let mut values = values.into_iter();
    Ok(levels
        .iter()
        .map(|&level| {
            if level == present {
                values.next().map_or(Cell::Null, &cell)
            } else {
                Cell::Null
            }
        })
        .collect())
}
