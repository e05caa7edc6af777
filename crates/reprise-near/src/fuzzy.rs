//! Near-copies by fuzzy hashes of plain text: the same document in other formats, or with another style.

use reprise_discover::{PageRef, SegmentPages, SiteNumbers};
use reprise_fingerprint::Fingerprint;
use reprise_fuzzy::{Digest, Groups as DigestGroups};
use reprise_store::{Corpus, StoreError};

use crate::clusters::{self, Edges, Groups, Verified};
use crate::config::NearConfig;
use crate::documents::{Document, Documents};
use crate::near::{Near, PhraseSource, memory_left, read_sets};

/// What is kept of a page's plain text.
#[derive(Clone, Debug)]
pub struct TextDigest {
    /// Of the text in normal form.
    pub fingerprint: Fingerprint,
    /// Of the same.
    pub digest: Digest,
    /// How many words it has.
    pub words: u32,
}

/// Reads the plain text of pages again; its phrases are those of that text.
pub trait TextSource: PhraseSource {
    /// Reads these pages, in any order; gives each by its index in the list: what is kept of its text,
    /// nothing where there is none, or why it cannot be read.
    fn digests(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Option<TextDigest>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}

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
    source: &dyn TextSource,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    let (documents, digests, unreadable) = read(corpus, source)?;
    let distinct = documents.distinct();
    let score_min = (config.similarity * 100.0).round() as u8;
    let digests: Vec<Digest> = distinct
        .iter()
        .map(|&document| digests[document as usize].clone())
        .collect();
    let scored = candidates(&digests, score_min);
    let pairs: Vec<(u32, u32)> = scored.iter().map(|&(one, other, _)| (one, other)).collect();
    let memory = memory_left(&documents, config);
    let (sets, lost) = read_sets(source, &documents, &distinct, &pairs, memory, config)?;
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
    near.unreadable = (unreadable.0 + lost.0, unreadable.1.or(lost.1));
    Ok(near)
}

/// How many pages could not be read, and why the first could not.
type Unreadable = (u64, Option<String>);

/// All pages with text, in order, and their digests.
fn read(
    corpus: &Corpus,
    source: &dyn TextSource,
) -> Result<(Documents, Vec<Digest>, Unreadable), StoreError> {
    let mut sites = SiteNumbers::default();
    let mut pages: Vec<Document> = Vec::new();
    for (number, segment) in (0..).zip(corpus.segments()) {
        let known = SegmentPages::read(&segment, &mut sites)?;
        let rows = (0..).zip(known.sites.iter().zip(&known.fetched));
        pages.extend(rows.map(|(page, (&site, &fetched))| Document {
            page: PageRef {
                segment: number,
                page,
            },
            words: 0,
            site,
            fetched,
        }));
    }
    let places: Vec<PageRef> = pages.iter().map(|document| document.page).collect();
    let mut texts: Vec<Option<TextDigest>> = vec![None; pages.len()];
    let mut unreadable = (0, None);
    source.digests(&places, &mut |index, found| {
        match found {
            Ok(found) => texts[index] = found,
            Err(detail) => {
                unreadable.0 += 1;
                unreadable.1.get_or_insert(detail);
            }
        }
        Ok(())
    })?;
    let mut documents = Documents {
        all: Vec::new(),
        first: Vec::new(),
        sites,
        pages: pages.len() as u64,
    };
    let (mut digests, mut fingerprints) = (Vec::new(), Vec::new());
    for (mut document, text) in pages.into_iter().zip(texts) {
        if let Some(text) = text {
            document.words = text.words;
            fingerprints.push((text.fingerprint, documents.all.len() as u32));
            documents.all.push(document);
            digests.push(text.digest);
        }
    }
    documents.find_same(fingerprints);
    Ok((documents, digests, unreadable))
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
