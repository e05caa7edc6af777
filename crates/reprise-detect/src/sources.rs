//! The pages that labels come from. Many labels come from the same page, so each label stores only the
//! four-byte number of its page.

use std::sync::Arc;

use hashbrown::HashMap;
use reprise_chunk::Level;
use reprise_fingerprint::Fingerprint;
use reprise_store::schema::LabelRows;
use reprise_store::{Labels, SiteNumbers, StoreError};

/// A page that labels come from.
#[derive(Clone, Debug)]
pub(crate) struct LabelSource {
    pub(crate) url: Arc<str>,
    /// The number of its site.
    pub(crate) site: u32,
    pub(crate) fetched: Option<i64>,
}

/// The source page of each row of the labels.
pub(crate) struct LabelSources {
    /// The index of the source in `sources`. The highest bit is set if the label is a file.
    by_row: Vec<u32>,
    sources: Vec<LabelSource>,
    /// The labelled files, with their first rows.
    pub(crate) files: HashMap<Fingerprint, u64, foldhash::fast::FixedState>,
}

/// The identity of a source: URL, site and fetch time.
type SourceKey = (Box<[u8]>, u32, Option<i64>);

/// The bit of [`LabelSources::by_row`] that marks the label of a file.
const FILE: u32 = 1 << 31;

impl LabelSources {
    /// Reads the sources of all labels.
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
            let levels = table.read(group, LabelRows::LEVEL)?;
            let is_file = |row: usize| levels[row] == *Level::File.as_str().as_bytes();
            let urls = table.read(group, LabelRows::URL)?;
            let site_names = table.read(group, LabelRows::SITE)?;
            let fetched = table.read(group, LabelRows::FETCHED)?;
            // Neighbouring labels often come from the same page. Then no lookup is necessary.
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
                    let site = sites.number(&site_names[row]);
                    let key = (urls[row].into(), site, fetched[row]);
                    let next = read.sources.len() as u32;
                    let number = *numbers.entry(key).or_insert(next);
                    if number == next {
                        read.sources.push(LabelSource {
                            url: urls.to_str(row).into(),
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
                let fingerprints = table.read(group, LabelRows::FINGERPRINT)?;
                for row in (0..levels.len()).filter(|&row| is_file(row)) {
                    let here = first + row as u64;
                    read.files.entry(fingerprints[row]).or_insert(here);
                }
            }
        }
        Ok(read)
    }

    /// Returns true if the row is the label of a chunk.
    pub(crate) fn is_chunk(&self, row: u64) -> bool {
        self.by_row[row as usize] & FILE == 0
    }

    /// Returns the source of a row.
    pub(crate) fn of(&self, row: u64) -> &LabelSource {
        &self.sources[(self.by_row[row as usize] & !FILE) as usize]
    }

    /// Returns all sources.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &LabelSource> {
        self.sources.iter()
    }
}
