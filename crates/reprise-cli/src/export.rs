//! Tables as other programs like to have them: JSON Lines, CSV or Parquet.

use std::fs::File;
use std::io::{self, BufWriter, Write, stdout};
use std::path::Path;

use anyhow::Context;
use reprise::ingest::format_date;
use reprise::store::schema::{Column, Kind};
use reprise::store::{AsBytes, Aside, TableWriter, Values};

use crate::exit::Usage;

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
    /// The file, which gets its name when it is finished.
    aside: Option<Aside>,
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
    /// Writes to a file, or to standard output.
    pub(crate) fn create(
        path: Option<&Path>,
        format: Format,
        columns: &'static [Column],
    ) -> anyhow::Result<RowWriter> {
        let aside = path.map(Aside::of);
        let rows = match (format, &aside) {
            (Format::Parquet, None) => {
                let why = "Parquet cannot be written to a pipe: name a file with -o";
                return Err(Usage(why.to_owned()).into());
            }
            (Format::Parquet, Some(aside)) => {
                Rows::Parquet(Box::new(TableWriter::create(aside.path(), columns)?))
            }
            (_, Some(aside)) => {
                let file = File::create(aside.path()).with_context(|| cannot_write(aside))?;
                Rows::text(Box::new(BufWriter::new(file)), format, columns)
                    .with_context(|| cannot_write(aside))?
            }
            (_, None) => Rows::text(Box::new(BufWriter::new(stdout().lock())), format, columns)?,
        };
        Ok(RowWriter { rows, aside })
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
            let written = writeln!(out, "{line}");
            match &self.aside {
                Some(aside) => written.with_context(|| cannot_write(aside))?,
                None => written?,
            }
        }
        Ok(())
    }

    /// Makes sure that everything is written, and gives the file its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match (self.rows, &self.aside) {
            (Rows::Parquet(writer), _) => {
                writer.finish()?;
            }
            (Rows::Text { mut out, .. }, Some(aside)) => {
                out.flush().with_context(|| cannot_write(aside))?;
            }
            (Rows::Text { mut out, .. }, None) => out.flush()?,
        }
        Ok(self.aside.map_or(Ok(()), Aside::keep)?)
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

fn cannot_write(aside: &Aside) -> String {
    format!("cannot write {}", aside.path().display())
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
