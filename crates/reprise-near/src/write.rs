//! Writes clusters as a table.

use std::path::Path;

use reprise_report::results::NearMethod;
use reprise_store::schema::{Clusters, Pages, Table};
use reprise_store::{
    CorpusReader, Format, GROUP_ROWS, OptionalTexts, PageRef, RowWriter, Segment, StoreError, Text,
    Texts, Values,
};

use crate::near::{ClusterPage, NearFound};

/// The columns of a row that come from the corpus.
#[derive(Clone, Default)]
struct Named {
    url: Text,
    site: Text,
    source: Text,
    fetched: Option<i64>,
    offset: i64,
    within: i64,
}

/// Writes the pages of all clusters to a file in any format.
pub fn write_clusters(
    corpus: &CorpusReader,
    found: &NearFound,
    path: &Path,
    format: Format,
) -> Result<(), StoreError> {
    let mut writer = RowWriter::create(path, format, Clusters::COLUMNS)?;
    let mut representative = Text::default();
    for (group, rows) in found.rows.chunks(GROUP_ROWS).enumerate() {
        let terms = found.terms.get(group * GROUP_ROWS..).unwrap_or_default();
        let columns = columns(
            rows,
            terms,
            &names(corpus, rows)?,
            found.copies.method,
            &mut representative,
        );
        writer.write(&columns)?;
    }
    writer.finish()
}

/// Returns the columns of some rows. `terms` is empty for methods without terms. `representative` is the URL
/// of the current representative, from one call to the next.
fn columns(
    rows: &[ClusterPage],
    terms: &[Box<str>],
    names: &[Named],
    method: NearMethod,
    representative: &mut Text,
) -> Vec<Values> {
    let representatives: Texts = rows
        .iter()
        .zip(names)
        .map(|(row, named)| {
            if row.is_representative {
                *representative = named.url.clone();
            }
            representative.clone()
        })
        .collect();
    let text = |value: &dyn Fn(&Named) -> &Text| {
        Values::Text(names.iter().map(|named| value(named).clone()).collect())
    };
    let terms = (0..rows.len()).map(|row| terms.get(row).map(|terms| &**terms));
    vec![
        text(&|named| &named.url),
        text(&|named| &named.site),
        Values::Int(rows.iter().map(|row| i64::from(row.cluster)).collect()),
        Values::Text(representatives),
        Values::Bool(rows.iter().map(|row| row.keep).collect()),
        Values::Float(rows.iter().map(|row| row.similarity).collect()),
        Values::Float(rows.iter().map(|row| row.containment).collect()),
        Values::texts(rows.iter().map(|_| method.as_str())),
        Values::OptionalInt(names.iter().map(|named| named.fetched).collect()),
        Values::Int(rows.iter().map(|row| i64::from(row.words)).collect()),
        text(&|named| &named.source),
        Values::Int(names.iter().map(|named| named.offset).collect()),
        Values::Int(names.iter().map(|named| named.within).collect()),
        Values::OptionalText(OptionalTexts::of(terms)),
    ]
}

/// Reads the columns of the rows from the corpus. Reads each row group at most once.
fn names(corpus: &CorpusReader, rows: &[ClusterPage]) -> Result<Vec<Named>, StoreError> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&index| rows[index].page);
    let mut names = vec![Named::default(); rows.len()];
    let segments: Vec<Segment<'_>> = corpus.segments().collect();
    let group_of = |page: PageRef| (page.segment, page.page as usize / GROUP_ROWS);
    for indices in order.chunk_by(|&a, &b| group_of(rows[a].page) == group_of(rows[b].page)) {
        let (segment, group) = group_of(rows[indices[0]].page);
        let segment = &segments[segment as usize];
        let table = segment.pages()?;
        let source_names = segment.source_names()?;
        let urls = table.read(group, Pages::URL)?;
        let sites = table.read(group, Pages::SITE)?;
        let fetched = table.read(group, Pages::FETCHED)?;
        let sources = table.indices(group, Pages::SOURCE, source_names.len())?;
        let offsets = table.read(group, Pages::OFFSET)?;
        let withins = table.read(group, Pages::WITHIN)?;
        for &index in indices {
            let row = rows[index].page.page as usize % GROUP_ROWS;
            names[index] = Named {
                url: urls.text(row),
                site: sites.text(row),
                source: source_names.text(sources[row]),
                fetched: fetched[row],
                offset: offsets[row],
                within: withins[row],
            };
        }
    }
    Ok(names)
}
