//! Discovers files: sorts the file fingerprints of all pages, one range of fingerprints at a time.

use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;
use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, PageRef, Progress, SiteNumbers, StoreError};

use crate::discovery::{Entry, Part, Ranged};
use crate::options::DiscoverOptions;

/// A file, in the order of sorting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FileRow {
    fingerprint: Fingerprint,
    fetched: i64,
    page: PageRef,
    site: u32,
    bytes: u64,
}

/// Discovers the files with a fingerprint prefix in `prefixes`.
pub(crate) fn discover(
    corpus: &CorpusReader,
    options: &DiscoverOptions,
    memory_bytes: usize,
    threshold: u64,
    prefixes: RangeInclusive<u64>,
    sites: &mut SiteNumbers,
    progress: &dyn Progress,
) -> Result<Ranged, StoreError> {
    let rows_max = memory_bytes / 4 / size_of::<FileRow>();
    let is_splittable = prefixes.start() < prefixes.end();
    let mut rows: Vec<FileRow> = Vec::new();
    for (number, segment) in corpus.segments().enumerate() {
        let table = segment.pages()?;
        let mut first = 0;
        for group in 0..table.groups() {
            progress.check()?;
            let fingerprints = table.read(group, Pages::FINGERPRINT)?;
            let site_names = table.read(group, Pages::SITE)?;
            let bytes = table.read(group, Pages::BYTES)?;
            let fetched = table.read(group, Pages::FETCHED)?;
            for (row, &fingerprint) in fingerprints.iter().enumerate() {
                if !prefixes.contains(&fingerprint.prefix()) {
                    continue;
                }
                rows.push(FileRow {
                    fingerprint,
                    fetched: fetched[row].unwrap_or(i64::MAX),
                    page: PageRef {
                        segment: number as u32,
                        page: (first + row) as u32,
                    },
                    site: sites.number(&site_names[row]),
                    bytes: bytes[row] as u64,
                });
            }
            first += fingerprints.len();
            progress.advance(fingerprints.len() as u64);
            if rows.len() > rows_max && is_splittable {
                return Ok(Ranged::TooMany);
            }
        }
    }
    rows.sort_unstable();
    let mut part = Part::default();
    for same in rows.chunk_by(|a, b| a.fingerprint == b.fingerprint) {
        add(&mut part, options, threshold, same);
    }
    Ok(Ranged::Done(part))
}

/// Counts the files with the same fingerprint, and labels them if they are above the threshold.
fn add(part: &mut Part, options: &DiscoverOptions, threshold: u64, same: &[FileRow]) {
    let file = same[0];
    let mut of_sites: Vec<u32> = same.iter().map(|row| row.site).collect();
    of_sites.sort_unstable();
    of_sites.dedup();
    let pages = same.len() as u64;
    let counts = [pages, pages, of_sites.len() as u64];
    part.distinct += 1;
    // A file counts as visible unless it is empty.
    let stop = (options.stop).reason(&file.fingerprint, file.bytes, file.bytes > 0);
    if let Some(reason) = stop {
        part.stop.count(reason);
    }
    let count = options.count.of(counts);
    part.count(count, stop.is_some(), threshold);
    if stop.is_none() && count > threshold {
        part.labeled.push(Entry {
            fingerprint: file.fingerprint,
            chars: file.bytes,
            counts,
            is_stop: false,
            is_open: false,
            first: (file.fetched, file.page),
        });
    }
}
