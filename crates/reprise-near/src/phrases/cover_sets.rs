//! Finds the sources of a page: a small set of other pages that have its popular shingles.

use std::collections::BTreeMap;

use reprise_shingle::{SHINGLES, Shingles};
use reprise_store::{CorpusReader, Progress, StoreError, Unit};

use crate::KeptDocuments;

/// A page whose sources are searched.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The kept document of the page's class, which is not a source.
    pub(super) document: u32,
    /// The shingles of the page.
    pub(super) shingles: Shingles,
    /// The number of the page's site.
    pub(super) site: u32,
    /// The numbers of the IP addresses that the page may come from.
    pub(super) ips: Vec<u32>,
}

/// The rules for sources.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoverConfig {
    /// The fewest documents of a popular shingle.
    pub(super) min_documents: u32,
    /// True to remove sources that later ones make redundant.
    pub(super) without_redundant: bool,
}

/// A page that has popular shingles of another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The index of the kept document.
    pub(super) document: u32,
    /// The number of popular shingles that the sources before it do not have.
    pub(super) shingles: u32,
    /// True if the source is on another site and, if known, on another IP address.
    pub(super) is_foreign: bool,
}

/// The sources of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover {
    /// The number of popular shingles of the page.
    pub(super) popular: u32,
    /// The number of popular shingles that a source has. Popular shingles are in other documents, so this is
    /// all of them.
    pub(super) covered: u32,
    /// The number of popular shingles that foreign sources have.
    pub(super) foreign: u32,
    /// The sources, in the order in which they were chosen.
    pub(super) sources: Vec<Source>,
}

/// For each position, the shingles of all targets, and the documents that have each of them.
type Postings = Vec<BTreeMap<u64, Vec<u32>>>;

/// One bit for each of the 84 positions.
type Positions = u128;

/// The number of documents between two checks of the progress.
const DOCUMENTS_PER_CHECK: u32 = 4096;

/// Finds the sources of some pages in one pass over the shingles of all documents.
///
/// `ip` returns the number of a kept document's IP address, if it is known. The choice is greedy, as in the
/// paper. The next source is the document with the most popular shingles that no source has yet, with
/// foreign documents first. Among equal ones, the document that shares the most shingles with the page wins,
/// then the first one in the corpus. Memory: four bytes for each shingle that a page shares with another.
pub(super) fn covers(
    corpus: &CorpusReader,
    kept: &KeptDocuments,
    targets: &[Target],
    ip: &dyn Fn(u32) -> Option<u32>,
    config: CoverConfig,
    progress: &dyn Progress,
) -> Result<Vec<Cover>, StoreError> {
    progress.begin("finding sources", kept.len() as u64, Unit::Pages);
    let mut postings: Postings = vec![BTreeMap::new(); SHINGLES];
    for target in targets {
        for (of_position, &shingle) in postings.iter_mut().zip(&target.shingles) {
            of_position.entry(shingle).or_default();
        }
    }
    kept.for_each_shingles(corpus, |document, shingles| {
        for (of_position, shingle) in postings.iter_mut().zip(shingles) {
            if let Some(documents) = of_position.get_mut(shingle) {
                documents.push(document);
            }
        }
        if document.is_multiple_of(DOCUMENTS_PER_CHECK) {
            progress.check()?;
            progress.advance(DOCUMENTS_PER_CHECK.into());
        }
        Ok(())
    })?;
    let found = targets.iter().map(|target| {
        progress.check()?;
        Ok(cover(kept, target, &postings, ip, config))
    });
    found.collect()
}

/// Finds the sources of one page.
fn cover(
    kept: &KeptDocuments,
    target: &Target,
    postings: &Postings,
    ip: &dyn Fn(u32) -> Option<u32>,
    config: CoverConfig,
) -> Cover {
    let (popular, candidates) = candidates(kept, target, postings, ip, config);
    let mut chosen = choose(candidates, popular);
    if config.without_redundant {
        remove_redundant(&mut chosen, popular);
    }
    let covered = |of_foreign_only: bool| -> u32 {
        let sources = chosen.iter().map(|(candidate, _)| candidate);
        sources
            .filter(|source| source.is_foreign || !of_foreign_only)
            .fold(0, |bits: Positions, source| bits | source.shared & popular)
            .count_ones()
    };
    Cover {
        popular: popular.count_ones(),
        covered: covered(false),
        foreign: covered(true),
        sources: chosen
            .iter()
            .map(|(candidate, new)| Source {
                document: candidate.document,
                shingles: new.count_ones(),
                is_foreign: candidate.is_foreign,
            })
            .collect(),
    }
}

/// Returns the positions of the page's popular shingles, and the documents that have some of these shingles,
/// in corpus order.
fn candidates(
    kept: &KeptDocuments,
    target: &Target,
    postings: &Postings,
    ip: &dyn Fn(u32) -> Option<u32>,
    config: CoverConfig,
) -> (Positions, Vec<Candidate>) {
    let mut popular: Positions = 0;
    let mut places: Vec<(u32, usize)> = Vec::new();
    for (position, &shingle) in target.shingles.iter().enumerate() {
        let documents = &postings[position][&shingle];
        let has_own = documents.binary_search(&target.document).is_ok();
        // If the page is not the kept document of its class, it may have a shingle that the kept one lacks.
        let count = documents.len() + usize::from(!has_own);
        if count >= config.min_documents as usize {
            popular |= 1 << position;
        }
        places.extend(
            documents
                .iter()
                .filter(|&&document| document != target.document)
                .map(|&document| (document, position)),
        );
    }
    places.sort_unstable();
    let candidates = places
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let document = same[0].0;
            let shared = same
                .iter()
                .fold(0, |bits, &(_, position)| bits | 1 << position);
            let same_address = ip(document).is_some_and(|ip| target.ips.contains(&ip));
            Candidate {
                document,
                shared,
                is_foreign: kept.site(document) != target.site && !same_address,
            }
        })
        .filter(|candidate| candidate.shared & popular != 0)
        .collect();
    (popular, candidates)
}

/// Chooses sources greedily, foreign ones first. Returns each with the positions that it covers first.
fn choose(mut candidates: Vec<Candidate>, popular: Positions) -> Vec<(Candidate, Positions)> {
    let mut chosen: Vec<(Candidate, Positions)> = Vec::new();
    let mut open = popular;
    for is_foreign in [true, false] {
        let mut some: Vec<Candidate> = candidates
            .extract_if(.., |candidate| candidate.is_foreign == is_foreign)
            .collect();
        while open != 0 {
            some.retain(|candidate| candidate.shared & open != 0);
            // `max_by_key` returns the last maximum, so the order is reversed.
            let best = some.iter().rev().max_by_key(|candidate| {
                let new = (candidate.shared & open).count_ones();
                (new, candidate.shared.count_ones())
            });
            let Some(&best) = best else { break };
            chosen.push((best, best.shared & open));
            open &= !best.shared;
        }
    }
    chosen
}

/// Removes sources whose popular shingles other sources have, and recounts the new shingles of the remaining
/// ones. A foreign source is never removed because of a source that is not foreign.
fn remove_redundant(chosen: &mut Vec<(Candidate, Positions)>, popular: Positions) {
    let mut at = 0;
    while at < chosen.len() {
        let others = chosen
            .iter()
            .enumerate()
            .filter(|(index, (candidate, _))| {
                *index != at && (candidate.is_foreign || !chosen[at].0.is_foreign)
            })
            .fold(0, |bits, (_, (candidate, _))| bits | candidate.shared);
        if chosen[at].0.shared & popular & !others == 0 {
            chosen.remove(at);
        } else {
            at += 1;
        }
    }
    let mut open = popular;
    for (candidate, new) in chosen {
        *new = candidate.shared & open;
        open &= !candidate.shared;
    }
}

/// A document that has popular shingles of a page.
#[derive(Clone, Copy)]
struct Candidate {
    document: u32,
    /// The positions at which the document has the page's shingle.
    shared: Positions,
    is_foreign: bool,
}
