//! Which sources a corpus already holds, and how much of each.

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
    /// The stretches that are held of each, in the order of segments. One that goes to the source's end goes on
    /// for ever.
    by_identity: HashMap<Fingerprint, Vec<Range<u64>>, foldhash::fast::FixedState>,
    /// The names of large ones.
    names: HashMap<Fingerprint, Text, foldhash::fast::FixedState>,
}

impl HeldSources {
    /// Reads the `sources` tables of all segments. The names of those with more than `named_bytes` are kept.
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
                    let stretch = starts[row] as u64..end;
                    held.by_identity.entry(identity).or_default().push(stretch);
                    if sizes[row] as u64 > named_bytes {
                        held.names.insert(identity, names.text(row));
                    }
                }
            }
        }
        Ok(held)
    }

    /// How many sources there are.
    pub fn count(&self) -> u64 {
        self.by_identity.len() as u64
    }

    /// The name of the source with this identity, if it is a large one.
    pub fn name(&self, identity: Fingerprint) -> Option<&[u8]> {
        self.names.get(&identity).map(Text::as_bytes)
    }

    /// Is anything of the source with this identity held?
    pub fn has(&self, identity: Fingerprint) -> bool {
        self.by_identity.contains_key(&identity)
    }

    /// The stretches of the source with this identity that are not held: what a stopped run did not come to, and
    /// what was in segments that are removed. One without an end ends in `u64::MAX`.
    pub fn missing(&self, identity: Fingerprint) -> Vec<Range<u64>> {
        let mut held = self.by_identity.get(&identity).cloned().unwrap_or_default();
        held.sort_unstable_by_key(|stretch| stretch.start);
        let mut missing = Vec::new();
        let mut position = 0;
        for stretch in held {
            if stretch.start > position {
                missing.push(position..stretch.start);
            }
            position = position.max(stretch.end);
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
    fn what_is_missing_lies_between_what_is_held() {
        const END: u64 = u64::MAX;
        let check = |held: &[(u64, u64)], missing: &[(u64, u64)]| {
            let mut sources = HeldSources::default();
            let identity = Fingerprint::default();
            let stretches = held.iter().map(|&(start, end)| start..end).collect();
            sources.by_identity.insert(identity, stretches);
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
