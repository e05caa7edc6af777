//! Writes tables for other programs, as Parquet, JSON Lines or CSV.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat};

use crate::aside::{Aside, create_file};
use crate::error::StoreError;
use crate::schema::{Column, Kind};
use crate::table::{TableWriter, Values, hex};

/// The format of a result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
}

/// The error for an unknown format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The extension of a file name does not name a format.
    #[error("{}: unknown extension; use .parquet, .jsonl or .csv", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// The name is not the name of a format.
    #[error("unknown format {found:?}; use parquet, jsonl or csv")]
    Name {
        /// The name.
        found: String,
    },
}

impl Format {
    /// All formats, with the names that flags and extensions use.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Jsonl, Format::Csv];

    /// Returns the name of the format, which is also its extension.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
        }
    }

    /// Chooses the format by the extension of a file name. A name without an extension is Parquet.
    pub fn of_path(path: &Path) -> Result<Format, FormatError> {
        let Some(extension) = path.extension() else {
            return Ok(Format::Parquet);
        };
        Format::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.as_str()))
            .ok_or_else(|| FormatError::Extension {
                path: path.to_owned(),
            })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Format, FormatError> {
        let mut all = Format::ALL.into_iter();
        all.find(|format| format.as_str() == text)
            .ok_or_else(|| FormatError::Name {
                found: text.to_owned(),
            })
    }
}

/// Writes rows to a file in any format. The file appears under its name only when it is complete.
pub struct RowWriter {
    rows: Rows,
    path: PathBuf,
    aside: Aside,
}

enum Rows {
    Text {
        out: BufWriter<std::fs::File>,
        columns: &'static [Column],
        is_csv: bool,
    },
    Parquet(Box<TableWriter>),
}

impl RowWriter {
    /// Creates a file with these columns.
    pub fn create(
        path: &Path,
        format: Format,
        columns: &'static [Column],
    ) -> Result<RowWriter, StoreError> {
        let aside = Aside::of(path);
        let rows = match format {
            Format::Parquet => Rows::Parquet(Box::new(TableWriter::create(aside.path(), columns)?)),
            Format::Jsonl | Format::Csv => {
                create_text(aside.path(), format, columns).map_err(StoreError::writing(path))?
            }
        };
        Ok(RowWriter {
            rows,
            path: path.to_owned(),
            aside,
        })
    }

    /// Writes some rows, given column by column.
    pub fn write(&mut self, values: &[Values]) -> Result<(), StoreError> {
        let (out, columns, is_csv) = match &mut self.rows {
            Rows::Parquet(writer) => return writer.write(values),
            Rows::Text {
                out,
                columns,
                is_csv,
            } => (out, columns, *is_csv),
        };
        let rows = values.first().map_or(0, Values::len);
        let mut line = String::new();
        for row in 0..rows {
            line.clear();
            for (column, values) in columns.iter().zip(values) {
                let cell = Cell::of(column, values, row);
                if is_csv {
                    cell.push_csv(&mut line);
                } else {
                    cell.push_json(column.name, &mut line);
                }
            }
            if is_csv {
                line.pop();
            } else {
                line.push('}');
            }
            writeln!(out, "{line}").map_err(StoreError::writing(&self.path))?;
        }
        Ok(())
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> Result<(), StoreError> {
        self.complete()?.keep()
    }

    /// Completes several files, and gives them their names when all are complete.
    pub fn finish_all(writers: impl IntoIterator<Item = RowWriter>) -> Result<(), StoreError> {
        let asides: Result<Vec<Aside>, StoreError> =
            writers.into_iter().map(RowWriter::complete).collect();
        asides?.into_iter().try_for_each(Aside::keep)
    }

    fn complete(self) -> Result<Aside, StoreError> {
        match self.rows {
            Rows::Parquet(writer) => _ = writer.finish()?,
            Rows::Text { mut out, .. } => {
                out.flush().map_err(StoreError::writing(&self.path))?;
            }
        }
        Ok(self.aside)
    }
}

fn create_text(path: &Path, format: Format, columns: &'static [Column]) -> io::Result<Rows> {
    let mut out = BufWriter::new(create_file(path)?);
    let is_csv = format == Format::Csv;
    if is_csv {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
    }
    Ok(Rows::Text {
        out,
        columns,
        is_csv,
    })
}

/// One value of a text format.
enum Cell<'v> {
    Null,
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(Cow<'v, str>),
}

impl<'v> Cell<'v> {
    fn of(column: &Column, values: &'v Values, row: usize) -> Cell<'v> {
        let int = |value: i64| match column.kind {
            Kind::Time => Cell::Text(format_time(value).into()),
            _ => Cell::Int(value),
        };
        match values {
            Values::Int(values) => int(values[row]),
            Values::OptionalInt(values) => values[row].map_or(Cell::Null, int),
            Values::Float(values) => Cell::Float(values[row]),
            Values::OptionalFloat(values) => values[row].map_or(Cell::Null, Cell::Float),
            Values::Bool(values) => Cell::Bool(values[row]),
            Values::Text(values) => Cell::Text(values.to_str(row)),
            Values::OptionalText(values) => values.get(row).map_or(Cell::Null, |value| {
                Cell::Text(String::from_utf8_lossy(value))
            }),
            Values::Fingerprint(values) => Cell::Text(values[row].to_string().into()),
            Values::Shingles(values) => Cell::Text(hex(&values[row]).into()),
        }
    }

    fn push_json(&self, name: &str, line: &mut String) {
        line.push(if line.is_empty() { '{' } else { ',' });
        line.push('"');
        line.push_str(name);
        line.push_str("\":");
        match self {
            Cell::Null => line.push_str("null"),
            Cell::Int(value) => line.push_str(&value.to_string()),
            Cell::Float(value) => line.push_str(&value.to_string()),
            Cell::Bool(value) => line.push_str(if *value { "true" } else { "false" }),
            Cell::Text(value) => {
                line.push_str(&serde_json::Value::from(value.as_ref()).to_string());
            }
        }
    }

    /// Appends the value and a comma. Values that need it are quoted, with quotes inside doubled.
    fn push_csv(&self, line: &mut String) {
        match self {
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
}

/// Formats milliseconds since 1970 as ISO 8601, UTC. Times that no calendar has stay numbers.
fn format_time(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis).map_or_else(
        || millis.to_string(),
        |time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Format, RowWriter};
    use crate::schema::{SitePairs, Table};
    use crate::table::Values;

    #[test]
    fn the_extension_chooses_the_format() {
        let check = |path: &str, format: Option<Format>| {
            assert_eq!(Format::of_path(Path::new(path)).ok(), format, "{path}");
        };
        check("a.parquet", Some(Format::Parquet));
        check("a/b.JSONL", Some(Format::Jsonl));
        check("b.csv", Some(Format::Csv));
        check("labels", Some(Format::Parquet));
        check("b.json", None);
        check("b.txt", None);
    }

    #[test]
    fn csv_is_quoted_and_json_is_escaped() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = directory.path().join(name);
            let format = Format::of_path(&path).unwrap();
            let mut writer = RowWriter::create(&path, format, SitePairs::COLUMNS).unwrap();
            let rows = [
                Values::texts(["a,\"b\"", "c"]),
                Values::texts(["d\n", ""]),
                Values::Int(vec![1, 2]),
                Values::Int(vec![3, -4]),
            ];
            writer.write(&rows).unwrap();
            writer.finish().unwrap();
            fs::read_to_string(path).unwrap()
        };
        assert_eq!(
            write("x.csv"),
            "copier,source,chunks,pages\n\"a,\"\"b\"\"\",\"d\n\",1,3\nc,,2,-4\n"
        );
        assert_eq!(
            write("x.jsonl"),
            "{\"copier\":\"a,\\\"b\\\"\",\"source\":\"d\\n\",\"chunks\":1,\"pages\":3}\n\
             {\"copier\":\"c\",\"source\":\"\",\"chunks\":2,\"pages\":-4}\n"
        );
    }
}
