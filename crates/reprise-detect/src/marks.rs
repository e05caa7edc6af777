//! Which chunks of a segment are labelled: one merge of two sorted lists.

use reprise_discover::StopRules;
use reprise_store::{LabelCursor, RankSet, Segment, StoreError};

use crate::sources::LabelSources;

/// What each rank of a segment is. Labels are known by their place among those that the segment has,
/// which is the order of their rows as well.
pub(crate) struct Marks {
    labeled: RankSet,
    stop: RankSet,
    /// Number of the site that each label comes from.
    sites: Vec<u32>,
    /// First row of each in the labels.
    rows: Vec<u64>,
}

/// A chunk that is labelled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hit {
    /// Place of the chunk among those that were looked at.
    pub(crate) chunk: u32,
    /// Place of the label among those of the segment.
    pub(crate) label: u32,
    /// Number of the site that the label comes from.
    pub(crate) site: u32,
}

/// What some chunks are.
#[derive(Default)]
pub(crate) struct Marked {
    /// The labelled ones, in order.
    pub(crate) hits: Vec<Hit>,
    /// 1 for each stop chunk, 0 for each other one.
    pub(crate) stops: Vec<u8>,
}

impl Marks {
    /// What the chunks with these ranks are, in place of what `marked` held.
    ///
    /// Many at a time and without branches: each look goes to another place in memory, and so the
    /// processor waits for many of them at once.
    pub(crate) fn look(&self, ranks: &[i64], marked: &mut Marked) {
        marked.stops.clear();
        (marked.stops).extend(ranks.iter().map(|&rank| u8::from(self.stop.look(rank).1)));
        marked.hits.clear();
        marked.hits.resize(ranks.len(), Hit::default());
        let mut found = 0;
        for (chunk, &rank) in (0..).zip(ranks) {
            let (label, is_labeled) = self.labeled.look(rank);
            marked.hits[found] = Hit {
                chunk,
                label,
                site: 0,
            };
            found += usize::from(is_labeled);
        }
        marked.hits.truncate(found);
        for hit in &mut marked.hits {
            hit.site = self.sites[hit.label as usize];
        }
    }

    /// The first row of a label.
    pub(crate) fn row(&self, label: u32) -> u64 {
        self.rows[label as usize]
    }

    /// How many labels the segment has.
    pub(crate) fn labels(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Merges the labels with the fingerprints of a segment.
    pub(crate) fn merge(
        segment: &Segment<'_>,
        mut labels: LabelCursor<'_>,
        stop: &StopRules,
        sources: &LabelSources,
    ) -> Result<Marks, StoreError> {
        let table = segment.fingerprints()?;
        let (mut labeled, mut stopped) = (Vec::new(), Vec::new());
        let (mut sites, mut rows) = (Vec::new(), Vec::new());
        let (mut fingerprints, mut chars) = (Vec::new(), Vec::new());
        let mut rank = 0;
        for group in 0..table.groups() {
            table.fingerprints_into(group, "fingerprint", &mut fingerprints)?;
            table.ints_into(group, "chars", &mut chars)?;
            let visible = table.bools(group, "visible")?;
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
        Ok(Marks {
            labeled: RankSet::new(table.rows(), labeled),
            stop: RankSet::new(table.rows(), stopped),
            sites,
            rows,
        })
    }
}
