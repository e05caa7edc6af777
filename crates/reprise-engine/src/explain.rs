//! Two texts side by side: which spans of one are in the other.

use std::collections::BTreeMap;

use reprise_discover::StopRules;
use reprise_fingerprint::Fingerprint;
use reprise_report::Match;
use reprise_store::Settings;

use crate::chunks::{TextChunk, chunks_of};
use crate::evidence::PageText;

/// The chunks that two pages share, and how much of each that is.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The pairs of spans.
    pub matches: Vec<Match>,
    /// Chunks of the left page, and how many of them are in the right one.
    pub left: (usize, usize),
    /// The same, the other way round.
    pub right: (usize, usize),
}

/// Finds the chunks that two pages share.
pub fn shared_chunks(
    left: &PageText,
    right: &PageText,
    settings: Settings,
    stop: &StopRules,
) -> Shared {
    let cut = |page: &PageText| {
        page.content
            .map_or_else(Vec::new, |content| {
                chunks_of(content, &page.text, settings, stop)
            })
            .into_iter()
            .filter(|chunk| !chunk.is_stop)
            .collect::<Vec<TextChunk>>()
    };
    let (left, right) = (cut(left), cut(right));
    let by_fingerprint = |chunks: &[TextChunk]| {
        let mut map: BTreeMap<Fingerprint, Vec<std::ops::Range<usize>>> = BTreeMap::new();
        for chunk in chunks {
            map.entry(chunk.fingerprint)
                .or_default()
                .push(chunk.span.clone());
        }
        map
    };
    let (of_left, of_right) = (by_fingerprint(&left), by_fingerprint(&right));
    let mut matches = Vec::new();
    for (fingerprint, left_spans) in &of_left {
        let Some(right_spans) = of_right.get(fingerprint) else {
            continue;
        };
        // The first with the first, the second with the second; what is left over with the last.
        for at in 0..left_spans.len().max(right_spans.len()) {
            matches.push(Match {
                left: left_spans[at.min(left_spans.len() - 1)].clone(),
                right: right_spans[at.min(right_spans.len() - 1)].clone(),
                fingerprint: fingerprint.to_string(),
            });
        }
    }
    matches.sort_by_key(|found| (found.left.start, found.right.start));
    let count = |chunks: &[TextChunk], other: &BTreeMap<Fingerprint, _>| {
        let common = chunks
            .iter()
            .filter(|chunk| other.contains_key(&chunk.fingerprint));
        (chunks.len(), common.count())
    };
    Shared {
        matches,
        left: count(&left, &of_right),
        right: count(&right, &of_left),
    }
}
