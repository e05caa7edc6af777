//! `reprise export`: the tables of a corpus, with names instead of numbers and fingerprints in hexadecimal.

use std::path::PathBuf;
use std::process::ExitCode;

use reprise_engine::fingerprint::Fingerprint;
use reprise_engine::store::schema::{Column, Kind};
use reprise_engine::store::{ByteArray, Corpus, Segment, StoreError, TableReader, Values};

use crate::export::{Format, RowWriter, hex};
use crate::output_file;

/// Write a table of a corpus as JSON Lines, CSV or Parquet.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory of the corpus
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// Which table
    #[arg(long, value_enum)]
    table: Table,
    /// Which format
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
    /// File to write; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_file::parser())]
    output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    /// One row for each page
    Pages,
    /// One row for each chunk of each page
    Chunks,
    /// One row for each distinct fingerprint of each segment
    Fingerprints,
    /// One row for each page of a corpus with shingles
    Shingles,
    /// One row for each file that was read
    Sources,
    /// One row for each record that was skipped or damaged
    Problems,
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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::open(&args.corpus)?;
    if args.table == Table::Shingles && !corpus.has_shingles() {
        // Before anything is written.
        let path = corpus.path().to_owned();
        return Err(StoreError::NoShingles { path }.into());
    }
    let columns = match args.table {
        Table::Pages => PAGES,
        Table::Chunks => CHUNKS,
        Table::Fingerprints => FINGERPRINTS,
        Table::Shingles => SHINGLES,
        Table::Sources => SOURCES,
        Table::Problems => PROBLEMS,
    };
    let mut writer = RowWriter::create(&args.output, args.format, columns)?;
    for segment in corpus.segments() {
        match args.table {
            Table::Chunks => chunks(&segment, &mut writer)?,
            Table::Pages => plain(&segment, &segment.pages()?, columns, &mut writer)?,
            Table::Fingerprints => plain(&segment, &segment.fingerprints()?, columns, &mut writer)?,
            Table::Shingles => shingles(&corpus, &segment, &mut writer)?,
            Table::Sources => plain(&segment, &segment.sources()?, columns, &mut writer)?,
            Table::Problems => plain(&segment, &segment.problems()?, columns, &mut writer)?,
        }
    }
    writer.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The sampled words, with the URL of the page.
fn shingles(corpus: &Corpus, segment: &Segment<'_>, writer: &mut RowWriter) -> anyhow::Result<()> {
    let Some(table) = segment.shingles()? else {
        let path = corpus.path().to_owned();
        return Err(StoreError::NoShingles { path }.into());
    };
    let pages = segment.pages()?;
    let mut urls = Vec::new();
    let mut next_group = 0;
    let mut shingles = Vec::new();
    for group in 0..table.groups() {
        table.shingles_into(group, "shingles", &mut shingles)?;
        while urls.len() < shingles.len() && next_group < pages.groups() {
            urls.extend(pages.texts(next_group, "url")?);
            next_group += 1;
        }
        let words = Values::Int(table.ints(group, "words")?);
        let texts = table.fingerprints(group, "text")?;
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let all: Vec<String> = shingles.iter().map(|one| hex(one)).collect();
        let number = segment.summary().number as i64;
        writer.write(&[
            Values::Text(urls.drain(..shingles.len().min(urls.len())).collect()),
            words,
            Values::texts(texts.iter().map(String::as_str)),
            Values::texts(all.iter().map(String::as_str)),
            Values::Int(vec![number; shingles.len()]),
        ])?;
    }
    Ok(())
}

/// A table whose rows go out as they are, with the source named and the segment added.
fn plain(
    segment: &Segment<'_>,
    table: &TableReader,
    columns: &[Column],
    writer: &mut RowWriter,
) -> anyhow::Result<()> {
    let has_sources = columns.iter().any(|column| column.name == "source");
    let names = if has_sources {
        segment.source_names()?
    } else {
        Vec::new()
    };
    for group in 0..table.groups() {
        let mut values = Vec::new();
        for column in columns {
            values.push(match column.name {
                "segment" => {
                    let rows = values.first().map_or(0, Values::len);
                    Values::Int(vec![segment.summary().number as i64; rows])
                }
                "source" => {
                    let sources = table.indices(group, "source", names.len())?;
                    let names = sources.into_iter().map(|source| names[source].clone());
                    Values::Text(names.collect())
                }
                name => in_hexadecimal(table.read(group, name)?),
            });
        }
        writer.write(&values)?;
    }
    Ok(())
}

fn in_hexadecimal(values: Values) -> Values {
    match values {
        Values::Fingerprint(values) => Values::Text(values.iter().map(hexadecimal).collect()),
        other => other,
    }
}

fn hexadecimal(fingerprint: &Fingerprint) -> ByteArray {
    ByteArray::from(fingerprint.to_string().into_bytes())
}

/// What the `chunks` table refers to by number, for one segment.
struct Lookup {
    urls: Vec<ByteArray>,
    fingerprints: Vec<Fingerprint>,
    chars: Vec<i64>,
    visible: Vec<bool>,
}

impl Lookup {
    fn of(segment: &Segment<'_>) -> Result<Lookup, StoreError> {
        let mut lookup = Lookup {
            urls: Vec::new(),
            fingerprints: Vec::new(),
            chars: Vec::new(),
            visible: Vec::new(),
        };
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            lookup.urls.extend(pages.texts(group, "url")?);
        }
        let table = segment.fingerprints()?;
        for group in 0..table.groups() {
            lookup
                .fingerprints
                .extend(table.fingerprints(group, "fingerprint")?);
            lookup.chars.extend(table.ints(group, "chars")?);
            lookup.visible.extend(table.bools(group, "visible")?);
        }
        Ok(lookup)
    }
}

fn chunks(segment: &Segment<'_>, writer: &mut RowWriter) -> anyhow::Result<()> {
    let lookup = Lookup::of(segment)?;
    let table = segment.chunks()?;
    let (mut last_page, mut ordinal) = (None, 0);
    for group in 0..table.groups() {
        let pages = table.indices(group, "page", lookup.urls.len())?;
        let ranks = table.indices(group, "rank", lookup.fingerprints.len())?;
        let ordinals = pages.iter().map(|&page| {
            ordinal = if Some(page) == last_page {
                ordinal + 1
            } else {
                0
            };
            last_page = Some(page);
            ordinal
        });
        let ordinals = Values::Int(ordinals.collect());
        writer.write(&[
            Values::Text(
                pages
                    .iter()
                    .map(|&page| lookup.urls[page].clone())
                    .collect(),
            ),
            ordinals,
            Values::Int(table.ints(group, "start")?),
            Values::Int(table.ints(group, "length")?),
            Values::Int(ranks.iter().map(|&rank| lookup.chars[rank]).collect()),
            Values::Bool(ranks.iter().map(|&rank| lookup.visible[rank]).collect()),
            Values::Text(
                ranks
                    .iter()
                    .map(|&rank| hexadecimal(&lookup.fingerprints[rank]))
                    .collect(),
            ),
        ])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use reprise_engine::store::schema;

    use super::{FINGERPRINTS, PAGES, PROBLEMS, SOURCES};

    /// Every exported column but the added ones is a column of the table, so that a column added to
    /// the format is not forgotten here.
    #[test]
    fn no_column_is_forgotten() {
        for (exported, table) in [
            (PAGES, &schema::PAGES),
            (FINGERPRINTS, &schema::FINGERPRINTS),
            (SOURCES, &schema::SOURCES),
            (PROBLEMS, &schema::PROBLEMS),
        ] {
            let mut names: Vec<&str> = exported.iter().map(|column| column.name).collect();
            let mut wanted: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
            wanted.push("segment");
            // The first chunk is a row number, which means nothing outside the corpus.
            wanted.retain(|name| *name != "first_chunk");
            names.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(names, wanted);
        }
    }
}
