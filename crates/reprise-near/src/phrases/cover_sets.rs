//! Finds a small set of other pages that hold the popular shingles of a page: its sources.

use std::collections::BTreeMap;

use crate::KeptDocuments;
use reprise_shingle::{SHINGLES, Shingles};
use reprise_store::{CorpusReader, StoreError};

/// A page whose sources are looked for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The kept document of its class, which is not a source.
    pub(super) document: u32,
    /// Its shingles.
    pub(super) shingles: Shingles,
    /// The number of its site.
    pub(super) site: u32,
    /// The numbers of the IP addresses that it may come from.
    pub(super) ips: Vec<u32>,
}

/// How sources are chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoverConfig {
    /// A shingle is popular from this number of documents on.
    pub(super) min_documents: u32,
    /// True to leave out sources that later ones have made redundant.
    pub(super) without_redundant: bool,
}

/// A page that holds popular shingles of another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Its index among the kept documents.
    pub(super) document: u32,
    /// The number of popular shingles that it adds to the sources before it.
    pub(super) shingles: u32,
    /// True if it is on another site and, if known, on another IP address.
    pub(super) is_foreign: bool,
}

/// The sources of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover {
    /// The number of popular shingles of the page.
    pub(super) popular: u32,
    /// The number of these that a source has: all, since popular shingles are in other documents.
    pub(super) covered: u32,
    /// The number of these that foreign sources have.
    pub(super) foreign: u32,
    /// The sources, in the order in which they were chosen.
    pub(super) sources: Vec<Source>,
}

/// For each position, the documents that have each shingle of a target there.
type Postings = Vec<BTreeMap<u64, Vec<u32>>>;

/// One bit for each of the 84 positions.
type Positions = u128;

/// Finds the sources of some pages in one pass over the shingles of all.
///
/// `ip` returns the number of a kept document's IP address, if it is known. The choice is greedy, as in
/// the paper: the next source is the document with most shingles that are not covered yet, foreign
/// documents first. Among equal ones, the document that shares most with the page wins, then the first
/// in the corpus. Memory: four bytes for each shingle that a page shares with another.
pub(super) fn covers(
    corpus: &CorpusReader,
    kept: &KeptDocuments,
    targets: &[Target],
    ip: &dyn Fn(u32) -> Option<u32>,
    config: CoverConfig,
) -> Result<Vec<Cover>, StoreError> {
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
        Ok(())
    })?;
    Ok(targets
        .iter()
        .map(|target| cover(kept, target, &postings, ip, config))
        .collect())
}

fn cover(
    kept: &KeptDocuments,
    target: &Target,
    postings: &Postings,
    ip: &dyn Fn(u32) -> Option<u32>,
    config: CoverConfig,
) -> Cover {
    let mut popular: Positions = 0;
    let mut places: Vec<(u32, usize)> = Vec::new();
    for (position, &shingle) in target.shingles.iter().enumerate() {
        let documents = &postings[position][&shingle];
        let has_own = documents.binary_search(&target.document).is_ok();
        // A near-copy that was left out may have a shingle that the kept document of its class lacks.
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
    let mut candidates: Vec<Candidate> = places
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
    if config.without_redundant {
        remove_redundant(&mut chosen, popular);
    }
    let covered = |is_foreign: Option<bool>| -> u32 {
        chosen
            .iter()
            .filter(|(candidate, _)| is_foreign.is_none_or(|wanted| candidate.is_foreign == wanted))
            .fold(0, |bits: Positions, (candidate, _)| {
                bits | candidate.shared & popular
            })
            .count_ones()
    };
    Cover {
        popular: popular.count_ones(),
        covered: covered(None),
        foreign: covered(Some(true)),
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

/// Removes sources whose shingles the others have, and recounts what each remaining one adds. A foreign
/// source is never removed because of a source on the page's own site.
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

#[derive(Clone, Copy)]
struct Candidate {
    document: u32,
    /// The positions at which it has the page's shingle.
    shared: Positions,
    is_foreign: bool,
}
