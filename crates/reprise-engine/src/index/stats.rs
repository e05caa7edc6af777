//! What an index run has done, in figures.

use std::collections::{BTreeMap, BTreeSet};

use reprise_ingest::{Example, Problem, ProblemKind, RecordKind, Tally};
use reprise_store::{ProblemSummary, SegmentFacts};

/// Records seen, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    counts: [u64; RecordKind::ALL.len()],
}

impl Records {
    pub(crate) fn count(&mut self, kind: RecordKind) {
        self.counts[kind as usize] += 1;
    }

    pub(crate) fn merge(&mut self, other: &Records) {
        for (sum, count) in self.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
    }

    /// Kinds that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (RecordKind, u64)> {
        RecordKind::ALL
            .into_iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
    }
}

/// What an index run has done.
#[derive(Clone, Debug, Default)]
pub struct IndexStats {
    /// Pages added.
    pub pages: u64,
    /// Chunks added.
    pub chunks: u64,
    /// Bytes of archives read.
    pub bytes_in: u64,
    /// Bytes of decoded bodies.
    pub bytes_body: u64,
    /// Segments added.
    pub segments: u64,
    /// Sources read.
    pub sources_read: u64,
    /// Sources that the corpus held before.
    pub sources_held: u64,
    /// Sources that were read on from where an earlier run stopped.
    pub sources_continued: u64,
    /// Sources read anew that the corpus holds under the same name as they were before.
    pub sources_changed: u64,
    /// The name of the first of these.
    pub changed_example: Option<String>,
    /// The segments that hold what they were before.
    pub changed_segments: BTreeSet<u64>,
    /// Records seen, by kind.
    pub records: Records,
    /// What was skipped or damaged.
    pub tally: Tally,
}

/// What a segment's summary says beyond its tables.
pub(crate) fn segment_facts(stats: &IndexStats) -> SegmentFacts {
    SegmentFacts {
        bytes_in: stats.bytes_in,
        bytes_body: stats.bytes_body,
        records: stats
            .records
            .iter()
            .map(|(kind, count)| (kind.as_str().to_owned(), count))
            .collect(),
        problems: stats
            .tally
            .iter()
            .map(|(kind, count, example)| {
                let Example { source, problem } = example.clone();
                let summary = ProblemSummary {
                    count,
                    source,
                    offset: problem.offset,
                    url: problem.url,
                    detail: problem.detail,
                };
                (kind.as_str().to_owned(), summary)
            })
            .collect(),
    }
}

/// The tally of a segment, from its summary.
pub fn tally_of(problems: &BTreeMap<String, ProblemSummary>) -> Tally {
    let mut tally = Tally::default();
    for (name, summary) in problems {
        let Some(kind) = ProblemKind::from_name(name) else {
            continue;
        };
        let mut problem = Problem::new(kind, summary.offset, summary.detail.clone());
        problem.url.clone_from(&summary.url);
        tally.add_many(
            summary.count,
            Example {
                source: summary.source.clone(),
                problem,
            },
        );
    }
    tally
}

#[cfg(test)]
mod tests {
    use reprise_ingest::ProblemKind;
    use reprise_store::COUNTED_ONLY;

    #[test]
    fn what_is_not_listed_is_known_to_verify() {
        for kind in ProblemKind::ALL {
            assert_eq!(
                kind.is_listed(),
                !COUNTED_ONLY.contains(&kind.as_str()),
                "{kind}"
            );
        }
    }
}
