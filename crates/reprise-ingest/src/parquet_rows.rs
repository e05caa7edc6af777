//! Pages from the rows of a Parquet file.

use std::borrow::Cow;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::basic::{LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, ByteArray, DataType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::date;
use crate::limits::Limits;
use crate::problem::{Problem, ProblemKind};
use crate::record::Place;
use crate::row::{Row, RowBody, epoch_millis};
use crate::source::{Data, Source};

/// Rows asked of the file at a time.
const ROWS_A_READ: usize = 64;
/// Most rows in one batch.
const ROWS_MAX: usize = 8192;

/// The columns that are read, in this order.
const COLUMNS: [&str; 6] = ["url", "id", "html", "text", "date", "ip"];

/// A value of any column that is read.
#[derive(Clone, Debug)]
enum Cell {
    Null,
    Bytes(ByteArray),
    Integer(i64),
    /// Milliseconds since 1970.
    Time(i64),
}

/// One row, taken out of the file.
#[derive(Debug)]
pub(crate) struct OwnedRow {
    number: u64,
    cells: [Cell; COLUMNS.len()],
}

/// Rows that are read together.
#[derive(Debug)]
pub(crate) struct RowBatch {
    pub(crate) rows: Vec<OwnedRow>,
    pub(crate) problem: Option<Problem>,
    /// Number of the row behind the last one.
    pub(crate) end: u64,
    pub(crate) is_last: bool,
}

/// A Parquet file that is being read.
pub(crate) struct ParquetRows {
    reader: Box<dyn FileReader>,
    /// Index in the file of each of [`COLUMNS`].
    columns: [Option<usize>; COLUMNS.len()],
    group: usize,
    open: Option<OpenGroup>,
    position: u64,
}

struct OpenGroup {
    readers: Vec<(usize, ColumnReader)>,
    rows_left: usize,
}

impl ParquetRows {
    /// Opens the file and steps over the first `start` rows.
    pub(crate) fn open(source: &Source, start: u64) -> Result<ParquetRows, String> {
        guarded(|| {
            let reader = open_file(source)?;
            let schema = reader.metadata().file_metadata().schema_descr();
            let find = |name: &str| {
                schema.columns().iter().position(|column| {
                    column.path().parts() == [name] && column.max_rep_level() == 0
                })
            };
            let columns = COLUMNS.map(find);
            if columns[0].is_none() && columns[1].is_none() {
                return Err("a table without a column url or id".to_owned());
            }
            if columns[2].is_none() && columns[3].is_none() {
                return Err("a table without a column html or text".to_owned());
            }
            let mut rows = ParquetRows {
                reader,
                columns,
                group: 0,
                open: None,
                position: 0,
            };
            rows.skip(start)?;
            Ok(rows)
        })
    }

    fn skip(&mut self, start: u64) -> Result<(), String> {
        while self.position < start && self.group < self.reader.num_row_groups() {
            let rows = self
                .reader
                .metadata()
                .row_group(self.group)
                .num_rows()
                .max(0) as u64;
            if self.position + rows <= start {
                self.position += rows;
                self.group += 1;
                continue;
            }
            let mut open = self.open_group()?;
            let count = (start - self.position) as usize;
            for (_, reader) in &mut open.readers {
                skip_records(reader, count)?;
            }
            open.rows_left -= count;
            self.position = start;
            self.open = Some(open);
        }
        Ok(())
    }

    fn open_group(&mut self) -> Result<OpenGroup, String> {
        let group = self
            .reader
            .get_row_group(self.group)
            .map_err(|error| error.to_string())?;
        self.group += 1;
        let rows_left = group.metadata().num_rows().max(0) as usize;
        let readers = self
            .columns
            .iter()
            .enumerate()
            .filter_map(|(cell, column)| column.map(|column| (cell, column)))
            .map(|(cell, column)| {
                group
                    .get_column_reader(column)
                    .map(|reader| (cell, reader))
                    .map_err(|error| error.to_string())
            })
            .collect::<Result<_, _>>()?;
        Ok(OpenGroup { readers, rows_left })
    }

    /// The next rows; after a problem nothing more can be read.
    pub(crate) fn next_rows(&mut self, batch_bytes: usize, limits: &Limits) -> RowBatch {
        let mut rows = Vec::new();
        let mut bytes = 0;
        let result = guarded(|| {
            while rows.len() < ROWS_MAX && bytes < batch_bytes.clamp(1, limits.record_bytes()) {
                if self.open.as_ref().is_none_or(|open| open.rows_left == 0) {
                    if self.group >= self.reader.num_row_groups() {
                        return Ok(true);
                    }
                    let open = self.open_group()?;
                    self.open = Some(open);
                    continue;
                }
                for cells in self.read_some()? {
                    bytes += cells.iter().map(Cell::bytes).sum::<usize>();
                    rows.push(OwnedRow {
                        number: self.position,
                        cells,
                    });
                    self.position += 1;
                }
            }
            Ok(false)
        });
        let end = self.position;
        let (is_last, problem) = match result {
            Ok(is_last) => (is_last, None),
            Err(detail) => (
                true,
                Some(Problem::new(ProblemKind::Unreadable, end, detail)),
            ),
        };
        RowBatch {
            rows,
            problem,
            end,
            is_last,
        }
    }

    fn read_some(&mut self) -> Result<Vec<[Cell; COLUMNS.len()]>, String> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let Some(open) = &mut self.open else {
            return Ok(Vec::new());
        };
        let count = open.rows_left.min(ROWS_A_READ);
        let mut rows = vec![[const { Cell::Null }; COLUMNS.len()]; count];
        for (cell, reader) in &mut open.readers {
            let descriptor = schema.column(self.columns[*cell].unwrap_or_default());
            let values = read_cells(reader, &descriptor, count)?;
            if values.len() != count {
                return Err(format!("column {} ends too soon", COLUMNS[*cell]));
            }
            for (row, value) in rows.iter_mut().zip(values) {
                row[*cell] = value;
            }
        }
        open.rows_left -= count;
        Ok(rows)
    }
}

fn open_file(source: &Source) -> Result<Box<dyn FileReader>, String> {
    Ok(match &source.data {
        Data::File(path) => {
            let file = File::open(path).map_err(|error| error.to_string())?;
            Box::new(SerializedFileReader::new(file).map_err(|error| error.to_string())?)
        }
        Data::Memory(bytes) => {
            Box::new(SerializedFileReader::new(bytes.clone()).map_err(|error| error.to_string())?)
        }
    })
}

/// The Parquet reader is written for files by honest writers; some damage makes it panic.
fn guarded<T>(read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err("the file is damaged inside".to_owned()))
}

fn skip_records(reader: &mut ColumnReader, count: usize) -> Result<(), String> {
    let skipped = match reader {
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(count),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(count),
        _ => Ok(count),
    };
    match skipped.map_err(|error| error.to_string())? {
        skipped if skipped == count => Ok(()),
        _ => Err("a column ends too soon".to_owned()),
    }
}

fn read_cells(
    reader: &mut ColumnReader,
    descriptor: &ColumnDescriptor,
    count: usize,
) -> Result<Vec<Cell>, String> {
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
) -> Result<Vec<Cell>, String> {
    let present = descriptor.max_def_level();
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut records = 0;
    while records < count {
        let (read, _, _) = reader
            .read_records(count - records, Some(&mut levels), None, &mut values)
            .map_err(|error| error.to_string())?;
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

impl Cell {
    fn bytes(&self) -> usize {
        match self {
            Cell::Bytes(bytes) => bytes.len(),
            _ => 8,
        }
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Cell::Bytes(bytes) => Some(String::from_utf8_lossy(bytes.as_bytes())),
            Cell::Integer(number) => Some(Cow::Owned(number.to_string())),
            Cell::Null | Cell::Time(_) => None,
        }
    }
}

impl OwnedRow {
    /// Where the row can be read again.
    pub(crate) fn place(&self) -> Place {
        Place {
            offset: self.number,
            length: 1,
            within: 0,
        }
    }

    /// The row as a page, or what is wrong with it.
    pub(crate) fn as_row(&self) -> Result<Row<'_>, (ProblemKind, String)> {
        let [url, id, html, text, date, ip] = &self.cells;
        let url = url
            .text()
            .filter(|url| !url.is_empty())
            .or_else(|| id.text().filter(|id| !id.is_empty()))
            .ok_or_else(|| (ProblemKind::NoUrl, "a row without url or id".to_owned()))?;
        let body = match (html.text(), text.text()) {
            (Some(html), _) => RowBody::Html(html),
            (None, Some(text)) => RowBody::Text(text),
            (None, None) => {
                return Err((ProblemKind::BadRow, "a row without html or text".to_owned()));
            }
        };
        let fetched = match date {
            Cell::Bytes(bytes) => date::parse(bytes.as_bytes().trim_ascii()),
            Cell::Integer(number) => Some(epoch_millis(*number)),
            Cell::Time(millis) => Some(*millis),
            Cell::Null => None,
        };
        Ok(Row {
            url,
            fetched,
            ip: ip.text().filter(|ip| !ip.is_empty()),
            body,
        })
    }
}
