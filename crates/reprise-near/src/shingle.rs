//! Finds near-copies by shared phrases.

use rayon::prelude::*;
use reprise_report::results::NearMethod;
use reprise_shingle::{SHINGLES, Shingler};
use reprise_store::{CorpusReader, PageShingles, StoreError, Unit};

use crate::bands::Bands;
use crate::candidates::{Candidates, Pair, candidates, closure};
use crate::clusters::{self, Edges, Groups, Verified};
use crate::documents::Documents;
use crate::near::{NearFound, memory_left, read_sets};
use crate::options::{Link, NearContext};
use crate::phrase_sets::PhraseSets;
use crate::reader::{PageText, TextForm, TextReader};
use crate::sketches::Sketches;
use crate::union::Union;

/// Finds near-copies in a corpus with shingles.
pub(crate) fn near<R: TextReader>(
    corpus: &CorpusReader,
    link: Link,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, StoreError> {
    let documents = Documents::read(corpus)?;
    let distinct = documents.distinct();
    let memory = memory_left(&documents, context);
    let sketches = documents.sketches(corpus, distinct.len(), memory / 3, context.temporary)?;
    by_shingles(&documents, &distinct, &sketches, link, reader, context)
}

/// Finds near-copies among documents in memory.
pub(crate) fn near_given<R: TextReader>(
    given: &[PageShingles],
    link: Link,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, StoreError> {
    let documents = Documents::given(given);
    let distinct = documents.distinct();
    let sketches = Sketches::Given(given, &distinct);
    by_shingles(&documents, &distinct, &sketches, link, reader, context)
}

/// Finds candidates, verifies them and makes clusters.
fn by_shingles<R: TextReader>(
    documents: &Documents,
    distinct: &[u32],
    sketches: &Sketches<'_>,
    link: Link,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, StoreError> {
    let count = distinct.len() as u32;
    context
        .progress
        .begin("finding candidates", u64::from(count), Unit::Pages);
    let memory = memory_left(documents, context);
    let groups = Groups::new(documents, distinct, context.keep);
    let similarity = match link {
        Link::Verified { similarity } => similarity,
        Link::Closure { bands } => {
            let mut union = Union::new(distinct.len());
            let links = closure(
                sketches,
                count,
                bands,
                memory / 3,
                &mut union,
                context.progress,
            )?;
            let found = clusters::closure(&groups, &mut union, sketches)?;
            let mut near = NearFound::of(documents, found, NearMethod::Shingle, context.keep);
            (near.copies.candidates, near.copies.verified) = (links, links);
            near.copies.bands = Some(bands.into());
            return Ok(near);
        }
    };
    let bands = Bands::for_similarity(similarity);
    let least = least_agreement(similarity);
    let Candidates {
        pairs,
        hubs,
        crowded,
    } = candidates(sketches, count, bands, least, memory / 3, context.progress)?;
    let paired = pairs.iter().flat_map(|&(one, other)| [one, other]);
    let reading = (reader, TextForm::Page);
    let (sets, unread) = read_sets(documents, distinct, paired, reading, phrases, context)?;
    let edges = Edges::new(verify(&pairs, &sets, similarity)?);
    let compare = |one, other| clusters::compare_if_likely(sketches, &sets, least, one, other);
    let found = clusters::verified(&groups, &edges, &hubs, &compare, similarity)?;
    let mut near = NearFound::of(documents, found, NearMethod::Shingle, context.keep);
    near.set_pairs(pairs.len() as u64, edges.pairs(), unread);
    near.copies.similarity = Some(similarity);
    near.copies.bands = Some(bands.into());
    near.copies.expected_recall = Some(bands.recall(similarity));
    if crowded > 0 {
        near.copies.warnings.push(format!(
            "{crowded} pages share a band of shingles with thousands of others, as pages of one template do; each was compared with only some of them, so copies may be missed"
        ));
    }
    Ok(near)
}

/// Returns a function that computes the phrases of a text.
pub(crate) fn phrases() -> impl FnMut(PageText<'_>) -> Vec<u64> {
    let mut shingler = Shingler::new();
    move |text| {
        shingler.clear();
        text.add_to(&mut shingler);
        shingler.phrases().to_vec()
    }
}

/// Returns the number of shingles that must agree before a pair is compared. It is 3.5 standard deviations
/// below the mean, so that pairs of this similarity hardly ever have fewer.
fn least_agreement(similarity: f64) -> usize {
    let mean = similarity * SHINGLES as f64;
    let deviation = (mean * (1.0 - similarity)).sqrt();
    (mean - 3.5 * deviation).max(1.0) as usize
}

/// Compares the phrases of pairs, and returns the pairs that are similar enough.
fn verify(pairs: &[Pair], sets: &PhraseSets, similarity: f64) -> Result<Vec<Verified>, StoreError> {
    let compare = |&(one, other): &Pair| match sets.overlap(one, other) {
        Ok(overlap) => overlap
            .filter(|overlap| overlap.jaccard() >= similarity)
            .map(|overlap| Ok((one, other, overlap, None))),
        Err(error) => Some(Err(error)),
    };
    pairs.par_iter().filter_map(compare).collect()
}
