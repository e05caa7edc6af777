//! Near-copies of a whole corpus: candidates, verification, clusters.

use rayon::prelude::*;
use reprise_shingle::SHINGLES;
use reprise_store::{Corpus, PageShingles, StoreError};
use reprise_store::{PageRef, SiteNumbers};

use crate::candidates::{Candidates, Pair, candidates, closure};
use crate::clusters::{self, Cluster, Edges, Groups, Verified};
use crate::config::{Keep, Link, Method, NearConfig};
use crate::documents::{DOCUMENT_BYTES, Documents};
use crate::exact;
use crate::phrase_sets::PhraseSets;
use crate::sketches::Sketches;
use crate::union::Union;

/// Reads the phrases of pages, which the corpus does not keep.
pub trait PhraseSource {
    /// Reads these pages, in any order; gives each by its index in the list, or says why it cannot be read.
    fn read(
        &self,
        pages: &[PageRef],
        give: &mut dyn FnMut(usize, Result<Vec<u64>, String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
}

/// A page of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterPage {
    /// The page.
    pub page: PageRef,
    /// Number of the cluster.
    pub cluster: u32,
    /// Does it stand for the cluster?
    pub is_representative: bool,
    /// Is it kept?
    pub keep: bool,
    /// Jaccard similarity of its phrases with those of the representative.
    pub similarity: f64,
    /// The share of its phrases that the representative has.
    pub containment: f64,
    /// How many words it has.
    pub words: u32,
    /// Number of its site.
    site: u32,
}

/// Pages that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub pages: u64,
    /// Why the first could not.
    pub reason: Option<String>,
}

impl Lost {
    /// Counts a page.
    pub fn add(&mut self, reason: String) {
        self.pages += 1;
        self.reason.get_or_insert(reason);
    }

    /// Counts more of them.
    pub fn extend(&mut self, more: Lost) {
        self.pages += more.pages;
        self.reason = self.reason.take().or(more.reason);
    }
}

/// What was found.
#[derive(Default)]
pub struct Near {
    /// All pages.
    pub pages: u64,
    /// Pages with words, which can be compared.
    pub documents: u64,
    /// Pairs that were compared, or links of the closure.
    pub candidates: u64,
    /// Pairs that are near-copies.
    pub verified: u64,
    /// The pages of clusters, clusters one after another, the representative of each first.
    pub rows: Vec<ClusterPage>,
    /// How many clusters there are.
    pub clusters: u64,
    /// Pages of the largest cluster.
    pub largest: u64,
    /// Pages that need not be kept.
    pub removable: u64,
    /// The site with most of these, and how many.
    pub largest_site: Option<(String, u64)>,
    /// Pages that could not be read again.
    pub unreadable: Lost,
    /// For each row, the lexicon terms that it shares with its representative: the evidence of signatures.
    /// Empty where these were not compared.
    pub terms: Vec<Box<str>>,
    /// What looks wrong, in plain sentences.
    pub warnings: Vec<String>,
}

/// Finds near-copies by shingles or by equal words; [`near_fuzzy`](crate::near_fuzzy) and
/// [`near_imatch`](crate::near_imatch) are for the other methods.
///
/// Input: a corpus with shingles, and a way to read the phrases of a page again. Output: clusters.
/// Errors: of the corpus, of temporary files; a page that cannot be read is counted and in no cluster.
/// Memory: about [`NearConfig::memory_bytes`], and what does not fit is put into temporary files; beside
/// that some 16 bytes for each likely pair and 40 for each pair of near-copies.
///
/// Algorithm: (1) pages with the same words are one document; (2) documents that agree in enough bands
/// of shingles are candidates, found by sorting; (3) candidates are compared on all their phrases;
/// (4) the best document becomes a representative and takes those like it, and so on with the rest.
pub fn near(
    corpus: &Corpus,
    source: &dyn PhraseSource,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    if config.method == Method::Exact {
        let (documents, clusters) = exact::clusters(corpus, config.keep)?;
        return Ok(Near::of(&documents, clusters, config));
    }
    let documents = Documents::read(corpus)?;
    let distinct = documents.distinct();
    let memory = memory_left(&documents, config);
    let sketches = documents.sketches(corpus, distinct.len(), memory / 3, &config.temporary)?;
    by_shingles(&documents, &distinct, &sketches, source, config)
}

/// Finds near-copies among documents with words that come from no corpus; see [`near`]. The `n`th of them
/// is page `n` of segment 0.
pub fn near_given(
    given: &[PageShingles],
    source: &dyn PhraseSource,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    let documents = Documents::given(given);
    let distinct = documents.distinct();
    let sketches = Sketches::Given(given, &distinct);
    by_shingles(&documents, &distinct, &sketches, source, config)
}

pub(crate) fn memory_left(documents: &Documents, config: &NearConfig) -> usize {
    let used = documents.all.len() * DOCUMENT_BYTES;
    config.memory_bytes.saturating_sub(used).max(1 << 24)
}

fn by_shingles(
    documents: &Documents,
    distinct: &[u32],
    sketches: &Sketches<'_>,
    source: &dyn PhraseSource,
    config: &NearConfig,
) -> Result<Near, StoreError> {
    let memory = memory_left(documents, config);
    let groups = Groups::new(documents, distinct, config.keep);
    let count = distinct.len() as u32;
    if config.link == Link::Closure {
        let mut union = Union::new(distinct.len());
        let links = closure(sketches, count, config.bands, memory / 3, &mut union)?;
        let found = clusters::closure(&groups, &mut union, sketches)?;
        let mut near = Near::of(documents, found, config);
        (near.candidates, near.verified) = (links, links);
        return Ok(near);
    }
    let least = least_agreement(config.similarity);
    let Candidates {
        pairs,
        hubs,
        crowded,
    } = candidates(sketches, count, config.bands, least, memory / 3)?;
    let paired = pairs.iter().flat_map(|&(one, other)| [one, other]);
    let (sets, unreadable) = read_sets(source, documents, distinct, paired, memory, config)?;
    let edges = Edges::new(verify(&pairs, &sets, config.similarity)?);
    let compare = |one, other| clusters::compare_if_likely(sketches, &sets, least, one, other);
    let found = clusters::verified(&groups, &edges, &hubs, &compare, config.similarity)?;
    let mut near = Near::of(documents, found, config);
    near.candidates = pairs.len() as u64;
    near.verified = edges.pairs();
    near.unreadable = unreadable;
    if crowded > 0 {
        near.warnings.push(format!(
            "{crowded} pages share a band of shingles with thousands of others, as pages of one template do; these are compared with some of them only, so copies may be missed"
        ));
    }
    Ok(near)
}

/// Shingles that must agree for a pair to be compared: so few that hardly a pair of this similarity has
/// fewer by chance (three and a half standard deviations).
fn least_agreement(similarity: f64) -> usize {
    let mean = similarity * SHINGLES as f64;
    let deviation = (mean * (1.0 - similarity)).sqrt();
    (mean - 3.5 * deviation).max(1.0) as usize
}

/// Reads the phrases of the distinct documents that are to be compared, each once.
pub(crate) fn read_sets<S: PhraseSource + ?Sized>(
    source: &S,
    documents: &Documents,
    distinct: &[u32],
    compared: impl Iterator<Item = u32>,
    memory: usize,
    config: &NearConfig,
) -> Result<(PhraseSets, Lost), StoreError> {
    let mut needed: Vec<u32> = compared.collect();
    needed.sort_unstable();
    needed.dedup();
    let pages: Vec<PageRef> = needed
        .iter()
        .map(|&number| documents.all[distinct[number as usize] as usize].page)
        .collect();
    let mut sets = PhraseSets::new(distinct.len() as u32, memory / 3, &config.temporary);
    let mut lost = Lost::default();
    source.read(&pages, &mut |index, phrases| {
        match phrases {
            Ok(phrases) => sets.add(needed[index], phrases)?,
            Err(detail) => lost.add(detail),
        }
        Ok(())
    })?;
    Ok((sets, lost))
}

/// Compares pairs in full; keeps those that are similar enough.
fn verify(pairs: &[Pair], sets: &PhraseSets, similarity: f64) -> Result<Vec<Verified>, StoreError> {
    let compare = |&(one, other): &Pair| match sets.overlap(one, other) {
        Ok(overlap) => overlap
            .filter(|overlap| overlap.jaccard() >= similarity)
            .map(|overlap| Ok((one, other, overlap, None))),
        Err(error) => Some(Err(error)),
    };
    pairs.par_iter().filter_map(compare).collect()
}

/// A cluster with so many pages is worth a look if it holds a large part of the corpus.
const MANY_PAGES: usize = 20;

impl Near {
    pub(crate) fn of(
        documents: &Documents,
        mut clusters: Vec<Cluster>,
        config: &NearConfig,
    ) -> Near {
        clusters.sort_by_key(|cluster| cluster.iter().map(|member| member.document).min());
        let mut near = Near {
            pages: documents.pages,
            documents: documents.all.len() as u64,
            clusters: clusters.len() as u64,
            ..Near::default()
        };
        for (number, cluster) in (0..).zip(&clusters) {
            near.largest = near.largest.max(cluster.len() as u64);
            near.rows
                .extend(cluster.iter().enumerate().map(|(at, member)| {
                    let known = &documents.all[member.document as usize];
                    ClusterPage {
                        page: known.page,
                        cluster: number,
                        is_representative: at == 0,
                        keep: at == 0 || config.keep == Keep::None,
                        similarity: member.similarity,
                        containment: member.containment,
                        words: known.words,
                        site: known.site,
                    }
                }));
        }
        near.removable = near.rows.len() as u64 - near.clusters;
        near.largest_site = near.count_sites(&documents.sites);
        near.warnings = clusters
            .iter()
            .filter_map(|cluster| warning(cluster, near.documents))
            .take(3)
            .collect();
        near
    }

    fn count_sites(&self, names: &SiteNumbers) -> Option<(String, u64)> {
        let mut sites: Vec<u32> = self
            .rows
            .iter()
            .filter(|row| !row.is_representative)
            .map(|row| row.site)
            .collect();
        sites.sort_unstable();
        let most = sites
            .chunk_by(|a, b| a == b)
            .max_by_key(|same| (same.len(), std::cmp::Reverse(same[0])))?;
        Some((names.name(most[0]).to_string(), most.len() as u64))
    }
}

/// Says why a cluster may be more than copies of one page.
fn warning(cluster: &Cluster, documents: u64) -> Option<String> {
    if cluster.len() < MANY_PAGES {
        return None;
    }
    let unlike = cluster
        .iter()
        .filter(|member| member.similarity < 0.5)
        .count();
    if unlike > 0 {
        return Some(format!(
            "a cluster of {} pages looks like an over-merge: {unlike} of them share less than half of their phrases with its representative",
            cluster.len()
        ));
    }
    let share = cluster.len() as f64 / documents as f64;
    (share > 0.2).then(|| {
        format!(
            "a cluster holds {} pages, {:.0} % of all: look at some of them before they are dropped; an error page or an empty template may be all they have in common",
            cluster.len(),
            share * 100.0
        )
    })
}
