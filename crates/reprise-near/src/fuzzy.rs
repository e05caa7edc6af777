//! Near-copies by fuzzy hashes of plain text: the same document in other formats, or with another style.

use reprise_fuzzy::{Digest, Groups as DigestGroups};
use reprise_store::{Corpus, StoreError};

use crate::clusters::{self, Edges, Groups, Verified};
use crate::config::NearConfig;
use crate::near::{Near, memory_left, read_sets};
use crate::texts::{TextSource, read_texts};

/// Texts that score enough must share this part of their phrases too. Hashes of short texts are short, and
/// agree by chance.
const JACCARD_MIN: f64 = 0.5;
/// Texts with equal digests are compared each with each up to this many; beyond, each with so many.
const EACH_WITH: usize = 16;

/// Finds near-copies by fuzzy hashes.
///
/// Input: a corpus, and a way to read the plain text of its pages again. Output: clusters.
/// Errors: of the corpus, of temporary files; a page that cannot be read or converted is counted.
/// Memory: some 300 bytes a page with text and 60 for each pair, beside what phrases are compared in.
///
/// Algorithm: (1) pages with one text are one document; (2) those whose digests score enough are
/// candidates, found by the seven-character runs that they share; (3) candidates must share half of
/// their phrases; (4) clusters are made as by [`near`](crate::near()).
pub fn near_fuzzy(
    corpus: &Corpus,
    source: &dyn TextSource<Digest>,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    let (documents, digests, mut lost) =
        read_texts(corpus, |pages, give| source.texts(pages, give))?;
    let distinct = documents.distinct();
    let score_min = (config.similarity * 100.0).round() as u8;
    let digests: Vec<Digest> = distinct
        .iter()
        .map(|&document| digests[document as usize].clone())
        .collect();
    let scored = candidates(&digests, score_min);
    let paired = scored.iter().flat_map(|&(one, other, _)| [one, other]);
    let memory = memory_left(&documents, config);
    let (sets, unread) = read_sets(source, &documents, &distinct, paired, memory, config)?;
    lost.extend(unread);
    let mut verified: Vec<Verified> = Vec::new();
    for &(one, other, score) in &scored {
        if let Some(overlap) = sets.overlap(one, other)?
            && overlap.jaccard() >= JACCARD_MIN
        {
            verified.push((one, other, overlap, Some(score)));
        }
    }
    let edges = Edges::new(verified);
    let groups = Groups::new(&documents, &distinct, config.keep);
    let found = clusters::verified(&groups, &edges, &[], &|_, _| Ok(None), config.similarity)?;
    let mut near = Near::of(&documents, found, config);
    near.candidates = scored.len() as u64;
    near.verified = edges.pairs();
    near.unreadable = lost;
    Ok(near)
}

/// Pairs of texts that score enough, with the score, sorted.
fn candidates(digests: &[Digest], score_min: u8) -> Vec<(u32, u32, u8)> {
    let groups = DigestGroups::of(digests);
    let mut pairs = Vec::new();
    let mut push = |one: u32, other: u32, score| {
        pairs.push((one.min(other), one.max(other), score));
    };
    for group in 0..groups.len() as u32 {
        let members = groups.members(group);
        for (at, &member) in members.iter().enumerate() {
            for &before in &members[..at.min(EACH_WITH)] {
                push(before, member, 100);
            }
        }
    }
    groups.pairs_each(score_min, |pair| {
        let (ones, others) = (groups.members(pair.a), groups.members(pair.b));
        for &one in ones {
            for &other in &others[..others.len().min(EACH_WITH)] {
                push(one, other, pair.score);
            }
        }
        // What is beyond these on the one side meets the first of the other.
        for &other in others.iter().skip(EACH_WITH) {
            for &one in &ones[..ones.len().min(EACH_WITH)] {
                push(one, other, pair.score);
            }
        }
    });
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
