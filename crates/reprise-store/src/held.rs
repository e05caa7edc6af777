//! The sources that a corpus already holds, and the ranges of each that it holds.

use std::ops::Range;

use hashbrown::HashMap;
use reprise_fingerprint::Fingerprint;

use crate::corpus::CorpusReader;
use crate::error::StoreError;
use crate::schema::Sources;
use crate::table::Text;

/// All sources of a corpus, by identity.
#[derive(Debug, Default)]
pub struct HeldSources {
    /// The ranges of each source, in the order of segments. The end of a range that reaches the end of the
    /// source is `u64::MAX`.
    by_identity: HashMap<Fingerprint, Vec<Range<u64>>, foldhash::fast::FixedState>,
    /// The names of the large sources.
    names: HashMap<Fingerprint, Text, foldhash::fast::FixedState>,
}

impl HeldSources {
    /// Reads the tables `sources` of all segments. Keeps the names of sources with more than `named_bytes`.
    pub fn read(corpus: &CorpusReader, named_bytes: u64) -> Result<HeldSources, StoreError> {
        let mut held = HeldSources::default();
        for segment in corpus.segments() {
            let table = segment.sources()?;
            for group in 0..table.groups() {
                let identities = table.read(group, Sources::IDENTITY)?;
                let starts = table.read(group, Sources::START)?;
                let ends = table.read(group, Sources::END)?;
                let done = table.read(group, Sources::DONE)?;
                let sizes = table.read(group, Sources::BYTES)?;
                let names = table.read(group, Sources::NAME)?;
                for (row, identity) in identities.into_iter().enumerate() {
                    let end = if done[row] {
                        u64::MAX
                    } else {
                        ends[row] as u64
                    };
                    let range = starts[row] as u64..end;
                    held.by_identity.entry(identity).or_default().push(range);
                    if sizes[row] as u64 > named_bytes {
                        held.names.insert(identity, names.text(row));
                    }
                }
            }
        }
        Ok(held)
    }

    /// Returns the number of sources.
    pub fn count(&self) -> u64 {
        self.by_identity.len() as u64
    }

    /// Returns the name of the source with this identity, if it is a large source.
    pub fn name(&self, identity: Fingerprint) -> Option<&[u8]> {
        self.names.get(&identity).map(Text::as_bytes)
    }

    /// Returns true if the corpus holds any part of the source with this identity.
    pub fn has(&self, identity: Fingerprint) -> bool {
        self.by_identity.contains_key(&identity)
    }

    /// Returns the ranges of the source with this identity that the corpus does not hold. A stopped run did
    /// not reach them, or their segments were removed. The end of a range up to the end of the source is
    /// `u64::MAX`.
    pub fn missing(&self, identity: Fingerprint) -> Vec<Range<u64>> {
        let mut held = self.by_identity.get(&identity).cloned().unwrap_or_default();
        held.sort_unstable_by_key(|range| range.start);
        let mut missing = Vec::new();
        let mut position = 0;
        for range in held {
            if range.start > position {
                missing.push(position..range.start);
            }
            position = position.max(range.end);
        }
        if position < u64::MAX {
            missing.push(position..u64::MAX);
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::HeldSources;
    use reprise_fingerprint::Fingerprint;

    #[test]
    fn missing_ranges_are_the_gaps_between_held_ranges() {
        const END: u64 = u64::MAX;
        let check = |held: &[(u64, u64)], missing: &[(u64, u64)]| {
            let mut sources = HeldSources::default();
            let identity = Fingerprint::default();
            let ranges = held.iter().map(|&(start, end)| start..end).collect();
            sources.by_identity.insert(identity, ranges);
            let found = sources.missing(identity);
            let found: Vec<_> = found.iter().map(|found| (found.start, found.end)).collect();
            assert_eq!(found, missing, "{held:?}");
        };
        check(&[], &[(0, END)]);
        check(&[(0, END)], &[]);
        check(&[(0, 10)], &[(10, END)]);
        check(&[(0, 10), (10, 20), (20, END)], &[]);
        check(&[(10, 20), (20, END)], &[(0, 10)]);
        check(&[(0, 10), (30, 40)], &[(10, 30), (40, END)]);
        check(&[(30, END), (0, 10)], &[(10, 30)]);
    }
}
