//! `reprise export`: tables of a corpus and of results, for other programs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use reprise_engine::store::STANDARD_OUTPUT;
use reprise_engine::{Corpus, ExportTable, Format, export_file};

use crate::console::{Console, print_json};
use crate::failure::Usage;
use crate::human;
use crate::output::{self, FormatFlag};

/// Write a table of a corpus, or a result file, as JSON Lines, CSV or Parquet
///
/// Fingerprints are written in hexadecimal. References to other rows are written as names, such as URLs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of a corpus, or a result file: labels, clusters, pages, neighborhoods or sites in Parquet
    #[arg(value_name = "CORPUS|RESULT")]
    input: PathBuf,
    /// Table of the corpus
    #[arg(long, value_enum)]
    table: Option<Table>,
    /// File to write, .parquet, .jsonl or .csv; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output::parser())]
    output: PathBuf,
    #[command(flatten)]
    format: FormatFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    /// One row for each page
    Pages,
    /// One row for each chunk of each page
    Chunks,
    /// One row for each distinct fingerprint of each segment
    Fingerprints,
    /// One row for each page, with its shingles, if the corpus has them
    Shingles,
    /// One row for each file that was read
    Sources,
    /// One row for each record that was skipped or damaged
    Problems,
}

impl Table {
    fn exported(self) -> ExportTable {
        match self {
            Table::Pages => ExportTable::Pages,
            Table::Chunks => ExportTable::Chunks,
            Table::Fingerprints => ExportTable::Fingerprints,
            Table::Shingles => ExportTable::Shingles,
            Table::Sources => ExportTable::Sources,
            Table::Problems => ExportTable::Problems,
        }
    }
}

impl Args {
    pub(crate) fn run(&self, console: Console) -> anyhow::Result<ExitCode> {
        let file = self.format.file(&self.output, Format::Jsonl)?;
        if self.output == Path::new(STANDARD_OUTPUT) && console.json && file.format != Format::Jsonl
        {
            let message = "--json contradicts --format; remove one of them";
            return Err(Usage(message.to_owned()).into());
        }
        if self.table.is_some() && self.input.is_file() {
            let message = "--table is for a corpus; a result file is one table, so remove --table";
            return Err(Usage(message.to_owned()).into());
        }
        let bar = console.bar();
        let exported = match self.table {
            Some(table) => Corpus::open(&self.input)?.export(table.exported(), &file, &bar)?,
            None if self.input.is_dir() => {
                let message = "--table is missing: pages, chunks, fingerprints, shingles, sources or problems";
                return Err(Usage(message.to_owned()).into());
            }
            None => export_file(&self.input, &file, &bar)?,
        };
        bar.finish();
        if output::is_standard(&self.output) {
            return Ok(ExitCode::SUCCESS);
        }
        if console.json {
            print_json(&exported)?;
        } else {
            let rows = human::counted(exported.rows, "row");
            console.say(format!("{rows} written to {}", exported.path));
        }
        Ok(ExitCode::SUCCESS)
    }
}
