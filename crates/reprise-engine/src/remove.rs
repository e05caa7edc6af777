//! Removes segments.

use reprise_report::results::{DamagedFile, Timestamp};
use reprise_store::schema::{Chunks, Pages};
use reprise_store::{CorpusReader, Damage, Segment, StoreError};

use crate::corpus::{Corpus, damaged_file};
use crate::error::Error;

/// Which segments are removed.
#[derive(Clone, Debug, Default)]
pub struct RemoveOptions {
    /// The numbers of segments to remove.
    pub segments: Vec<u64>,
    /// Also removes segments whose newest page was fetched before this time, in milliseconds since 1970.
    pub older_than: Option<i64>,
    /// True to change nothing.
    pub dry_run: bool,
}

/// The result of removing segments.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Removal {
    /// True if nothing was changed.
    pub dry_run: bool,
    /// The numbers of the removed segments.
    pub removed: Vec<u64>,
    /// All segments, before the removal.
    pub segments: Vec<SegmentInfo>,
}

/// A segment.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SegmentInfo {
    /// Its number.
    pub number: u64,
    /// The number of its pages.
    pub pages: u64,
    /// The number of its chunks.
    pub chunks: u64,
    /// The latest fetch time of a page.
    pub newest: Option<Timestamp>,
    /// Why `newest` is unknown.
    pub damage: Option<DamagedFile>,
}

impl Corpus {
    /// Removes segments. Without a choice, all segments are listed and none is removed. The archives stay,
    /// and can be indexed again.
    pub fn remove(&mut self, options: &RemoveOptions) -> Result<Removal, Error> {
        let numbers = self
            .reader
            .segments()
            .map(|segment| segment.summary().number);
        let known: Vec<u64> = numbers.collect();
        if let Some(&number) = (options.segments.iter()).find(|number| !known.contains(number)) {
            let names: Vec<String> = known.iter().map(u64::to_string).collect();
            let known = match names.as_slice() {
                [] => "the corpus has none".to_owned(),
                [only] => format!("there is {only}"),
                all => format!("there are {}", all.join(", ")),
            };
            return Err(Error::NoSuchSegment { number, known });
        }
        let mut removed = options.segments.clone();
        let mut segments = Vec::new();
        for segment in self.reader.segments() {
            // A damaged segment can be removed as well.
            let (newest, damage) = match newest(&segment) {
                Ok(newest) => (newest, None),
                Err(error) => (None, Some(Damage::of(error, segment.path()))),
            };
            let number = segment.summary().number;
            if let (Some(date), Some(newest)) = (options.older_than, newest)
                && newest < date
            {
                removed.push(number);
            }
            segments.push(SegmentInfo {
                number,
                pages: segment.summary().rows::<Pages>(),
                chunks: segment.summary().rows::<Chunks>(),
                newest: newest.map(Timestamp),
                damage: damage.as_ref().map(damaged_file),
            });
        }
        removed.sort_unstable();
        removed.dedup();
        if !removed.is_empty() && !options.dry_run {
            let mut writer = self.writer()?;
            writer.remove_segments(&removed)?;
            self.reader = CorpusReader::open(writer.corpus().path())?;
        }
        Ok(Removal {
            dry_run: options.dry_run,
            removed,
            segments,
        })
    }
}

/// Returns the latest fetch time of a segment's pages.
fn newest(segment: &Segment<'_>) -> Result<Option<i64>, StoreError> {
    let pages = segment.pages()?;
    let mut newest = None;
    for group in 0..pages.groups() {
        let fetched = pages.read(group, Pages::FETCHED)?;
        newest = newest.max(fetched.into_iter().flatten().max());
    }
    Ok(newest)
}
