//! Reads the pages of a corpus again from their archives, to prove that the evidence is still there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reprise_ingest::{Limits, Place};
use reprise_store::{AsBytes, Corpus, Damage, StoreError};

use crate::evidence::{Archives, places};

/// Reads every page again and compares its fingerprint; returns how many were compared, and what
/// is wrong: one line for each source, with its first page that is not as it was.
///
/// Pages that came from standard input cannot be read again and are left out.
pub fn verify_archives(corpus: &Corpus, limits: &Limits) -> Result<(u64, Vec<Damage>), StoreError> {
    let mut compared = 0;
    let mut damage = BTreeMap::new();
    let hash = corpus.settings().hash;
    for segment in corpus.segments() {
        let mut archives = Archives::of(&segment, limits)?;
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            let fingerprints = pages.fingerprints(group, "fingerprint")?;
            let urls = pages.texts(group, "url")?;
            let mut rows: BTreeMap<usize, Vec<(Place, usize)>> = BTreeMap::new();
            let places = places(&segment, &pages, group)?;
            for (row, (source, place)) in places.into_iter().enumerate() {
                rows.entry(source).or_default().push((place, row));
            }
            rows.retain(|&source, _| archives.names[source] != "-");
            for (source, mut rows) in rows {
                compared += rows.len() as u64;
                rows.sort_unstable_by_key(|(place, _)| (place.offset, place.within));
                let found = different(&mut archives, source, &rows, |row, body| {
                    hash.fingerprint(body) == fingerprints[row]
                });
                if let Some((row, detail)) = found {
                    let url = String::from_utf8_lossy(urls[row].as_bytes()).into_owned();
                    let name = archives.names[source].clone();
                    damage.entry(name).or_insert(format!("{detail}: {url}"));
                }
            }
        }
    }
    let damage = damage
        .into_iter()
        .map(|(name, detail)| Damage {
            path: PathBuf::from(name),
            detail,
        })
        .collect();
    Ok((compared, damage))
}

/// The first page of a source that is not as it was, and what is wrong with it.
fn different(
    archives: &mut Archives,
    source: usize,
    rows: &[(Place, usize)],
    is_same: impl Fn(usize, &[u8]) -> bool,
) -> Option<(usize, String)> {
    let places: Vec<Place> = rows.iter().map(|&(place, _)| place).collect();
    let mut is_good = vec![false; rows.len()];
    let result = archives.pages(source, &places, &mut |index, page| {
        is_good[index] = is_same(rows[index].1, page.body);
    });
    let (place, row) = rows[is_good.iter().position(|is_good| !is_good)?];
    let again = result.and_then(|()| archives.page(source, place, |_| ()));
    let detail = again.err();
    Some((
        row,
        detail.unwrap_or("the page is no longer what it was".to_owned()),
    ))
}
