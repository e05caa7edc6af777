//! Which sources a corpus already holds, and how much of each.

use hashbrown::HashMap;
use reprise_fingerprint::Fingerprint;

use crate::corpus::Corpus;
use crate::error::StoreError;

/// How much of a source a corpus holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nothing.
    No,
    /// Everything before this position: a run was stopped there.
    Until(u64),
    /// All of it.
    Whole,
}

/// All sources of a corpus, by identity.
#[derive(Debug, Default)]
pub struct HeldSources {
    by_identity: HashMap<Fingerprint, Held, foldhash::fast::FixedState>,
}

impl HeldSources {
    /// Reads the `sources` tables of all segments.
    pub fn read(corpus: &Corpus) -> Result<HeldSources, StoreError> {
        let mut held = HeldSources::default();
        for segment in corpus.segments() {
            let table = segment.sources()?;
            for group in 0..table.groups() {
                let identities = table.fingerprints(group, "identity")?;
                let ends = table.ints(group, "end")?;
                let done = table.bools(group, "done")?;
                for ((identity, end), is_done) in identities.into_iter().zip(ends).zip(done) {
                    // Segments come in the order they were read, so the last word counts.
                    let state = if is_done {
                        Held::Whole
                    } else {
                        Held::Until(end as u64)
                    };
                    held.by_identity.insert(identity, state);
                }
            }
        }
        Ok(held)
    }

    /// How much of the source with this identity is held.
    pub fn get(&self, identity: Fingerprint) -> Held {
        self.by_identity.get(&identity).copied().unwrap_or(Held::No)
    }
}
