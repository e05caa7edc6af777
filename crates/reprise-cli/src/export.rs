//! Tables as other programs like to have them: JSON Lines, CSV or Parquet.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use reprise_engine::ingest::format_date;
use reprise_engine::store::schema::{Column, Kind};
use reprise_engine::store::{AsBytes, Aside, TableWriter, Values, create_file};

use crate::output_file;

/// The file format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
    /// Apache Parquet
    Parquet,
}

/// Where rows go.
pub(crate) struct RowWriter {
    rows: Rows,
    path: PathBuf,
    /// The file, which gets its name when it is finished.
    aside: Aside,
}

enum Rows {
    Text {
        out: Box<dyn Write>,
        columns: &'static [Column],
        format: Format,
    },
    Parquet(Box<TableWriter>),
}

impl RowWriter {
    /// Writes to a file, which may be standard output.
    pub(crate) fn create(
        path: &Path,
        format: Format,
        columns: &'static [Column],
    ) -> anyhow::Result<RowWriter> {
        let aside = Aside::of(path);
        let rows = if format == Format::Parquet {
            output_file::check_binary(path)?;
            Rows::Parquet(Box::new(TableWriter::create(aside.path(), columns)?))
        } else {
            create_file(aside.path())
                .and_then(|file| Rows::text(Box::new(BufWriter::new(file)), format, columns))
                .with_context(|| cannot_write(path))?
        };
        Ok(RowWriter {
            rows,
            path: path.to_owned(),
            aside,
        })
    }

    /// Writes some rows, given column by column.
    pub(crate) fn write(&mut self, values: &[Values]) -> anyhow::Result<()> {
        let (out, columns, format) = match &mut self.rows {
            Rows::Parquet(writer) => return Ok(writer.write(values)?),
            Rows::Text {
                out,
                columns,
                format,
            } => (out, columns, format),
        };
        let rows = values.first().map_or(0, Values::len);
        let mut line = String::new();
        for row in 0..rows {
            line.clear();
            for (column, values) in columns.iter().zip(values) {
                match format {
                    Format::Csv => push_csv(&mut line, &cell(column, values, row)),
                    _ => push_json(&mut line, column.name, &cell(column, values, row)),
                }
            }
            if *format == Format::Csv {
                line.pop();
            } else {
                line.push('}');
            }
            writeln!(out, "{line}").with_context(|| cannot_write(&self.path))?;
        }
        Ok(())
    }

    /// Makes sure that everything is written, and gives the file its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self.rows {
            Rows::Parquet(writer) => {
                writer.finish()?;
            }
            Rows::Text { mut out, .. } => {
                out.flush().with_context(|| cannot_write(&self.path))?;
            }
        }
        Ok(self.aside.keep()?)
    }
}

impl Rows {
    fn text(
        mut out: Box<dyn Write>,
        format: Format,
        columns: &'static [Column],
    ) -> io::Result<Rows> {
        if format == Format::Csv {
            let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
            writeln!(out, "{}", names.join(","))?;
        }
        Ok(Rows::Text {
            out,
            columns,
            format,
        })
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", output_file::name(path))
}

enum Cell<'v> {
    Null,
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(std::borrow::Cow<'v, str>),
}

fn cell<'v>(column: &Column, values: &'v Values, row: usize) -> Cell<'v> {
    let int = |value: i64| {
        if column.kind == Kind::Time {
            Cell::Text(format_date(value).into())
        } else {
            Cell::Int(value)
        }
    };
    match values {
        Values::Int(values) => int(values[row]),
        Values::OptionalInt(values) => values[row].map_or(Cell::Null, int),
        Values::Float(values) => Cell::Float(values[row]),
        Values::OptionalFloat(values) => values[row].map_or(Cell::Null, Cell::Float),
        Values::Bool(values) => Cell::Bool(values[row]),
        Values::Text(values) => Cell::Text(String::from_utf8_lossy(values[row].as_bytes())),
        Values::OptionalText(values) => values[row].as_ref().map_or(Cell::Null, |value| {
            Cell::Text(String::from_utf8_lossy(value.as_bytes()))
        }),
        Values::Fingerprint(values) => Cell::Text(values[row].to_string().into()),
        Values::Shingles(values) => Cell::Text(hex(&values[row]).into()),
    }
}

/// Shingles in hexadecimal, with spaces between them.
pub(crate) fn hex(shingles: &[u64]) -> String {
    let each: Vec<String> = shingles.iter().map(|one| format!("{one:016x}")).collect();
    each.join(" ")
}

fn push_json(line: &mut String, name: &str, cell: &Cell<'_>) {
    line.push(if line.is_empty() { '{' } else { ',' });
    line.push('"');
    line.push_str(name);
    line.push_str("\":");
    match cell {
        Cell::Null => line.push_str("null"),
        Cell::Int(value) => line.push_str(&value.to_string()),
        Cell::Float(value) => line.push_str(&value.to_string()),
        Cell::Bool(value) => line.push_str(if *value { "true" } else { "false" }),
        Cell::Text(value) => line.push_str(&serde_json::Value::from(value.as_ref()).to_string()),
    }
}

/// RFC 4180: quotes around what needs them, quotes inside doubled.
fn push_csv(line: &mut String, cell: &Cell<'_>) {
    match cell {
        Cell::Null => {}
        Cell::Int(value) => line.push_str(&value.to_string()),
        Cell::Float(value) => line.push_str(&value.to_string()),
        Cell::Bool(value) => line.push_str(if *value { "true" } else { "false" }),
        Cell::Text(value) if value.contains([',', '"', '\n', '\r']) => {
            line.push('"');
            line.push_str(&value.replace('"', "\"\""));
            line.push('"');
        }
        Cell::Text(value) => line.push_str(value),
    }
    line.push(',');
}
