//! Informed discovery: makes labels from all content of given pages.

use std::ops::RangeInclusive;

use reprise_chunk::{Label, Level, StopRules};
use reprise_fingerprint::Fingerprint;
use reprise_store::schema::{Chunks, Fingerprints, Pages};
use reprise_store::{
    ALL_PREFIXES, CorpusReader, LabelsWriter, PageRef, Progress, Segment, SegmentPages,
    SiteNumbers, StoreError, page_names,
};

use crate::discovery::halves;

/// The result of labelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labeled {
    /// The number of distinct chunks that became labels.
    pub chunks: u64,
    /// The number of distinct files that became labels.
    pub files: u64,
    /// The number of distinct stop chunks.
    pub stop: u64,
    /// The number of rows written: a label has one row for each site that has it.
    pub rows: u64,
}

/// A label on one site. It is small, because millions are sorted in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    fingerprint: Fingerprint,
    level: Level,
    site: u32,
    fetched: i64,
    page: PageRef,
    chars: u64,
}

/// Makes a label of each chunk and each file of a corpus, except stop chunks and empty files.
///
/// Input: a corpus of the pages to look for, and a name for them. Output: counts; the labels, sorted, go to
/// `labels`. Errors: those of the corpus and of writing the labels. Memory: within `memory_bytes`, by
/// handling one range of fingerprints at a time.
pub fn label(
    corpus: &CorpusReader,
    name: &str,
    stop: &StopRules,
    memory_bytes: usize,
    labels: &mut LabelsWriter,
    progress: &dyn Progress,
) -> Result<Labeled, StoreError> {
    let most = (memory_bytes / 8 / size_of::<Candidate>()).max(1 << 12);
    let mut sites = SiteNumbers::default();
    let mut labeled = Labeled::default();
    let mut ranges = vec![ALL_PREFIXES];
    while let Some(range) = ranges.pop() {
        progress.check()?;
        let Some((candidates, stopped)) = collect(corpus, stop, &range, most, &mut sites)? else {
            ranges.extend(halves(&range));
            continue;
        };
        labeled.stop += stopped;
        for same in candidates.chunk_by(|a, b| (a.fingerprint, a.level) == (b.fingerprint, b.level))
        {
            match same[0].level {
                Level::Chunk => labeled.chunks += 1,
                Level::File => labeled.files += 1,
            }
        }
        labeled.rows += candidates.len() as u64;
        write(corpus, name, &candidates, labels)?;
    }
    Ok(labeled)
}

/// Returns the labels with a prefix in `range`, and the number of stop chunks. Returns `None` if there are
/// more than `most` labels and the range can be split.
fn collect(
    corpus: &CorpusReader,
    stop: &StopRules,
    range: &RangeInclusive<u64>,
    most: usize,
    sites: &mut SiteNumbers,
) -> Result<Option<(Vec<Candidate>, u64)>, StoreError> {
    let mut candidates = Vec::new();
    let mut stopped = 0;
    for (number, segment) in corpus.segments().enumerate() {
        let pages = CandidatePages {
            number: number as u32,
            pages: SegmentPages::read(&segment, sites)?,
        };
        collect_files(&segment, range, &pages, &mut candidates)?;
        let (labels, stop_chunks) = chunk_labels(&segment, stop, range)?;
        stopped += stop_chunks;
        let chunks = segment.chunks()?;
        for group in 0..chunks.groups() {
            let ranks = chunks.indices(group, Chunks::RANK, labels.len())?;
            let page_rows = chunks.indices(group, Chunks::PAGE, pages.pages.sites.len())?;
            for (page, rank) in page_rows.into_iter().zip(ranks) {
                if let Some((fingerprint, chars)) = labels[rank] {
                    candidates.push(pages.candidate(fingerprint, Level::Chunk, page, chars));
                }
            }
            if candidates.len() > most {
                dedup(&mut candidates);
                if candidates.len() > most / 2 && range.start() < range.end() {
                    return Ok(None);
                }
            }
        }
    }
    dedup(&mut candidates);
    Ok(Some((candidates, stopped)))
}

/// The pages of a segment, from which candidates are made.
struct CandidatePages {
    /// The index of the segment.
    number: u32,
    pages: SegmentPages,
}

impl CandidatePages {
    fn candidate(
        &self,
        fingerprint: Fingerprint,
        level: Level,
        page: usize,
        chars: u64,
    ) -> Candidate {
        Candidate {
            fingerprint,
            level,
            site: self.pages.sites[page],
            fetched: self.pages.fetched[page],
            page: PageRef {
                segment: self.number,
                page: page as u32,
            },
            chars,
        }
    }
}

/// Adds the files of a segment with a prefix in `range`, except empty ones.
fn collect_files(
    segment: &Segment<'_>,
    range: &RangeInclusive<u64>,
    pages: &CandidatePages,
    candidates: &mut Vec<Candidate>,
) -> Result<(), StoreError> {
    let table = segment.pages()?;
    let mut page = 0;
    for group in 0..table.groups() {
        let bytes = table.read(group, Pages::BYTES)?;
        let fingerprints = table.read(group, Pages::FINGERPRINT)?;
        for (fingerprint, bytes) in fingerprints.into_iter().zip(bytes) {
            if bytes > 0 && range.contains(&fingerprint.prefix()) {
                candidates.push(pages.candidate(fingerprint, Level::File, page, bytes as u64));
            }
            page += 1;
        }
    }
    Ok(())
}

/// The fingerprint and the number of characters of each rank, or `None` if the chunk does not become a
/// label.
type ChunkLabels = Vec<Option<(Fingerprint, u64)>>;

/// Selects the chunks of a segment with a prefix in `range` that are not stop chunks. Also returns the number
/// of stop chunks.
fn chunk_labels(
    segment: &Segment<'_>,
    stop: &StopRules,
    range: &RangeInclusive<u64>,
) -> Result<(ChunkLabels, u64), StoreError> {
    let mut labels = Vec::new();
    let mut stopped = 0;
    let table = segment.fingerprints()?;
    for group in 0..table.groups() {
        let chars = table.read(group, Fingerprints::CHARS)?;
        let visible = table.read(group, Fingerprints::VISIBLE)?;
        let fingerprints = table.read(group, Fingerprints::FINGERPRINT)?;
        for (at, fingerprint) in fingerprints.into_iter().enumerate() {
            let length = chars[at] as u64;
            let is_in = range.contains(&fingerprint.prefix());
            let is_stop = stop.reason(&fingerprint, length, visible[at]).is_some();
            stopped += u64::from(is_in && is_stop);
            labels.push((is_in && !is_stop).then_some((fingerprint, length)));
        }
    }
    Ok((labels, stopped))
}

/// Keeps the first page of each label on each site.
fn dedup(candidates: &mut Vec<Candidate>) {
    candidates.sort_unstable();
    candidates.dedup_by_key(|found| (found.fingerprint, found.level, found.site));
}

/// Writes labels with the URLs of their pages.
fn write(
    corpus: &CorpusReader,
    name: &str,
    candidates: &[Candidate],
    labels: &mut LabelsWriter,
) -> Result<(), StoreError> {
    let pages: Vec<PageRef> = candidates.iter().map(|found| found.page).collect();
    let names = page_names(corpus, &pages)?;
    let mut rows: Vec<Label> = candidates
        .iter()
        .zip(names)
        .map(|(found, (url, site))| Label {
            fingerprint: found.fingerprint,
            level: found.level,
            chars: found.chars,
            counts: None,
            name: name.to_owned(),
            url,
            site,
            fetched: (found.fetched != i64::MAX).then_some(found.fetched),
        })
        .collect();
    rows.sort_unstable_by(Label::order);
    rows.into_iter().try_for_each(|row| labels.push(row))
}
