//! Which other pages hold the popular shingles of a page: its donors.

use std::collections::BTreeMap;

use crate::KeptDocuments;
use reprise_shingle::{SHINGLES, Shingles};
use reprise_store::{Corpus, StoreError};

/// A page whose donors are looked for.
#[derive(Clone, Debug)]
pub struct Target {
    /// The kept document of its class, which is no donor.
    pub document: u32,
    /// Its shingles.
    pub shingles: Shingles,
    /// Number of its site.
    pub site: u32,
    /// Addresses that it may have come from, by number.
    pub ips: Vec<u32>,
}

/// How donors are chosen.
#[derive(Clone, Copy, Debug)]
pub struct CoverConfig {
    /// A shingle is popular if so many documents have it.
    pub min_documents: u32,
    /// Leave out donors that later ones have made needless.
    pub without_redundant: bool,
}

/// A page that holds popular shingles of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Donor {
    /// Its number among the kept documents.
    pub document: u32,
    /// Popular shingles that it was the first donor to have.
    pub shingles: u32,
    /// Is it from another site and, where known, another address?
    pub is_foreign: bool,
}

/// The donors of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// Popular shingles of the page.
    pub popular: u32,
    /// Those that some donor has: all, since a popular shingle is in other documents.
    pub covered: u32,
    /// Those that foreign donors have.
    pub foreign: u32,
    /// The donors, in the order in which they were chosen.
    pub donors: Vec<Donor>,
}

/// For each position, the documents with each shingle that a target has there.
type Postings = Vec<BTreeMap<u64, Vec<u32>>>;

/// Bits of the 84 positions.
type Positions = u128;

/// Finds the donors of some pages in one pass over the shingles of all.
///
/// `ip` gives the number of a kept document's address, where it is known. Greedy, as in the paper: the
/// document that holds most of what is not covered yet, foreign ones first; of equal ones the one that
/// shares most with the page, then the first in the corpus. Memory: four bytes for each shingle that a
/// page shares with another.
pub fn covers(
    corpus: &Corpus,
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
        // A near-copy that was left out may have a shingle that its class does not count.
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
            // Of equal ones the last is taken, so the first document must come last.
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
        donors: chosen
            .iter()
            .map(|(candidate, new)| Donor {
                document: candidate.document,
                shingles: new.count_ones(),
                is_foreign: candidate.is_foreign,
            })
            .collect(),
    }
}

/// Leaves out donors whose shingles the others have; each that stays is counted with what the ones
/// before it lack. A foreign donor does not make room for the page's own site.
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
    /// Positions at which it has the page's shingle.
    shared: Positions,
    is_foreign: bool,
}
