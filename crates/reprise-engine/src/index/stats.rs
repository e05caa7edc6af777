//! The figures of an index run.

use std::collections::{BTreeMap, BTreeSet};

use reprise_ingest::{Example, ProblemKind, RecordKind, Tally};
use reprise_report::results::Problems;
use reprise_store::{ProblemSummary, SegmentFacts};

use crate::error::Error;
use crate::problems::{nothing_read, problems_of};

/// The number of records by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Records {
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

    /// Returns the kinds that occurred, with their counts.
    fn iter(&self) -> impl Iterator<Item = (RecordKind, u64)> {
        RecordKind::ALL
            .into_iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0)
    }

    fn by_name(&self) -> BTreeMap<String, u64> {
        let named = self
            .iter()
            .map(|(kind, count)| (kind.as_str().to_owned(), count));
        named.collect()
    }
}

/// The figures of a run or of a segment, while they are collected.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexStats {
    pub(crate) pages: u64,
    pub(crate) chunks: u64,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_body: u64,
    pub(crate) segments: u64,
    pub(crate) sources: SourceCounts,
    pub(crate) changed: ChangedSources,
    pub(crate) records: Records,
    pub(crate) tally: Tally,
}

/// The result of indexing.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IndexSummary {
    /// The number of pages added.
    pub pages: u64,
    /// The number of chunks added.
    pub chunks: u64,
    /// The bytes of archives that were read.
    pub bytes_in: u64,
    /// The bytes of decoded bodies.
    pub bytes_body: u64,
    /// The number of segments added.
    pub segments: u64,
    /// The number of source files.
    pub sources: SourceCounts,
    /// The number of records, by kind.
    pub records: BTreeMap<String, u64>,
    /// The records that were skipped or damaged.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub problems: Problems,
    /// The running time.
    pub seconds: f64,
    /// The sources that changed since an earlier run.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub changed: ChangedSources,
}

/// The number of source files, by what was done with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SourceCounts {
    /// Sources that were read.
    pub read: u64,
    /// Sources that the corpus already had, or that were given twice.
    pub held: u64,
    /// Sources that were continued where an earlier run stopped; a part of `read`.
    pub continued: u64,
    /// Sources that the corpus has under the same name with other content; a part of `read`.
    pub changed: u64,
}

/// Sources whose earlier content is still in the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedSources {
    /// The name of the first one.
    pub example: Option<String>,
    /// The segments that hold the earlier content.
    pub segments: BTreeSet<u64>,
}

impl IndexSummary {
    /// Fails if the run could read nothing: the input has no files, or none of them has a record that can
    /// be used.
    pub fn check_read(&self) -> Result<(), Error> {
        let records: u64 = self.records.values().sum();
        let malformed = ProblemKind::Malformed.as_str();
        let unusable = self.problems.skipped.get(malformed).copied();
        if self.sources.held > 0 || self.pages > 0 || records > unusable.unwrap_or(0) {
            return Ok(());
        }
        Err(nothing_read(&self.problems))
    }
}

impl IndexStats {
    pub(crate) fn add(&mut self, other: IndexStats) {
        self.pages += other.pages;
        self.chunks += other.chunks;
        self.bytes_in += other.bytes_in;
        self.bytes_body += other.bytes_body;
        self.segments += other.segments;
        self.sources.read += other.sources.read;
        self.sources.held += other.sources.held;
        self.sources.continued += other.sources.continued;
        self.sources.changed += other.sources.changed;
        self.changed.example = self.changed.example.take().or(other.changed.example);
        self.changed.segments.extend(other.changed.segments);
        self.records.merge(&other.records);
        self.tally.merge(other.tally);
    }

    pub(crate) fn into_summary(self, seconds: f64) -> IndexSummary {
        IndexSummary {
            pages: self.pages,
            chunks: self.chunks,
            bytes_in: self.bytes_in,
            bytes_body: self.bytes_body,
            segments: self.segments,
            sources: self.sources,
            records: self.records.by_name(),
            problems: problems_of(&self.tally),
            seconds,
            changed: self.changed,
        }
    }

    /// Returns the part of a segment's summary that its tables do not contain.
    pub(crate) fn segment_facts(&self) -> SegmentFacts {
        let problems = self.tally.iter().map(|(kind, count, example)| {
            let Example { source, problem } = example.clone();
            let summary = ProblemSummary {
                count,
                source,
                offset: problem.offset,
                url: problem.url,
                detail: problem.detail,
            };
            (kind.as_str().to_owned(), summary)
        });
        SegmentFacts {
            bytes_in: self.bytes_in,
            bytes_body: self.bytes_body,
            records: self.records.by_name(),
            problems: problems.collect(),
        }
    }
}
