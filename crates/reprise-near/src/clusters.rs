//! Makes clusters from pairs. Every member of a cluster was compared with its representative.

use reprise_shingle::{Overlap, SHINGLES, agreement};
use reprise_store::StoreError;

use crate::documents::Documents;
use crate::options::Keep;
use crate::phrase_sets::PhraseSets;
use crate::sketches::Sketches;
use crate::union::Union;

/// A page of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// The index of the document.
    pub(crate) document: u32,
    /// The similarity to the representative.
    pub(crate) similarity: f64,
    /// The share of the page's phrases that the representative has.
    pub(crate) containment: f64,
}

/// Near-copies of the first member, the representative.
pub(crate) type Cluster = Vec<Member>;

/// The documents with each text, and the order in which they are kept.
pub(crate) struct Groups {
    /// For each distinct document, all documents with the same text, best first.
    members: Vec<Vec<u32>>,
    /// For each distinct document, its position in the order in which documents are kept.
    order: Vec<u32>,
}

impl Groups {
    pub(crate) fn new(documents: &Documents, distinct: &[u32], keep: Keep) -> Groups {
        let mut number_of = vec![0; documents.all.len()];
        for (number, &document) in (0..).zip(distinct) {
            number_of[document as usize] = number;
        }
        let key = |document: u32| {
            let known = &documents.all[document as usize];
            let first = match keep {
                Keep::First | Keep::None => 0,
                Keep::Longest => i64::from(u32::MAX - known.words),
                Keep::Oldest => known.fetched,
            };
            (first, document)
        };
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); distinct.len()];
        for (document, &first) in (0..).zip(&documents.first) {
            members[number_of[first as usize] as usize].push(document);
        }
        for group in &mut members {
            group.sort_unstable_by_key(|&document| key(document));
        }
        let mut by_key: Vec<u32> = (0..distinct.len() as u32).collect();
        by_key.sort_unstable_by_key(|&number| key(members[number as usize][0]));
        let mut order = vec![0; distinct.len()];
        for (place, number) in (0..).zip(by_key) {
            order[number as usize] = place;
        }
        Groups { members, order }
    }

    /// Returns the documents with each text.
    pub(crate) fn into_members(self) -> impl Iterator<Item = Vec<u32>> {
        self.members.into_iter()
    }

    /// Adds all documents with a text to a cluster.
    fn add(&self, number: u32, similarity: f64, containment: f64, cluster: &mut Cluster) {
        let members = &self.members[number as usize];
        cluster.extend(members.iter().map(|&document| Member {
            document,
            similarity,
            containment,
        }));
    }

    /// Adds clusters of documents with the same text that are in no other cluster.
    fn same_texts(&self, is_taken: &[bool], clusters: &mut Vec<Cluster>) {
        for (number, members) in (0..).zip(&self.members) {
            if members.len() > 1 && !is_taken[number as usize] {
                let mut cluster = Vec::new();
                self.add(number, 1.0, 1.0, &mut cluster);
                clusters.push(cluster);
            }
        }
    }
}

/// A document that is like a representative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Like {
    pub(crate) number: u32,
    pub(crate) similarity: f64,
    pub(crate) containment: f64,
}

/// A function that returns the documents that are like a given one and are in no cluster yet.
type Likes<'l> = dyn FnMut(u32, &[bool]) -> Result<Vec<Like>, StoreError> + 'l;

/// Makes clusters. The best document that is in no cluster becomes a representative, and the documents like
/// it join. A document never joins because it is like another member.
pub(crate) fn stars(
    groups: &Groups,
    candidates: impl Iterator<Item = u32>,
    likes: &mut Likes<'_>,
) -> Result<Vec<Cluster>, StoreError> {
    let mut best_first: Vec<u32> = candidates.collect();
    best_first.sort_unstable_by_key(|&number| groups.order[number as usize]);
    let mut clusters = Vec::new();
    let mut is_taken = vec![false; groups.members.len()];
    for best in best_first {
        if is_taken[best as usize] {
            continue;
        }
        let mut likes = likes(best, &is_taken)?;
        if likes.is_empty() {
            continue;
        }
        likes.sort_unstable_by_key(|like| groups.order[like.number as usize]);
        let mut cluster = Vec::new();
        is_taken[best as usize] = true;
        groups.add(best, 1.0, 1.0, &mut cluster);
        for like in likes {
            is_taken[like.number as usize] = true;
            groups.add(like.number, like.similarity, like.containment, &mut cluster);
        }
        clusters.push(cluster);
    }
    groups.same_texts(&is_taken, &mut clusters);
    Ok(clusters)
}

/// Makes clusters from verified pairs.
///
/// Pairs that were not compared are too different, except in long runs, in which each document was compared
/// only with the hubs. For these, `compare` is called.
pub(crate) fn verified(
    groups: &Groups,
    edges: &Edges,
    hubs: &[u32],
    compare: &dyn Fn(u32, u32) -> Result<Option<Overlap>, StoreError>,
    similarity: f64,
) -> Result<Vec<Cluster>, StoreError> {
    let paired = (0..groups.members.len() as u32).filter(|&number| !edges.of(number).is_empty());
    stars(groups, paired, &mut |best, is_taken| {
        let mut likes: Vec<Edge> = edges
            .of(best)
            .iter()
            .filter(|edge| !is_taken[edge.to as usize])
            .copied()
            .collect();
        for hub in edges.of(best).iter().map(|edge| edge.to) {
            if hubs.binary_search(&hub).is_err() {
                continue;
            }
            for other in edges.of(hub).iter().map(|edge| edge.to) {
                let is_new = other != best
                    && !is_taken[other as usize]
                    && likes.iter().all(|known| known.to != other);
                if is_new && let Some(overlap) = compare(best, other)? {
                    likes.push(Edge::new(best, other, overlap, None));
                }
            }
        }
        let likes = likes.iter().map(|edge| Like {
            number: edge.to,
            similarity: edge.similarity(),
            containment: edge.overlap.containment(),
        });
        Ok(likes.filter(|like| like.similarity >= similarity).collect())
    })
}

/// Two documents, the overlap of their phrases, and the score of their fuzzy hashes if these were compared.
pub(crate) type Verified = (u32, u32, Overlap, Option<u8>);

/// A verified pair, from the point of view of one document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    from: u32,
    to: u32,
    overlap: Overlap,
    /// The score of the fuzzy hashes, from 1 to 100, or 0 if they were not compared.
    score: u8,
}

impl Edge {
    fn new(from: u32, to: u32, overlap: Overlap, score: Option<u8>) -> Edge {
        Edge {
            from,
            to,
            overlap,
            score: score.unwrap_or(0),
        }
    }

    /// Returns a hundredth of the score, or the Jaccard similarity of a pair without a score.
    fn similarity(&self) -> f64 {
        match self.score {
            0 => self.overlap.jaccard(),
            score => f64::from(score) / 100.0,
        }
    }
}

/// All verified pairs, each in both directions.
pub(crate) struct Edges {
    edges: Vec<Edge>,
}

impl Edges {
    pub(crate) fn new(pairs: Vec<Verified>) -> Edges {
        let mut edges: Vec<Edge> = pairs
            .into_iter()
            .flat_map(|(one, other, overlap, score)| {
                [
                    Edge::new(one, other, overlap, score),
                    Edge::new(other, one, overlap.turned(), score),
                ]
            })
            .collect();
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
        Edges { edges }
    }

    /// Returns the number of pairs.
    pub(crate) fn pairs(&self) -> u64 {
        self.edges.len() as u64 / 2
    }

    /// Returns the pairs of a document.
    fn of(&self, number: u32) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < number);
        let rest = &self.edges[start..];
        &rest[..rest.partition_point(|edge| edge.from == number)]
    }
}

/// Compares the phrases of two documents if enough of their shingles agree.
pub(crate) fn compare_if_likely(
    sketches: &Sketches<'_>,
    sets: &PhraseSets,
    least: usize,
    one: u32,
    other: u32,
) -> Result<Option<Overlap>, StoreError> {
    let (first, second) = (sketches.get(one as usize)?, sketches.get(other as usize)?);
    if agreement(&first, &second) < least {
        return Ok(None);
    }
    sets.overlap(one, other)
}

/// Makes the clusters of the paper: all documents that are linked by chains. Estimates the similarity to the
/// representative from the shingles.
pub(crate) fn closure(
    groups: &Groups,
    union: &mut Union,
    sketches: &Sketches<'_>,
) -> Result<Vec<Cluster>, StoreError> {
    let mut clusters = Vec::new();
    let mut is_taken = vec![false; groups.members.len()];
    for mut chain in union.groups() {
        chain.sort_unstable_by_key(|&number| groups.order[number as usize]);
        let best = sketches.get(chain[0] as usize)?;
        let mut cluster = Vec::new();
        for number in chain {
            is_taken[number as usize] = true;
            let shingles = sketches.get(number as usize)?;
            let agreeing = agreement(&best, &shingles);
            let similarity = agreeing as f64 / SHINGLES as f64;
            groups.add(number, similarity, similarity, &mut cluster);
        }
        clusters.push(cluster);
    }
    groups.same_texts(&is_taken, &mut clusters);
    Ok(clusters)
}
