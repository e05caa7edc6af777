//! The chunks that two pages share.

use std::collections::BTreeMap;
use std::ops::Range;

use reprise_chunk::{Chunk, ChunkSettings, StopRules, chunks};
use reprise_fingerprint::Fingerprint;
use reprise_report::results::{Match, MatchName};

use crate::archives::PageCopy;

/// The chunks that two pages share.
pub(super) struct SharedChunks {
    /// The pairs of spans.
    pub(super) matches: Vec<Match>,
    /// The number of chunks of the left page, and of those that the right page has.
    pub(super) left: (u64, u64),
    /// The number of chunks of the right page, and of those that the left page has.
    pub(super) right: (u64, u64),
}

/// Finds the chunks that two pages share.
pub(super) fn shared_chunks(
    left: &PageCopy,
    right: &PageCopy,
    settings: ChunkSettings,
    stop: &StopRules,
) -> SharedChunks {
    let cut = |page: &PageCopy| -> Vec<Chunk> {
        let all = page
            .content
            .map_or_else(Vec::new, |content| chunks(content, &page.text, settings));
        let is_counted = |chunk: &Chunk| {
            let reason = stop.reason(&chunk.fingerprint, chunk.chars, chunk.is_visible);
            reason.is_none()
        };
        all.into_iter().filter(is_counted).collect()
    };
    let (left, right) = (cut(left), cut(right));
    let (of_left, of_right) = (by_fingerprint(&left), by_fingerprint(&right));
    let mut matches = Vec::new();
    for (fingerprint, left_spans) in &of_left {
        let Some(right_spans) = of_right.get(fingerprint) else {
            continue;
        };
        // The first repeat matches the first, the second the second; surplus repeats match the last.
        for at in 0..left_spans.len().max(right_spans.len()) {
            matches.push(Match {
                left: left_spans[at.min(left_spans.len() - 1)].clone(),
                right: right_spans[at.min(right_spans.len() - 1)].clone(),
                fingerprint: MatchName::Chunk(*fingerprint),
            });
        }
    }
    matches.sort_by_key(|found| (found.left.start, found.right.start));
    let count = |chunks: &[Chunk], other: &Spans| {
        let common = chunks
            .iter()
            .filter(|chunk| other.contains_key(&chunk.fingerprint));
        (chunks.len() as u64, common.count() as u64)
    };
    SharedChunks {
        matches,
        left: count(&left, &of_right),
        right: count(&right, &of_left),
    }
}

/// The spans of each distinct chunk.
type Spans = BTreeMap<Fingerprint, Vec<Range<usize>>>;

fn by_fingerprint(chunks: &[Chunk]) -> Spans {
    let mut spans = Spans::new();
    for chunk in chunks {
        let same = spans.entry(chunk.fingerprint).or_default();
        same.push(chunk.span.clone());
    }
    spans
}
