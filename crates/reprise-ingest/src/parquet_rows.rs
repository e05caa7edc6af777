//! Pages from the rows of a Parquet file.

use std::array::from_fn;
use std::borrow::Cow;
use std::fs::File;
use std::io;

use reprise_tables::{Cell, Input, Table};

use crate::batch::PAGE_BYTES;
use crate::charset;
use crate::date;
use crate::limits::Limits;
use crate::problem::{Problem, ProblemKind};
use crate::record::Place;
use crate::row::{Row, RowBody, epoch_millis};
use crate::source::{Data, Source};

/// Most rows in one batch.
const ROWS_MAX: usize = 8192;

/// To read a table may take so much memory, where nothing else is said: some writers make very large pages.
pub(crate) const TABLE_BYTES_DEFAULT: usize = 1 << 30;

/// The columns that are read, in this order.
const COLUMNS: [&str; 6] = ["url", "id", "html", "text", "date", "ip"];

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
    table: Table,
    position: u64,
}

impl ParquetRows {
    /// Opens the file and steps over the first `start` rows.
    pub(crate) fn open(
        source: &Source,
        start: u64,
        memory_bytes: usize,
    ) -> io::Result<ParquetRows> {
        let mut table =
            Table::open(table_input(source)?, &COLUMNS, memory_bytes).map_err(io::Error::other)?;
        if !table.has("url") && !table.has("id") {
            return Err(io::Error::other("a table without a column url or id"));
        }
        if !table.has("html") && !table.has("text") {
            return Err(io::Error::other("a table without a column html or text"));
        }
        let position = table.skip(start).map_err(io::Error::other)?;
        Ok(ParquetRows { table, position })
    }

    /// The next rows before `stop`; after a problem nothing more can be read.
    pub(crate) fn next_rows(&mut self, batch_bytes: usize, stop: u64, limits: &Limits) -> RowBatch {
        let mut rows = Vec::new();
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
                Err(detail) => {
                    let problem = Problem::new(ProblemKind::Unreadable, self.position, detail);
                    break (true, Some(problem));
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
            end: self.position,
            is_last,
        }
    }
}

/// The table that a source is.
pub(crate) fn table_input(source: &Source) -> io::Result<Input> {
    Ok(match &source.data {
        Data::File(path) => Input::File(File::open(path)?),
        Data::Memory(bytes) => Input::Memory(bytes.clone()),
    })
}

fn cell_bytes(cell: &Cell) -> usize {
    match cell {
        Cell::Bytes(bytes) => bytes.len(),
        _ => 8,
    }
}

fn cell_text(cell: &Cell) -> Option<Cow<'_, str>> {
    match cell {
        // The standard library's own check is several times slower.
        Cell::Bytes(bytes) => Some(match simdutf8::basic::from_utf8(bytes.data()) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes.data()),
        }),
        Cell::Integer(number) => Some(Cow::Owned(number.to_string())),
        Cell::Null | Cell::Time(_) => None,
    }
}

/// A page in a cell. Bytes that are no UTF-8 are in the encoding that they name, or seem to be in.
fn cell_page(cell: &Cell, is_html: bool) -> Option<Cow<'_, str>> {
    if let Cell::Bytes(bytes) = cell
        && simdutf8::basic::from_utf8(bytes.data()).is_err()
    {
        let (text, _) = charset::decode(bytes.data(), None, is_html);
        return Some(Cow::Owned(text.into_owned()));
    }
    cell_text(cell)
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
        let url = cell_text(url)
            .filter(|url| !url.is_empty())
            .or_else(|| cell_text(id).filter(|id| !id.is_empty()))
            .ok_or_else(|| (ProblemKind::NoUrl, "a row without url or id".to_owned()))?;
        let body = match (cell_page(html, true), cell_page(text, false)) {
            (Some(html), _) => RowBody::Html(html),
            (None, Some(text)) => RowBody::Text(text),
            (None, None) => {
                return Err((ProblemKind::BadRow, "a row without html or text".to_owned()));
            }
        };
        let fetched = match date {
            Cell::Bytes(bytes) => date::parse(bytes.data().trim_ascii()),
            Cell::Integer(number) => Some(epoch_millis(*number)),
            Cell::Time(millis) => Some(*millis),
            Cell::Null => None,
        };
        Ok(Row {
            url,
            fetched,
            ip: cell_text(ip).filter(|ip| !ip.is_empty()),
            body,
        })
    }
}
