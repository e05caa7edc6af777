//! Reads the pages of a corpus again from their archives, to prove that the evidence is still there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reprise_ingest::{Place, RecordLimits, is_of_stream};
use reprise_store::{AsBytes, Corpus, Damage, StoreError};

use crate::evidence::{Archives, places};

/// What became of the pages in the archives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveCheck {
    /// Pages that were read again and are what they were.
    pub read_back: u64,
    /// Pages that could not be read again, or are something else now.
    pub lost: u64,
    /// Pages that nobody can read again: they came from standard input, a pipe or a device.
    pub uncheckable: u64,
    /// Pages that were not read since their bodies are over the limit.
    pub too_large: u64,
    /// For each source with lost pages, how many they are, and why the first of them is lost.
    pub damage: Vec<Damage>,
}

/// What is lost of a source.
#[derive(Default)]
struct Lost {
    pages: u64,
    of: u64,
    first: Option<String>,
}

/// Reads every page again and compares its fingerprint.
pub fn verify_archives(corpus: &Corpus, limits: &RecordLimits) -> Result<ArchiveCheck, StoreError> {
    let mut check = ArchiveCheck::default();
    let mut sources: BTreeMap<String, Lost> = BTreeMap::new();
    let hash = corpus.settings().hash;
    for segment in corpus.segments() {
        let mut archives = Archives::of(&segment, limits)?;
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            let fingerprints = pages.fingerprints(group, "fingerprint")?;
            let urls = pages.texts(group, "url")?;
            let mut rows: BTreeMap<usize, Vec<(Place, usize)>> = BTreeMap::new();
            let places = places(&segment, &pages, group)?;
            let bytes = pages.ints(group, "bytes")?;
            for (row, (source, place)) in places.into_iter().enumerate() {
                if is_of_stream(&archives.names[source]) {
                    check.uncheckable += 1;
                } else if bytes[row] > limits.body_bytes as i64 {
                    check.too_large += 1;
                } else {
                    rows.entry(source).or_default().push((place, row));
                }
            }
            for (source, mut rows) in rows {
                rows.sort_unstable_by_key(|(place, _)| (place.offset, place.within));
                let bad = different(&mut archives, source, &rows, |row, body| {
                    hash.fingerprint(body) == fingerprints[row]
                });
                let lost = sources.entry(archives.names[source].clone()).or_default();
                lost.of += rows.len() as u64;
                lost.pages += bad.len() as u64;
                if let Some(&first) = bad.first() {
                    let (place, row) = rows[first];
                    let url = String::from_utf8_lossy(urls[row].as_bytes());
                    lost.first.get_or_insert_with(|| {
                        format!("{}: {url}", why(&mut archives, source, place))
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
                "{} of {} pages are lost, the first since {first}",
                lost.pages, lost.of
            ),
            is_unread: false,
        }));
    }
    Ok(check)
}

/// The pages of a source that are not as they were, by their index in `rows`.
fn different(
    archives: &mut Archives,
    source: usize,
    rows: &[(Place, usize)],
    is_same: impl Fn(usize, &[u8]) -> bool,
) -> Vec<usize> {
    let places: Vec<Place> = rows.iter().map(|&(place, _)| place).collect();
    let mut is_good = vec![false; rows.len()];
    // Why a page is not found is asked of the first one alone.
    let _ = archives.pages(source, &places, &mut |index, page| {
        is_good[index] = is_same(rows[index].1, page.body);
    });
    (0..rows.len()).filter(|&index| !is_good[index]).collect()
}

/// Why a page is lost.
fn why(archives: &mut Archives, source: usize, place: Place) -> String {
    let opened = archives.source(source).map(|_| ());
    let read = opened.and_then(|()| archives.page(source, place, |_| ()));
    read.err()
        .unwrap_or_else(|| "it is no longer what it was".to_owned())
}
