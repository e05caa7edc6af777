//! The values of some columns, row by row.

use parquet::basic::{LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::schema::types::ColumnDescriptor;

use crate::{Input, guarded};

/// Rows read at a time.
const ROWS_A_READ: usize = 64;

/// A value of any column that can be read.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing, or something of another type.
    Null,
    /// A text or other bytes.
    Bytes(ByteArray),
    /// A whole number.
    Integer(i64),
    /// Milliseconds since 1970.
    Time(i64),
}

/// A table that is being read.
pub struct Table {
    reader: Box<dyn FileReader>,
    names: &'static [&'static str],
    /// Index in the file of each of these columns.
    columns: Vec<Option<usize>>,
    group: usize,
    open: Option<OpenGroup>,
}

struct OpenGroup {
    /// Index among the names, and the column itself.
    readers: Vec<(usize, ColumnReader)>,
    rows_left: usize,
}

impl Table {
    /// Opens a table of which these columns are wanted, as far as it has them: lists are none.
    pub fn open(input: Input, names: &'static [&'static str]) -> Result<Table, String> {
        told(|| {
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
                names,
                group: 0,
                open: None,
            })
        })
    }

    /// Has it the column of this name?
    pub fn has(&self, name: &str) -> bool {
        let columns = self.names.iter().zip(&self.columns);
        columns
            .filter(|(known, _)| **known == name)
            .any(|(_, column)| column.is_some())
    }

    /// Steps over rows, whole groups of them without a look; returns how many there were, at most so many.
    pub fn skip(&mut self, rows: u64) -> Result<u64, String> {
        told(|| {
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
                for (_, reader) in &mut open.readers {
                    skip_records(reader, count)?;
                }
                open.rows_left -= count;
                skipped = rows;
                self.open = Some(open);
            }
            Ok(skipped)
        })
    }

    /// The next few rows, column by column in the order of the names; `None` at the end. After an error nothing
    /// more can be read.
    pub fn read(&mut self) -> Result<Option<Vec<Vec<Cell>>>, String> {
        told(|| {
            while self.open.as_ref().is_none_or(|open| open.rows_left == 0) {
                if self.group >= self.reader.num_row_groups() {
                    return Ok(None);
                }
                self.open = Some(self.open_group()?);
            }
            self.read_some().map(Some)
        })
    }

    fn open_group(&mut self) -> Result<OpenGroup, ParquetError> {
        let group = self.reader.get_row_group(self.group)?;
        self.group += 1;
        let rows_left = group.metadata().num_rows().max(0) as usize;
        let columns = self.columns.iter().enumerate();
        let readers = columns
            .filter_map(|(name, column)| Some((name, (*column)?)))
            .map(|(name, column)| Ok((name, group.get_column_reader(column)?)))
            .collect::<Result<_, ParquetError>>()?;
        Ok(OpenGroup { readers, rows_left })
    }

    fn read_some(&mut self) -> Result<Vec<Vec<Cell>>, ParquetError> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let Some(open) = &mut self.open else {
            return Ok(Vec::new());
        };
        let count = open.rows_left.min(ROWS_A_READ);
        let mut read = vec![Vec::new(); self.names.len()];
        for (name, reader) in &mut open.readers {
            let descriptor = schema.column(self.columns[*name].unwrap_or_default());
            let cells = read_cells(reader, &descriptor, count)?;
            if cells.len() != count {
                return Err(ends_too_soon(self.names[*name]));
            }
            read[*name] = cells;
        }
        for cells in &mut read {
            cells.resize(count, Cell::Null);
        }
        open.rows_left -= count;
        Ok(read)
    }
}

fn told<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    guarded(work).map_err(|error| match error {
        ParquetError::General(detail) => detail,
        error => error.to_string(),
    })
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
        _ => Ok(count),
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
    let time = |value: i64| match descriptor.logical_type_ref() {
        Some(LogicalType::Timestamp(kind)) => Cell::Time(match kind.unit {
            TimeUnit::MILLIS => value,
            TimeUnit::MICROS => value.div_euclid(1000),
            TimeUnit::NANOS => value.div_euclid(1_000_000),
        }),
        Some(LogicalType::Date) => Cell::Time(value * 86_400_000),
        _ => Cell::Integer(value),
    };
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => {
            read_values(reader, descriptor, count, Cell::Bytes)
        }
        ColumnReader::Int32ColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| time(i64::from(value)))
        }
        ColumnReader::Int64ColumnReader(reader) => read_values(reader, descriptor, count, time),
        // The timestamps of older writers, Spark among them.
        ColumnReader::Int96ColumnReader(reader) => {
            read_values(reader, descriptor, count, |value| {
                Cell::Time(value.to_millis())
            })
        }
        _ => Ok(vec![Cell::Null; count]),
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
