//! The index that finds pages by URL: the hashes of all URLs of a segment, sorted.

use std::path::Path;

use twox_hash::XxHash3_64;

use crate::builder::PackedPages;
use crate::error::StoreError;
use crate::manifest::FileSummary;
use crate::schema::{Pages, Table, Urls};
use crate::segment::Segment;
use crate::table::{GROUP_ROWS, TableReader, TableWriter, Values};

/// Hashes a URL. The tables have signed integers only, so the bits of the hash are read as one.
fn hash(url: &[u8]) -> i64 {
    XxHash3_64::oneshot(url).cast_signed()
}

/// Writes the index of a segment.
pub(crate) fn write(pages: &PackedPages, path: &Path) -> Result<FileSummary, StoreError> {
    let mut rows: Vec<(i64, u32)> = (0..pages.rows.len())
        .map(|page| (hash(pages.url(page).as_bytes()), page as u32))
        .collect();
    rows.sort_unstable();
    let mut writer = TableWriter::create(path, Urls::COLUMNS)?;
    for group in rows.chunks(GROUP_ROWS) {
        writer.write(&[
            Values::Int(group.iter().map(|&(hash, _)| hash).collect()),
            Values::Int(group.iter().map(|&(_, page)| i64::from(page)).collect()),
        ])?;
    }
    writer.finish()
}

/// Returns the pages of a segment with this URL, in ascending order.
///
/// Older versions wrote segments without an index. These are scanned.
pub(crate) fn find(segment: &Segment<'_>, url: &[u8]) -> Result<Vec<u32>, StoreError> {
    let candidates = match segment.urls()? {
        Some(index) => Some(find_hash(&index, hash(url))?),
        None => None,
    };
    if candidates.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let pages = segment.pages()?;
    let mut found = Vec::new();
    for group in 0..pages.groups() {
        let first = group * GROUP_ROWS;
        let is_here = |row: &u32| (first..first + GROUP_ROWS).contains(&(*row as usize));
        if let Some(candidates) = &candidates
            && !candidates.iter().any(is_here)
        {
            continue;
        }
        let urls = pages.read(group, Pages::URL)?;
        let rows = (0..urls.len()).filter(|&row| urls[row] == *url);
        found.extend(rows.map(|row| (first + row) as u32));
    }
    Ok(found)
}

/// Returns the pages whose URL has this hash. Nearly always these are captures of a single URL.
fn find_hash(index: &TableReader<Urls>, hash: i64) -> Result<Vec<u32>, StoreError> {
    // Find the first group whose last hash is not below `hash`.
    let (mut low, mut high) = (0, index.groups());
    while low < high {
        let middle = low.midpoint(high);
        let hashes = index.read(middle, Urls::HASH)?;
        if hashes.last().is_some_and(|&last| last < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut found = Vec::new();
    for group in low..index.groups() {
        let hashes = index.read(group, Urls::HASH)?;
        let start = hashes.partition_point(|&other| other < hash);
        let end = hashes.partition_point(|&other| other <= hash);
        if start < end {
            let pages = index.read(group, Urls::PAGE)?;
            found.extend(pages[start..end].iter().map(|&page| page as u32));
        }
        if end < hashes.len() {
            break;
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Checks that the index is sorted and has each page under the hash of its URL.
pub(crate) fn check(segment: &Segment<'_>) -> Result<(), StoreError> {
    let Some(index) = segment.urls()? else {
        return Ok(());
    };
    let damaged = |detail: &str| StoreError::damaged(&segment.file::<Urls>(), detail);
    let pages = segment.pages()?;
    let mut hashes = Vec::with_capacity(pages.rows() as usize);
    for group in 0..pages.groups() {
        hashes.extend(pages.read(group, Pages::URL)?.iter().map(hash));
    }
    let mut last = None;
    for group in 0..index.groups() {
        let rows = index.read(group, Urls::HASH)?;
        let pages = index.indices(group, Urls::PAGE, hashes.len())?;
        for row in rows.into_iter().zip(pages) {
            if last.is_some_and(|last| last >= row) {
                return Err(damaged("its hashes are not sorted"));
            }
            if hashes[row.1] != row.0 {
                return Err(damaged("a hash differs from the hash of the page's URL"));
            }
            last = Some(row);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reprise_fingerprint::HashKind;

    use super::find;
    use crate::{
        CorpusReader, CorpusWriter, PageBatch, PageRow, RequestedSettings, SegmentBuilder,
        SegmentFacts, SourceRow,
    };

    fn corpus(path: &std::path::Path, urls: &[String]) -> CorpusReader {
        let mut writer = CorpusWriter::open(path, RequestedSettings::default()).unwrap();
        let mut builder = SegmentBuilder::new();
        builder.add_source(SourceRow {
            name: "a.warc".to_owned(),
            format: "warc".to_owned(),
            bytes: 1,
            identity: HashKind::Sha256.fingerprint(b"a"),
            start: 0,
            end: 1,
            is_done: true,
        });
        let pages = urls.iter().map(|url| PageRow {
            url: url.clone(),
            ..PageRow::default()
        });
        builder.append(&PageBatch {
            pages: pages.collect(),
            ..PageBatch::default()
        });
        writer
            .add_segment(&builder, SegmentFacts::default())
            .unwrap();
        drop(writer);
        CorpusReader::open(path).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn every_page_is_found_by_its_url(urls in proptest::collection::vec("[ab]{0,3}", 0..40)) {
            let directory = tempfile::tempdir().unwrap();
            let corpus = corpus(directory.path(), &urls);
            for segment in corpus.segments() {
                for url in urls.iter().map(String::as_str).chain(["abba", "x"]) {
                    let expected: Vec<u32> = (0..)
                        .zip(&urls)
                        .filter(|(_, other)| *other == url)
                        .map(|(row, _)| row)
                        .collect();
                    prop_assert_eq!(find(&segment, url.as_bytes()).unwrap(), expected);
                }
            }
        }
    }
}
