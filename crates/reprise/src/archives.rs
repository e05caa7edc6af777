//! Reads the pages of a corpus again from their archives, to prove that the evidence is still there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reprise_fingerprint::Fingerprint;
use reprise_ingest::Limits;
use reprise_store::{AsBytes, Corpus, Damage, StoreError};

use crate::evidence::{Archives, places};

/// Reads every page again and compares its fingerprint; returns how many were compared, and what
/// is wrong: one line for each source, with its first page that is not as it was.
///
/// Pages that came from standard input cannot be read again and are left out.
pub fn verify_archives(corpus: &Corpus, limits: &Limits) -> Result<(u64, Vec<Damage>), StoreError> {
    let mut compared = 0;
    let mut damage = BTreeMap::new();
    for segment in corpus.segments() {
        let mut archives = Archives::of(&segment, limits)?;
        let pages = segment.pages()?;
        for group in 0..pages.groups() {
            let fingerprints = pages.fingerprints(group, "fingerprint")?;
            let urls = pages.texts(group, "url")?;
            let places = places(&pages, group)?;
            for (((source, place), fingerprint), url) in
                places.into_iter().zip(fingerprints).zip(urls)
            {
                let name = archives.names[source].clone();
                if name == "-" {
                    continue;
                }
                compared += 1;
                let hash = corpus.settings().hash;
                let found = archives.page(source, place, |page| hash.fingerprint(page.body));
                if let Err(detail) = found.and_then(|found| same(found, fingerprint)) {
                    let url = String::from_utf8_lossy(url.as_bytes()).into_owned();
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

fn same(found: Fingerprint, kept: Fingerprint) -> Result<(), String> {
    if found == kept {
        Ok(())
    } else {
        Err("the page is no longer what it was".to_owned())
    }
}
