//! Clusters as a table.

use std::path::Path;

use reprise_store::PageRef;
use reprise_store::schema::CLUSTERS;
use reprise_store::{
    Aside, ByteArray, Corpus, FileSummary, GROUP_ROWS, Segment, StoreError, TableWriter, Values,
};

use crate::near::{ClusterPage, Near};

/// What the table says of a page beyond what is known of it here.
#[derive(Clone, Default)]
struct Named {
    url: ByteArray,
    site: ByteArray,
    source: ByteArray,
    fetched: Option<i64>,
    offset: i64,
    within: i64,
}

/// Writes the clusters aside, then gives the file its name.
pub fn write_clusters(
    corpus: &Corpus,
    near: &Near,
    method: &str,
    path: &Path,
) -> Result<FileSummary, StoreError> {
    let aside = Aside::of(path);
    let mut writer = TableWriter::create(aside.path(), CLUSTERS.columns)?;
    let mut representative = ByteArray::from("");
    for (group, rows) in near.rows.chunks(GROUP_ROWS).enumerate() {
        let terms = near.terms.get(group * GROUP_ROWS..).unwrap_or_default();
        let about = About {
            rows,
            terms,
            method,
        };
        write_group(corpus, &about, &mut representative, &mut writer)?;
    }
    let summary = writer.finish()?;
    aside.keep()?;
    Ok(summary)
}

/// What is known of the pages of a group.
struct About<'a> {
    rows: &'a [ClusterPage],
    /// As many as rows, or none.
    terms: &'a [Box<str>],
    method: &'a str,
}

fn write_group(
    corpus: &Corpus,
    about: &About<'_>,
    representative: &mut ByteArray,
    writer: &mut TableWriter,
) -> Result<(), StoreError> {
    let About {
        rows,
        terms,
        method,
    } = *about;
    let names = names(corpus, rows)?;
    let representatives = rows.iter().zip(&names).map(|(row, named)| {
        if row.is_representative {
            *representative = named.url.clone();
        }
        representative.clone()
    });
    let representatives = Values::Text(representatives.collect());
    let text = |value: &dyn Fn(&Named) -> &ByteArray| {
        Values::Text(names.iter().map(|named| value(named).clone()).collect())
    };
    writer.write(&[
        text(&|named| &named.url),
        text(&|named| &named.site),
        Values::Int(rows.iter().map(|row| i64::from(row.cluster)).collect()),
        representatives,
        Values::Bool(rows.iter().map(|row| row.keep).collect()),
        Values::Float(rows.iter().map(|row| row.similarity).collect()),
        Values::Float(rows.iter().map(|row| row.containment).collect()),
        Values::texts(rows.iter().map(|_| method)),
        Values::OptionalInt(names.iter().map(|named| named.fetched).collect()),
        Values::Int(rows.iter().map(|row| i64::from(row.words)).collect()),
        text(&|named| &named.source),
        Values::Int(names.iter().map(|named| named.offset).collect()),
        Values::Int(names.iter().map(|named| named.within).collect()),
        Values::OptionalText(
            (0..rows.len())
                .map(|row| terms.get(row).map(|terms| ByteArray::from(&**terms)))
                .collect(),
        ),
    ])
}

/// Looks the pages up, each group of the corpus once.
fn names(corpus: &Corpus, rows: &[ClusterPage]) -> Result<Vec<Named>, StoreError> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_unstable_by_key(|&index| rows[index].page);
    let mut names = vec![Named::default(); rows.len()];
    let segments: Vec<Segment<'_>> = corpus.segments().collect();
    let group_of = |page: PageRef| (page.segment, page.page as usize / GROUP_ROWS);
    for indices in order.chunk_by(|&a, &b| group_of(rows[a].page) == group_of(rows[b].page)) {
        let (segment, group) = group_of(rows[indices[0]].page);
        let segment = &segments[segment as usize];
        let table = segment.pages()?;
        let sources = segment.source_names()?;
        let (urls, sites) = (table.texts(group, "url")?, table.texts(group, "site")?);
        let fetched = table.optional_ints(group, "fetched")?;
        let source = table.ints(group, "source")?;
        let offsets = table.ints(group, "offset")?;
        let withins = table.ints(group, "within")?;
        for &index in indices {
            let row = rows[index].page.page as usize % GROUP_ROWS;
            names[index] = Named {
                url: urls[row].clone(),
                site: sites[row].clone(),
                source: sources[source[row] as usize].clone(),
                fetched: fetched[row],
                offset: offsets[row],
                within: withins[row],
            };
        }
    }
    Ok(names)
}
