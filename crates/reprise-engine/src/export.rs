//! Exports the tables of a corpus and of results for other programs.

use std::path::Path;

use reprise_fingerprint::Fingerprint;
use reprise_store::schema::{
    Chunks, Clusters, Column, DetectedPages, Fingerprints, Kind, LabelRows, Neighborhoods, Pages,
    Problems, SitePairs, Sketches, Sources, Table,
};
use reprise_store::{Progress, RowWriter, Segment, StoreError, TableReader, Texts, Unit, Values};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::result_file::ResultFile;

/// A table of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTable {
    /// One row for each page.
    Pages,
    /// One row for each chunk of each page.
    Chunks,
    /// One row for each distinct fingerprint of each segment.
    Fingerprints,
    /// One row for each page of a corpus with shingles.
    Shingles,
    /// One row for each file that was read.
    Sources,
    /// One row for each record that was skipped or damaged.
    Problems,
}

/// A file of exported rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Exported {
    /// The path of the file.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
}

/// Writes the rows of an export and reports the progress.
struct Exporter<'p> {
    writer: RowWriter,
    rows: u64,
    progress: &'p dyn Progress,
}

impl Exporter<'_> {
    fn create<'p>(
        output: &ResultFile,
        columns: &'static [Column],
        rows: u64,
        progress: &'p dyn Progress,
    ) -> Result<Exporter<'p>, StoreError> {
        progress.begin("exporting", rows, Unit::Rows);
        Ok(Exporter {
            writer: RowWriter::create(&output.path, output.format, columns)?,
            rows: 0,
            progress,
        })
    }

    fn write(&mut self, values: &[Values]) -> Result<(), StoreError> {
        self.progress.check()?;
        self.writer.write(values)?;
        let rows = values.first().map_or(0, Values::len) as u64;
        self.progress.advance(rows);
        self.rows += rows;
        Ok(())
    }

    fn finish(self, output: &ResultFile) -> Result<Exported, Error> {
        self.writer.finish()?;
        Ok(Exported {
            path: output.path.display().to_string(),
            rows: self.rows,
        })
    }
}

const fn text(name: &'static str) -> Column {
    Column::exported(name, Kind::Text, false)
}

const fn int(name: &'static str) -> Column {
    Column::exported(name, Kind::Int, false)
}

const PAGES: &[Column] = &[
    text("url"),
    text("site"),
    text("host"),
    Column::exported("fetched", Kind::Time, true),
    Column::exported("status", Kind::Int, true),
    text("media_type"),
    text("charset"),
    Column::exported("ip", Kind::Text, true),
    text("content"),
    int("bytes"),
    int("chunks"),
    text("fingerprint"),
    text("source"),
    int("offset"),
    int("length"),
    int("within"),
    int("segment"),
];

const CHUNKS: &[Column] = &[
    text("url"),
    int("ordinal"),
    int("start"),
    int("length"),
    int("chars"),
    Column::exported("visible", Kind::Bool, false),
    text("fingerprint"),
];

const FINGERPRINTS: &[Column] = &[
    text("fingerprint"),
    int("chars"),
    Column::exported("visible", Kind::Bool, false),
    int("occurrences"),
    int("pages"),
    int("sites"),
    int("segment"),
];

const SHINGLES: &[Column] = &[
    text("url"),
    int("words"),
    text("text"),
    text("shingles"),
    int("segment"),
];

const SOURCES: &[Column] = &[
    text("name"),
    text("format"),
    int("bytes"),
    text("identity"),
    int("start"),
    int("end"),
    Column::exported("done", Kind::Bool, false),
    int("segment"),
];

const PROBLEMS: &[Column] = &[
    text("source"),
    text("kind"),
    int("offset"),
    Column::exported("url", Kind::Text, true),
    text("detail"),
    int("segment"),
];

impl Corpus {
    /// Writes a table of the corpus, with names instead of row numbers and fingerprints in hexadecimal.
    pub fn export(
        &self,
        table: ExportTable,
        output: &ResultFile,
        progress: &dyn Progress,
    ) -> Result<Exported, Error> {
        if table == ExportTable::Shingles && !self.reader.has_shingles() {
            // Checked before the file is created.
            return Err(self.no_shingles());
        }
        let (name, columns) = match table {
            ExportTable::Pages => (Pages::TABLE, PAGES),
            ExportTable::Chunks => (Chunks::TABLE, CHUNKS),
            ExportTable::Fingerprints => (Fingerprints::TABLE, FINGERPRINTS),
            ExportTable::Shingles => (Sketches::TABLE, SHINGLES),
            ExportTable::Sources => (Sources::TABLE, SOURCES),
            ExportTable::Problems => (Problems::TABLE, PROBLEMS),
        };
        let files =
            (self.reader.segments()).filter_map(|segment| segment.summary().files.get(name));
        let rows = files.map(|file| file.rows).sum();
        let mut exporter = Exporter::create(output, columns, rows, progress)?;
        for segment in self.reader.segments() {
            let out = &mut exporter;
            match table {
                ExportTable::Chunks => export_chunks(&segment, out)?,
                ExportTable::Pages => plain(&segment, &segment.pages()?, columns, out)?,
                ExportTable::Fingerprints => {
                    plain(&segment, &segment.fingerprints()?, columns, out)?;
                }
                ExportTable::Shingles => {
                    let table = segment.shingles()?.ok_or_else(|| self.no_shingles())?;
                    export_shingles(&segment, &table, out)?;
                }
                ExportTable::Sources => plain(&segment, &segment.sources()?, columns, out)?,
                ExportTable::Problems => plain(&segment, &segment.problems()?, columns, out)?,
            }
        }
        exporter.finish(output)
    }

    fn no_shingles(&self) -> Error {
        let path = self.path().to_owned();
        StoreError::NoShingles { path }.into()
    }
}

/// Converts a result file (labels, clusters, or a table of detection) to another format.
pub fn export_file(
    input: &Path,
    output: &ResultFile,
    progress: &dyn Progress,
) -> Result<Exported, Error> {
    // A damaged file and a file of another kind look alike here, so every kind is tried.
    let kinds = [
        copy::<LabelRows>,
        copy::<Clusters>,
        copy::<DetectedPages>,
        copy::<Neighborhoods>,
        copy::<SitePairs>,
    ];
    for kind in kinds {
        match kind(input, output, progress) {
            Err(Error::Store(StoreError::Damaged { path, .. })) if path == input => {}
            result => return result,
        }
    }
    Err(Error::NotAResult {
        path: input.to_owned(),
    })
}

fn copy<T: Table>(
    input: &Path,
    output: &ResultFile,
    progress: &dyn Progress,
) -> Result<Exported, Error> {
    let table = TableReader::<T>::open(input)?;
    let mut exporter = Exporter::create(output, T::COLUMNS, table.rows(), progress)?;
    for group in 0..table.groups() {
        let columns = T::COLUMNS.iter();
        let values: Result<Vec<Values>, StoreError> =
            columns.map(|&column| table.values(group, column)).collect();
        exporter.write(&values?)?;
    }
    exporter.finish(output)
}

/// Exports the shingles of pages, with their URLs.
fn export_shingles(
    segment: &Segment<'_>,
    table: &TableReader<Sketches>,
    out: &mut Exporter<'_>,
) -> Result<(), StoreError> {
    let pages = segment.pages()?;
    let mut urls: Vec<reprise_store::Text> = Vec::new();
    let mut next_group = 0;
    for group in 0..table.groups() {
        let shingles = table.read(group, Sketches::SHINGLES)?;
        while urls.len() < shingles.len() && next_group < pages.groups() {
            let more = pages.read(next_group, Pages::URL)?;
            urls.extend((0..more.len()).map(|row| more.text(row)));
            next_group += 1;
        }
        let rows = shingles.len();
        out.write(&[
            Values::Text(urls.drain(..rows.min(urls.len())).collect()),
            Values::Int(table.read(group, Sketches::WORDS)?),
            hexadecimal(&table.read(group, Sketches::TEXT)?),
            Values::Shingles(shingles).into_text(),
            Values::Int(vec![segment.summary().number as i64; rows]),
        ])?;
    }
    Ok(())
}

/// Exports the rows of a table as they are, with the name of the source and the number of the segment.
fn plain<T: Table>(
    segment: &Segment<'_>,
    table: &TableReader<T>,
    columns: &[Column],
    out: &mut Exporter<'_>,
) -> Result<(), StoreError> {
    let has_sources = columns.iter().any(|column| column.name == "source");
    let names = if has_sources {
        segment.source_names()?
    } else {
        Texts::default()
    };
    let stored = |name: &str| {
        T::COLUMNS
            .iter()
            .find(|column| column.name == name)
            .copied()
    };
    for group in 0..table.groups() {
        let mut values = Vec::new();
        for column in columns {
            values.push(match (column.name, stored(column.name)) {
                ("source", Some(source)) => {
                    name_sources(table.values(group, source)?, &names, segment)?
                }
                (_, Some(stored)) => table.values(group, stored)?.into_text(),
                (_, None) => {
                    let rows = values.first().map_or(0, Values::len);
                    Values::Int(vec![segment.summary().number as i64; rows])
                }
            });
        }
        out.write(&values)?;
    }
    Ok(())
}

/// Replaces row numbers of sources by their names.
fn name_sources(
    sources: Values,
    names: &Texts,
    segment: &Segment<'_>,
) -> Result<Values, StoreError> {
    let Values::Int(sources) = sources else {
        return Ok(sources);
    };
    let name = |source: i64| {
        let row = usize::try_from(source)
            .ok()
            .filter(|&row| row < names.len());
        row.map(|row| names.text(row))
    };
    let found: Option<Texts> = sources.into_iter().map(name).collect();
    found.map(Values::Text).ok_or_else(|| StoreError::Damaged {
        path: segment.file::<Sources>(),
        detail: "a source that does not exist".to_owned(),
    })
}

fn hexadecimal(fingerprints: &[Fingerprint]) -> Values {
    Values::Fingerprint(fingerprints.to_vec()).into_text()
}

/// The columns that the chunks of a segment refer to by row number.
struct Lookup {
    urls: Texts,
    fingerprints: Vec<Fingerprint>,
    chars: Vec<i64>,
    visible: Vec<bool>,
}

impl Lookup {
    fn of(segment: &Segment<'_>) -> Result<Lookup, StoreError> {
        let mut lookup = Lookup {
            urls: Texts::default(),
            fingerprints: Vec::new(),
            chars: Vec::new(),
            visible: Vec::new(),
        };
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            lookup.urls.extend(pages.read(group, Pages::URL)?);
        }
        let table = segment.fingerprints()?;
        for group in 0..table.groups() {
            let fingerprints = table.read(group, Fingerprints::FINGERPRINT)?;
            lookup.fingerprints.extend(fingerprints);
            lookup.chars.extend(table.read(group, Fingerprints::CHARS)?);
            lookup
                .visible
                .extend(table.read(group, Fingerprints::VISIBLE)?);
        }
        Ok(lookup)
    }
}

fn export_chunks(segment: &Segment<'_>, out: &mut Exporter<'_>) -> Result<(), StoreError> {
    let lookup = Lookup::of(segment)?;
    let table = segment.chunks()?;
    let (mut last_page, mut ordinal) = (None, 0);
    for group in 0..table.groups() {
        let pages = table.indices(group, Chunks::PAGE, lookup.urls.len())?;
        let ranks = table.indices(group, Chunks::RANK, lookup.fingerprints.len())?;
        let ordinals = pages.iter().map(|&page| {
            let is_same = last_page.replace(page) == Some(page);
            ordinal = if is_same { ordinal + 1 } else { 0 };
            ordinal
        });
        let ordinals = Values::Int(ordinals.collect());
        let fingerprints: Vec<Fingerprint> = ranks
            .iter()
            .map(|&rank| lookup.fingerprints[rank])
            .collect();
        out.write(&[
            Values::Text(pages.iter().map(|&page| lookup.urls.text(page)).collect()),
            ordinals,
            Values::Int(table.read(group, Chunks::START)?),
            Values::Int(table.read(group, Chunks::LENGTH)?),
            Values::Int(ranks.iter().map(|&rank| lookup.chars[rank]).collect()),
            Values::Bool(ranks.iter().map(|&rank| lookup.visible[rank]).collect()),
            hexadecimal(&fingerprints),
        ])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        FINGERPRINTS, Fingerprints, PAGES, PROBLEMS, Pages, Problems, SOURCES, Sources, Table,
    };

    /// Every exported column except the added ones is a column of the table, so that a column added to
    /// the format is not forgotten here.
    #[test]
    fn no_column_is_forgotten() {
        for (exported, stored) in [
            (PAGES, Pages::COLUMNS),
            (FINGERPRINTS, Fingerprints::COLUMNS),
            (SOURCES, Sources::COLUMNS),
            (PROBLEMS, Problems::COLUMNS),
        ] {
            let mut names: Vec<&str> = exported.iter().map(|column| column.name).collect();
            let mut expected: Vec<&str> = stored.iter().map(|column| column.name).collect();
            expected.push("segment");
            // The first chunk is a row number, which means nothing outside the corpus.
            expected.retain(|name| *name != "first_chunk");
            names.sort_unstable();
            expected.sort_unstable();
            assert_eq!(names, expected);
        }
    }
}
