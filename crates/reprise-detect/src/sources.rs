//! Where labels come from, in four bytes a label: most labels share their page with others.

use std::sync::Arc;

use hashbrown::HashMap;
use reprise_fingerprint::Fingerprint;
use reprise_store::SiteNumbers;
use reprise_store::{AsBytes, Labels, Level, StoreError};

/// A page that labels come from.
#[derive(Clone, Debug)]
pub(crate) struct LabelSource {
    pub(crate) url: Arc<str>,
    /// Number of its site.
    pub(crate) site: u32,
    pub(crate) fetched: Option<i64>,
}

/// The source of each row of the labels.
pub(crate) struct LabelSources {
    /// Number of the source in `sources`; the highest bit says that the label is a file.
    by_row: Vec<u32>,
    sources: Vec<LabelSource>,
    /// Labelled files, with their first row.
    pub(crate) files: HashMap<Fingerprint, u64, foldhash::fast::FixedState>,
}

/// What makes two sources one: URL, site and time.
type SourceKey = (Box<[u8]>, u32, Option<i64>);

const FILE: u32 = 1 << 31;

impl LabelSources {
    /// Reads them once.
    pub(crate) fn read(
        labels: &Labels,
        sites: &mut SiteNumbers,
    ) -> Result<LabelSources, StoreError> {
        let table = labels.table();
        let mut read = LabelSources {
            by_row: Vec::with_capacity(labels.rows() as usize),
            sources: Vec::new(),
            files: HashMap::default(),
        };
        let mut numbers: HashMap<SourceKey, u32, foldhash::fast::FixedState> = HashMap::default();
        for group in 0..table.groups() {
            let levels = table.texts(group, "level")?;
            let is_file = |row: usize| levels[row].as_bytes() == Level::File.as_str().as_bytes();
            let urls = table.texts(group, "url")?;
            let site_names = table.texts(group, "site")?;
            let fetched = table.optional_ints(group, "fetched")?;
            // Neighbours are seldom of one page, but whole files of labels may be.
            let mut last: Option<(usize, u32)> = None;
            for row in 0..urls.len() {
                let same = last.filter(|&(before, _)| {
                    urls[before] == urls[row]
                        && site_names[before] == site_names[row]
                        && fetched[before] == fetched[row]
                });
                let number = if let Some((_, number)) = same {
                    number
                } else {
                    let site = sites.number(site_names[row].as_bytes());
                    let key = (urls[row].as_bytes().into(), site, fetched[row]);
                    let next = read.sources.len() as u32;
                    let number = *numbers.entry(key).or_insert(next);
                    if number == next {
                        read.sources.push(LabelSource {
                            url: String::from_utf8_lossy(urls[row].as_bytes()).into(),
                            site,
                            fetched: fetched[row],
                        });
                    }
                    number
                };
                last = Some((row, number));
                read.by_row
                    .push(number | if is_file(row) { FILE } else { 0 });
            }
            if (0..levels.len()).any(is_file) {
                let first = (read.by_row.len() - levels.len()) as u64;
                let fingerprints = table.fingerprints(group, "fingerprint")?;
                for row in (0..levels.len()).filter(|&row| is_file(row)) {
                    let here = first + row as u64;
                    read.files.entry(fingerprints[row]).or_insert(here);
                }
            }
        }
        Ok(read)
    }

    /// Is this row a label of a chunk?
    pub(crate) fn is_chunk(&self, row: u64) -> bool {
        self.by_row[row as usize] & FILE == 0
    }

    /// The source of a row.
    pub(crate) fn of(&self, row: u64) -> &LabelSource {
        &self.sources[(self.by_row[row as usize] & !FILE) as usize]
    }

    /// All sources.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &LabelSource> {
        self.sources.iter()
    }
}
