//! Finds near-copies by fuzzy hashes of the plain text, such as the same document in another format.

use reprise_fuzzy::{Digest, Groups as DigestGroups};
use reprise_report::results::NearMethod;
use reprise_store::{CorpusReader, StoreError};

use crate::clusters::{self, Edges, Groups, Verified};
use crate::documents::Documents;
use crate::near::{NearFound, read_sets};
use crate::options::NearContext;
use crate::reader::{TextForm, TextReader};
use crate::shingle::phrases;

/// The lowest Jaccard similarity of two texts with a high enough score. Short texts have short hashes, which
/// may agree by chance.
const JACCARD_MIN: f64 = 0.5;
/// The most texts with the same digest that a text is compared with.
const EACH_WITH: usize = 16;

/// Finds near-copies by fuzzy hashes.
///
/// Algorithm: (1) pages with the same text become one document; (2) documents whose digests have a high
/// enough score become candidates; an index of runs of seven characters finds them; (3) candidates must share
/// half of their phrases; (4) clusters are made as for shingles.
pub(crate) fn near<R: TextReader>(
    corpus: &CorpusReader,
    score: u8,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, StoreError> {
    let digest = || |text: &str| Digest::of(text.as_bytes());
    let (documents, digests, mut unread) = Documents::read_texts(corpus, reader, digest, context)?;
    let distinct = documents.distinct();
    let digests: Vec<Digest> = distinct
        .iter()
        .map(|&document| digests[document as usize].clone())
        .collect();
    let scored = candidates(&digests, score);
    let paired = scored.iter().flat_map(|&(one, other, _)| [one, other]);
    let reading = (reader, TextForm::Plain);
    let (sets, more) = read_sets(&documents, &distinct, paired, reading, phrases, context)?;
    unread.extend(more);
    let mut verified: Vec<Verified> = Vec::new();
    for &(one, other, score) in &scored {
        if let Some(overlap) = sets.overlap(one, other)?
            && overlap.jaccard() >= JACCARD_MIN
        {
            verified.push((one, other, overlap, Some(score)));
        }
    }
    let edges = Edges::new(verified);
    let groups = Groups::new(&documents, &distinct, context.keep);
    let least = f64::from(score) / 100.0;
    let found = clusters::verified(&groups, &edges, &[], &|_, _| Ok(None), least)?;
    let mut near = NearFound::of(&documents, found, NearMethod::Fuzzy, context.keep);
    near.set_pairs(scored.len() as u64, edges.pairs(), unread);
    near.copies.score = Some(score);
    Ok(near)
}

/// Returns the pairs of texts whose score is at least `score_min`, with their scores, sorted.
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
        // The remaining texts of the second group are compared with the first ones of the first group.
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
