//! Discovery of files: the file fingerprints of all pages, sorted, a range at a time.

use std::ops::RangeInclusive;

use reprise_fingerprint::Fingerprint;
use reprise_store::{AsBytes, Corpus, StoreError};

use crate::config::DiscoverConfig;
use crate::discovery::{Entry, Part, Ranged};
use crate::stop::StopReason;
use reprise_store::{PageRef, SiteNumbers};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FileRow {
    fingerprint: Fingerprint,
    fetched: i64,
    page: PageRef,
    site: u32,
    bytes: u64,
}

pub(crate) fn discover(
    corpus: &Corpus,
    config: &DiscoverConfig,
    threshold: u64,
    prefixes: RangeInclusive<u64>,
    sites: &mut SiteNumbers,
) -> Result<Ranged, StoreError> {
    let rows_max = config.memory_bytes / 4 / size_of::<FileRow>();
    let is_splittable = prefixes.start() < prefixes.end();
    let mut rows: Vec<FileRow> = Vec::new();
    for (number, segment) in corpus.segments().enumerate() {
        let table = segment.pages()?;
        let mut first = 0;
        for group in 0..table.groups() {
            let fingerprints = table.fingerprints(group, "fingerprint")?;
            let site_names = table.texts(group, "site")?;
            let bytes = table.ints(group, "bytes")?;
            let fetched = table.optional_ints(group, "fetched")?;
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
                    site: sites.number(site_names[row].as_bytes()),
                    bytes: bytes[row] as u64,
                });
            }
            first += fingerprints.len();
            if rows.len() > rows_max && is_splittable {
                return Ok(Ranged::TooMany);
            }
        }
    }
    rows.sort_unstable();
    let mut part = Part::default();
    for same in rows.chunk_by(|a, b| a.fingerprint == b.fingerprint) {
        add(&mut part, config, threshold, same);
    }
    Ok(Ranged::Done(part))
}

/// Counts the files with one fingerprint.
fn add(part: &mut Part, config: &DiscoverConfig, threshold: u64, same: &[FileRow]) {
    let file = same[0];
    let mut of_sites: Vec<u32> = same.iter().map(|row| row.site).collect();
    of_sites.sort_unstable();
    of_sites.dedup();
    let pages = same.len() as u64;
    let counts = [pages, pages, of_sites.len() as u64];
    part.distinct += 1;
    // A file is empty, short or listed; whether it shows text is not a question for all kinds of files.
    let stop: Option<StopReason> =
        config
            .stop
            .reason(&file.fingerprint, file.bytes, file.bytes > 0);
    if let Some(reason) = stop {
        part.stop.count(reason);
    }
    let count = config.count.of(counts);
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
