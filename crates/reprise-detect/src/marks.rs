//! Which chunks of a segment are labelled: one merge of two sorted lists.

use reprise_fingerprint::Fingerprint;
use reprise_store::{AsBytes, Labels, Level, Segment, StoreError};

use reprise_discover::{SiteNumbers, StopRules};

/// Neither labelled nor a stop chunk.
const PLAIN: u32 = u32::MAX;
/// A stop chunk.
const STOP: u32 = u32::MAX - 1;

/// A label that a segment has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenLabel {
    /// Its first row in the labels.
    pub(crate) row: u64,
    /// Number of the site it comes from.
    pub(crate) site: u32,
}

/// What a chunk is.
pub(crate) enum Mark {
    Plain,
    Stop,
    Label(usize),
}

/// What each rank of a segment is.
pub(crate) struct Marks {
    by_rank: Vec<u32>,
    pub(crate) seen: Vec<SeenLabel>,
}

impl Marks {
    pub(crate) fn of(&self, rank: usize) -> Mark {
        match self.by_rank[rank] {
            PLAIN => Mark::Plain,
            STOP => Mark::Stop,
            index => Mark::Label(index as usize),
        }
    }

    /// Merges the labels with the fingerprints of a segment.
    pub(crate) fn merge(
        segment: &Segment<'_>,
        labels: &Labels,
        stop: &StopRules,
        sites: &mut SiteNumbers,
    ) -> Result<Marks, StoreError> {
        let table = segment.fingerprints()?;
        let mut cursor = LabelCursor::new(labels, Level::Chunk);
        let mut marks = Marks {
            by_rank: Vec::with_capacity(table.rows() as usize),
            seen: Vec::new(),
        };
        for group in 0..table.groups() {
            let fingerprints = table.fingerprints(group, "fingerprint")?;
            let chars = table.ints(group, "chars")?;
            let visible = table.bools(group, "visible")?;
            for (at, fingerprint) in fingerprints.iter().enumerate() {
                let is_stop = stop
                    .reason(fingerprint, chars[at] as u64, visible[at])
                    .is_some();
                let mark = if is_stop {
                    STOP
                } else if let Some((row, site)) = cursor.find(fingerprint)? {
                    let site = sites.number(site);
                    marks.seen.push(SeenLabel { row, site });
                    marks.seen.len() as u32 - 1
                } else {
                    PLAIN
                };
                marks.by_rank.push(mark);
            }
        }
        Ok(marks)
    }
}

/// Walks through the labels of one level, a group of rows in memory at a time.
pub(crate) struct LabelCursor<'l> {
    labels: &'l Labels,
    level: Level,
    next_group: usize,
    first_row: u64,
    at: usize,
    fingerprints: Vec<Fingerprint>,
    levels: Vec<reprise_store::ByteArray>,
    sites: Vec<reprise_store::ByteArray>,
}

impl<'l> LabelCursor<'l> {
    pub(crate) fn new(labels: &'l Labels, level: Level) -> LabelCursor<'l> {
        LabelCursor {
            labels,
            level,
            next_group: 0,
            first_row: 0,
            at: 0,
            fingerprints: Vec::new(),
            levels: Vec::new(),
            sites: Vec::new(),
        }
    }

    /// The first row with this fingerprint and its site. Fingerprints asked for must rise.
    pub(crate) fn find(
        &mut self,
        fingerprint: &Fingerprint,
    ) -> Result<Option<(u64, &[u8])>, StoreError> {
        loop {
            while let Some(found) = self.fingerprints.get(self.at) {
                if found > fingerprint {
                    return Ok(None);
                }
                let is_level = self.levels[self.at].as_bytes() == self.level.as_str().as_bytes();
                if found == fingerprint && is_level {
                    let row = self.first_row + self.at as u64;
                    return Ok(Some((row, self.sites[self.at].as_bytes())));
                }
                self.at += 1;
            }
            let table = self.labels.table();
            if self.next_group >= table.groups() {
                return Ok(None);
            }
            self.first_row += self.fingerprints.len() as u64;
            self.fingerprints = table.fingerprints(self.next_group, "fingerprint")?;
            self.levels = table.texts(self.next_group, "level")?;
            self.sites = table.texts(self.next_group, "site")?;
            self.at = 0;
            self.next_group += 1;
        }
    }
}
