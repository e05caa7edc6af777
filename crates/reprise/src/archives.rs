//! Reads the pages of a corpus again from their archives, to prove that the evidence is still there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reprise_fingerprint::Fingerprint;
use reprise_ingest::{InputConfig, Inputs, Item, Limits, Place, read_back};
use reprise_store::{AsBytes, Corpus, Damage, Segment, StoreError};

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
                let found = archives.body_fingerprint(source, place, |body| hash.fingerprint(body));
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

fn places(
    pages: &reprise_store::TableReader,
    group: usize,
) -> Result<Vec<(usize, Place)>, StoreError> {
    let sources = pages.ints(group, "source")?;
    let offsets = pages.ints(group, "offset")?;
    let lengths = pages.ints(group, "length")?;
    let withins = pages.ints(group, "within")?;
    Ok((0..sources.len())
        .map(|row| {
            let place = Place {
                offset: offsets[row] as u64,
                length: lengths[row] as u64,
                within: withins[row] as u64,
            };
            (sources[row] as usize, place)
        })
        .collect())
}

/// The sources of a segment, opened when they are needed, one at a time.
struct Archives {
    names: Vec<String>,
    limits: Limits,
    open: Option<(usize, Result<Inputs, String>)>,
}

impl Archives {
    fn of(segment: &Segment<'_>, limits: &Limits) -> Result<Archives, StoreError> {
        let table = segment.sources()?;
        let mut names = Vec::new();
        for group in 0..table.groups() {
            names.extend(
                table
                    .texts(group, "name")?
                    .iter()
                    .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()),
            );
        }
        Ok(Archives {
            names,
            limits: *limits,
            open: None,
        })
    }

    fn body_fingerprint(
        &mut self,
        source: usize,
        place: Place,
        hash: impl Fn(&[u8]) -> Fingerprint,
    ) -> Result<Fingerprint, String> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != source) {
            let name = &self.names[source];
            let file = name.split("!/").next().unwrap_or(name).to_owned();
            let config = InputConfig {
                base_url: None,
                spool_directory: std::env::temp_dir(),
                limits: self.limits,
            };
            let inputs = Inputs::open(&[file], &config).map_err(|error| error.to_string());
            self.open = Some((source, inputs));
        }
        let name = &self.names[source];
        let Some((_, Ok(inputs))) = &self.open else {
            return Err("the archive cannot be read".to_owned());
        };
        let found = inputs
            .sources
            .iter()
            .find(|candidate| candidate.name == *name);
        let source = found.ok_or_else(|| "the archive is no longer there".to_owned())?;
        let mut fingerprint = None;
        read_back(source, place, &self.limits, &mut |item| {
            if let Item::Page(page) = item {
                fingerprint = Some(hash(page.body));
            }
        })
        .map_err(|error| error.to_string())?;
        fingerprint.ok_or_else(|| "there is no page at its place".to_owned())
    }
}
