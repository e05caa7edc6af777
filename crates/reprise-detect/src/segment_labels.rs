//! Finds the labelled chunks of a segment by merging two sorted lists.

use reprise_chunk::StopRules;
use reprise_store::schema::Fingerprints;
use reprise_store::{LabelCursor, RankSet, Segment, StoreError};

use crate::sources::LabelSources;

/// The chunks of a segment that are labelled or stop chunks, by rank: their place among the sorted
/// fingerprints. The labels found in the segment are numbered
/// in the order of their rows in the label file.
pub(crate) struct SegmentLabels {
    labeled: RankSet,
    stop: RankSet,
    /// The number of the site that each label comes from.
    sites: Vec<u32>,
    /// The first row of each label in the label file.
    rows: Vec<u64>,
}

/// A labelled chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hit {
    /// The index of the chunk among those that were looked up.
    pub(crate) chunk: u32,
    /// The number of the label in the segment.
    pub(crate) label: u32,
    /// The number of the site that the label comes from.
    pub(crate) site: u32,
}

/// The result of looking up some chunks.
#[derive(Default)]
pub(crate) struct LookedUp {
    /// The labelled chunks, in order.
    pub(crate) hits: Vec<Hit>,
    /// For each chunk, 1 if it is a stop chunk and 0 if not.
    pub(crate) stops: Vec<u8>,
}

impl SegmentLabels {
    /// Looks up the chunks with these ranks, and replaces `result`.
    ///
    /// Each lookup reads a random memory address. The loop has no branches, so that the processor can wait
    /// for many reads at once.
    pub(crate) fn look_up(&self, ranks: &[i64], result: &mut LookedUp) {
        result.stops.clear();
        (result.stops).extend(ranks.iter().map(|&rank| u8::from(self.stop.look(rank).1)));
        result.hits.clear();
        result.hits.resize(ranks.len(), Hit::default());
        let mut found = 0;
        for (chunk, &rank) in (0..).zip(ranks) {
            let (label, is_labeled) = self.labeled.look(rank);
            result.hits[found] = Hit {
                chunk,
                label,
                site: 0,
            };
            found += usize::from(is_labeled);
        }
        result.hits.truncate(found);
        for hit in &mut result.hits {
            hit.site = self.sites[hit.label as usize];
        }
    }

    /// Returns the first row of a label in the label file.
    pub(crate) fn row(&self, label: u32) -> u64 {
        self.rows[label as usize]
    }

    /// Returns the number of labels found in the segment.
    pub(crate) fn labels(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Merges the labels with the fingerprints of a segment.
    pub(crate) fn merge(
        segment: &Segment<'_>,
        mut labels: LabelCursor<'_>,
        stop: &StopRules,
        sources: &LabelSources,
    ) -> Result<SegmentLabels, StoreError> {
        let table = segment.fingerprints()?;
        let (mut labeled, mut stopped) = (Vec::new(), Vec::new());
        let (mut sites, mut rows) = (Vec::new(), Vec::new());
        let (mut fingerprints, mut chars) = (Vec::new(), Vec::new());
        let mut rank = 0;
        for group in 0..table.groups() {
            table.fingerprints_into(group, Fingerprints::FINGERPRINT, &mut fingerprints)?;
            table.ints_into(group, Fingerprints::CHARS, &mut chars)?;
            let visible = table.read(group, Fingerprints::VISIBLE)?;
            for (at, fingerprint) in fingerprints.iter().enumerate() {
                let is_stop = stop
                    .reason(fingerprint, chars[at] as u64, visible[at])
                    .is_some();
                if is_stop {
                    stopped.push(rank);
                } else if let Some(row) =
                    (labels.find(fingerprint)).find(|&row| sources.is_chunk(row))
                {
                    labeled.push(rank);
                    sites.push(sources.of(row).site);
                    rows.push(row);
                }
                rank += 1;
            }
        }
        Ok(SegmentLabels {
            labeled: RankSet::new(table.rows(), labeled),
            stop: RankSet::new(table.rows(), stopped),
            sites,
            rows,
        })
    }
}
