//! Reads pages from the rows of a Parquet file.

use std::array::from_fn;
use std::borrow::Cow;
use std::fs::File;
use std::io;

use crate::tables::{Cell, Input, Table};

use crate::batch::PAGE_BYTES;
use crate::date;
use crate::limits::RecordLimits;
use crate::problem::{Problem, ProblemKind};
use crate::record::Place;
use crate::row::{Row, RowBody, name_of_fraction};
use crate::source::{Data, Source};

/// The most rows in one batch.
const ROWS_MAX: usize = 8192;

/// The default memory for reading a table. Some writers make very large pages.
pub(crate) const TABLE_BYTES_DEFAULT: usize = 1 << 30;

/// The columns that are read, in this order.
const COLUMNS: [&str; 6] = ["url", "id", "html", "text", "date", "ip"];

/// A row, copied from the file.
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
    /// True if the system refused to read the rows from the problem on.
    pub(crate) is_lost: bool,
    /// The number of the row after the last one.
    pub(crate) end: u64,
    /// The approximate number of bytes of the file that were read so far.
    pub(crate) taken_bytes: u64,
    pub(crate) is_last: bool,
}

/// A Parquet file that is being read.
pub(crate) struct ParquetRows {
    table: Table,
    position: u64,
}

impl ParquetRows {
    /// Opens the file and skips the first `start` rows.
    pub(crate) fn open(
        source: &Source,
        start: u64,
        memory_bytes: usize,
    ) -> io::Result<ParquetRows> {
        let mut table = Table::open(table_input(source)?, &COLUMNS, memory_bytes)?;
        if !table.has("url") && !table.has("id") {
            return Err(io::Error::other("a table without a column url or id"));
        }
        if !table.has("html") && !table.has("text") {
            return Err(io::Error::other("a table without a column html or text"));
        }
        let position = table.skip(start)?;
        Ok(ParquetRows { table, position })
    }

    /// Returns the next rows before `stop`. After a problem, the rest of its row group is skipped.
    pub(crate) fn next_rows(
        &mut self,
        batch_bytes: usize,
        stop: u64,
        limits: &RecordLimits,
    ) -> RowBatch {
        let mut rows = Vec::new();
        let mut is_failed = false;
        let mut bytes = 0;
        let bytes_max = batch_bytes.clamp(1, limits.record_bytes());
        let (is_last, problem) = loop {
            let is_full = rows.len() >= ROWS_MAX || bytes >= bytes_max;
            if is_full || self.position >= stop {
                break (false, None);
            }
            let columns = match self.table.read(bytes_max) {
                Ok(Some(columns)) => columns,
                Ok(None) => break (true, None),
                Err(error) => {
                    let here = self.position;
                    let problem = Problem::new(ProblemKind::Unreadable, here, error.to_string());
                    let next = self.table.give_up_group().map(|next| next.min(stop));
                    is_failed = error.raw_os_error().is_some();
                    self.position = next.unwrap_or(here);
                    break (next.is_none(), Some(problem));
                }
            };
            let count = columns.first().map_or(0, Vec::len) as u64;
            let count = count.min(stop - self.position);
            let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
            for _ in 0..count {
                let cells = from_fn(|at| columns[at].next().unwrap_or(Cell::Null));
                bytes += PAGE_BYTES + cells.iter().map(cell_bytes).sum::<usize>();
                rows.push(OwnedRow {
                    number: self.position,
                    cells,
                });
                self.position += 1;
            }
        };
        RowBatch {
            rows,
            problem,
            is_lost: is_failed,
            end: self.position,
            taken_bytes: self.table.taken_bytes(),
            is_last,
        }
    }
}

/// Returns the table of a source.
pub(crate) fn table_input(source: &Source) -> io::Result<Input> {
    Ok(match &source.data {
        Data::File(path) => Input::file(File::open(path)?, source.range.clone()),
        Data::Memory(bytes) => Input::memory(bytes.clone()),
    })
}

fn cell_bytes(cell: &Cell) -> usize {
    match cell {
        Cell::Text(bytes) | Cell::Bytes(bytes) => bytes.len(),
        _ => 8,
    }
}

/// Returns a URL or an address.
fn cell_text(cell: &Cell) -> Option<Cow<'_, str>> {
    match cell {
        // The check of the standard library is several times slower.
        Cell::Text(bytes) | Cell::Bytes(bytes) => {
            Some(match simdutf8::basic::from_utf8(bytes.data()) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes.data()),
            })
        }
        Cell::Integer(number) => Some(Cow::Owned(number.to_string())),
        Cell::Fraction(number) => name_of_fraction(*number).map(Cow::Owned),
        Cell::Null | Cell::Time(_) => None,
    }
}

/// Returns an id. Bytes that are not text, such as a hash, become hexadecimal digits.
fn cell_id(cell: &Cell) -> Option<Cow<'_, str>> {
    let is_text = |text: &str| !text.contains(|letter: char| letter.is_control());
    match cell {
        Cell::Bytes(bytes) if !str::from_utf8(bytes.data()).is_ok_and(is_text) => {
            let digits = bytes.data().iter().map(|byte| format!("{byte:02x}"));
            Some(Cow::Owned(digits.collect()))
        }
        _ => cell_text(cell),
    }
}

/// Returns the body in a cell: text if the file declares text and it is valid, otherwise bytes.
fn cell_page(cell: &Cell) -> Option<RowBody<'_>> {
    let (Cell::Text(bytes) | Cell::Bytes(bytes)) = cell else {
        return None;
    };
    let text = simdutf8::basic::from_utf8(bytes.data()).ok();
    let text = text.filter(|_| matches!(cell, Cell::Text(_)));
    Some(match text {
        Some(text) => RowBody::Text(Cow::Borrowed(text)),
        None => RowBody::Bytes(Cow::Borrowed(bytes.data())),
    })
}

impl OwnedRow {
    /// Returns the place from which the row can be read back.
    pub(crate) fn place(&self) -> Place {
        Place {
            offset: self.number,
            length: 1,
            within: 0,
        }
    }

    /// Returns the row as a page, or its problem.
    pub(crate) fn as_row(&self) -> Result<Row<'_>, (ProblemKind, String)> {
        let [url, id, html, text, date, ip] = &self.cells;
        let url = cell_text(url).filter(|url| !url.is_empty());
        let url = url.or_else(|| cell_id(id).filter(|id| !id.is_empty()));
        let fetched = match date {
            Cell::Text(bytes) | Cell::Bytes(bytes) => date::parse_any(bytes.data()),
            Cell::Integer(number) => date::from_integer(*number),
            Cell::Fraction(number) => date::from_fraction(*number),
            Cell::Time(millis) => Some(*millis),
            Cell::Null => None,
        };
        let ip = match ip {
            Cell::Text(_) | Cell::Bytes(_) => cell_text(ip),
            _ => None,
        };
        Row::new(url, fetched, ip, cell_page(html), cell_page(text))
    }
}
