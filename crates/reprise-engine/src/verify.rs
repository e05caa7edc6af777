//! Verifies a corpus, and that its pages are still in their archives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reprise_ingest::{Place, RecordLimits};
use reprise_near::Unreadable;
use reprise_report::results::{DamagedFile, Repair};
use reprise_store::schema::Pages;
use reprise_store::{CorpusReader, Damage, Progress, StoreError, Unit, verify_with};

use crate::archives::{Archives, places};
use crate::corpus::damaged_file;
use crate::defaults;
use crate::error::Error;
use crate::index::LimitOptions;
use crate::repair::repair_of;
use crate::resources::Resources;

/// The options of [`verify_corpus`].
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions {
    /// True to read every page back from its archive.
    pub archives: bool,
    /// The limits on a record. Pages with larger bodies are not read back.
    pub limits: LimitOptions,
}

/// The result of verifying a corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Verification {
    /// True if nothing is damaged.
    pub ok: bool,
    /// The number of segments.
    pub segments: u64,
    /// The number of pages that were read back, if the archives were read.
    pub pages_read_back: Option<u64>,
    /// The number of pages that could not be read back or have changed.
    pub pages_lost: Option<u64>,
    /// The number of pages that cannot be checked.
    pub pages_uncheckable: Option<u64>,
    /// The damaged files.
    pub damage: Vec<DamagedFile>,
    /// The repair of the damage.
    pub repair: Option<Repair>,
    /// The number of pages that were not read because their bodies exceed this limit.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub too_large: Option<(u64, usize)>,
}

/// Verifies every checksum and invariant of a corpus, and its archives if that is requested.
pub fn verify_corpus(
    directory: &Path,
    options: &VerifyOptions,
    resources: Resources,
    progress: &dyn Progress,
) -> Result<Verification, Error> {
    resources.validate()?;
    // A body is held compressed and decompressed.
    let body_bytes_max = resources.memory_bytes / 4;
    let why = " with this memory limit (a quarter of it)";
    options.limits.validate(body_bytes_max, why)?;
    let limits = (options.limits).limits(defaults::BODY_BYTES.min(body_bytes_max));
    let mut damage = verify_with(directory, resources.memory_bytes, progress)?;
    let repair = repair_of(&damage);
    let mut archives = None;
    if options.archives && damage.is_empty() {
        let corpus = CorpusReader::open(directory)?;
        let check = verify_archives(&corpus, &limits, progress)?;
        damage.extend_from_slice(&check.damage);
        archives = Some(check);
    }
    let corpus = CorpusReader::open(directory);
    let uncheckable = |check: &ArchiveCheck| check.uncheckable + check.too_large;
    Ok(Verification {
        ok: damage.is_empty(),
        segments: corpus.map_or(0, |corpus| corpus.manifest().segments.len() as u64),
        pages_read_back: archives.as_ref().map(|check| check.read_back),
        pages_lost: archives.as_ref().map(|check| check.lost),
        pages_uncheckable: archives.as_ref().map(uncheckable),
        damage: damage.iter().map(damaged_file).collect(),
        repair,
        too_large: archives.map(|check| (check.too_large, limits.body_bytes)),
    })
}

/// The state of pages in the archives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ArchiveCheck {
    /// Pages that were read back unchanged.
    read_back: u64,
    /// Pages that could not be read back, or have changed.
    lost: u64,
    /// Pages that came from standard input, a pipe or a device.
    uncheckable: u64,
    /// Pages whose bodies are over the limit.
    too_large: u64,
    /// For each source with lost pages, their number and why the first is lost.
    damage: Vec<Damage>,
}

/// The lost pages of a source.
#[derive(Default)]
struct LostPages {
    pages: u64,
    of: u64,
    first: Option<String>,
}

/// Reads every page back and compares its fingerprint.
fn verify_archives(
    corpus: &CorpusReader,
    limits: &RecordLimits,
    progress: &dyn Progress,
) -> Result<ArchiveCheck, StoreError> {
    let mut check = ArchiveCheck::default();
    let mut sources: BTreeMap<String, LostPages> = BTreeMap::new();
    let hash = corpus.chunk_settings().hash;
    progress.begin("reading archives", corpus.rows::<Pages>(), Unit::Pages);
    for segment in corpus.segments() {
        let mut archives = Archives::of(&segment, limits)?;
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            let fingerprints = pages.read(group, Pages::FINGERPRINT)?;
            let urls = pages.read(group, Pages::URL)?;
            let mut rows: BTreeMap<usize, Vec<(Place, usize)>> = BTreeMap::new();
            let places = places(&segment, &pages, group)?;
            let bytes = pages.read(group, Pages::BYTES)?;
            for (row, (source, place)) in places.into_iter().enumerate() {
                if archives.is_stream(source) {
                    check.uncheckable += 1;
                } else if bytes[row] > limits.body_bytes as i64 {
                    check.too_large += 1;
                } else {
                    rows.entry(source).or_default().push((place, row));
                }
            }
            for (source, mut rows) in rows {
                progress.check()?;
                rows.sort_unstable_by_key(|(place, _)| (place.offset, place.within));
                let bad = different(&mut archives, source, &rows, |row, body| {
                    hash.fingerprint(body) == fingerprints[row]
                });
                progress.advance(rows.len() as u64);
                let lost = sources.entry(archives.names[source].clone()).or_default();
                lost.of += rows.len() as u64;
                lost.pages += bad.len() as u64;
                if let Some(&first) = bad.first() {
                    let (place, row) = rows[first];
                    lost.first.get_or_insert_with(|| {
                        format!(
                            "{}: {}",
                            why(&mut archives, source, place),
                            urls.to_str(row)
                        )
                    });
                }
            }
        }
    }
    for (name, lost) in sources {
        check.read_back += lost.of - lost.pages;
        check.lost += lost.pages;
        check.damage.extend(lost.first.map(|first| Damage {
            path: PathBuf::from(name),
            detail: format!(
                "{} of {} pages are lost, the first because {first}",
                lost.pages, lost.of
            ),
            is_unread: false,
        }));
    }
    Ok(check)
}

/// Returns the pages of a source that have changed, by their index in `rows`.
fn different(
    archives: &mut Archives,
    source: usize,
    rows: &[(Place, usize)],
    is_same: impl Fn(usize, &[u8]) -> bool,
) -> Vec<usize> {
    let places: Vec<Place> = rows.iter().map(|&(place, _)| place).collect();
    let mut is_good = vec![false; rows.len()];
    // `why` finds the reason for the first page that is not found.
    let _ = archives.pages(source, &places, &mut |index, page| {
        is_good[index] = is_same(rows[index].1, page.body);
    });
    (0..rows.len()).filter(|&index| !is_good[index]).collect()
}

/// Returns why a page is lost.
fn why(archives: &mut Archives, source: usize, place: Place) -> String {
    let opened = archives.source(source).map(|_| ());
    let read = opened.and_then(|()| archives.page(source, place, |_| ()));
    match read {
        Err(Unreadable { reason }) => reason,
        Ok(()) => "the archive has changed since it was indexed".to_owned(),
    }
}
