//! Finds the near-copies of a whole corpus.

use reprise_report::results::{
    BandCounts, NearCluster, NearCopies, NearMethod, NearPage, RemovableOfSite,
};
use reprise_store::{
    CorpusReader, PageRef, PageShingles, SiteNumbers, StoreError, Unit, page_names,
};

use crate::clusters::Cluster;
use crate::documents::{DOCUMENT_BYTES, Documents};
use crate::options::{Keep, Link, Near, NearContext, NearError};
use crate::phrase_sets::PhraseSets;
use crate::reader::{PageText, TextForm, TextReader, UnreadPages};
use crate::{exact, fuzzy, imatch, shingle};

/// A page of a cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterPage {
    /// The page.
    pub page: PageRef,
    /// The number of the cluster.
    pub cluster: u32,
    /// True if the page is the representative of the cluster.
    pub is_representative: bool,
    /// True if the page is kept.
    pub keep: bool,
    /// The similarity to the representative: the Jaccard similarity, or a hundredth of the fuzzy score.
    pub similarity: f64,
    /// The share of the page's phrases that the representative has.
    pub containment: f64,
    /// The number of words of the page.
    pub words: u32,
    /// The number of the page's site.
    site: u32,
}

/// The near-copies of a corpus.
#[derive(Clone, Debug)]
pub struct NearFound {
    /// The figures and the largest clusters.
    pub copies: NearCopies,
    /// The pages of all clusters, cluster by cluster, the representative first.
    pub rows: Vec<ClusterPage>,
    /// With I-Match, the lexicon terms that each row shares with its representative. With other methods,
    /// empty.
    pub terms: Vec<Box<str>>,
}

/// Finds the near-copies of a corpus.
///
/// Input: a corpus, and a reader of its texts. Output: clusters. Errors: an option is out of range, or an
/// error of the corpus or of a temporary file. A page that cannot be read is not an error: it is counted, and
/// is in no cluster. Memory: about [`NearContext::memory_bytes`], with the rest in temporary files. In
/// addition, about 16 bytes per candidate pair, 40 per verified pair, and for fuzzy hashes and signatures 300
/// to 400 bytes per page with text.
///
/// Algorithm: (1) pages with the same text become one document; (2) the method finds candidate pairs; (3) all
/// phrases of the candidates are compared; (4) the best document becomes a representative, and the documents
/// like it join its cluster; this is repeated with the remaining documents.
pub fn near<R: TextReader>(
    corpus: &CorpusReader,
    method: &Near<'_>,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, NearError> {
    method.validate()?;
    let mut found = match *method {
        Near::Shingle { link } => shingle::near(corpus, link, reader, context)?,
        Near::Fuzzy { score } => fuzzy::near(corpus, score, reader, context)?,
        Near::Imatch { shared, signing } => imatch::near(corpus, shared, signing, reader, context)?,
        Near::Exact => exact::near(corpus, context)?,
    };
    found.copies.link = method.link_kind();
    found.copies.top = largest_clusters(corpus, &found.rows)?;
    Ok(found)
}

/// Finds near-copies among documents in memory by their shingles. Document `n` is page `n` of segment 0.
pub fn near_given<R: TextReader>(
    given: &[PageShingles],
    link: Link,
    reader: &R,
    context: &NearContext<'_>,
) -> Result<NearFound, NearError> {
    (Near::Shingle { link }).validate()?;
    Ok(shingle::near_given(given, link, reader, context)?)
}

/// Returns the memory that is left beside the list of documents.
pub(crate) fn memory_left(documents: &Documents, context: &NearContext<'_>) -> usize {
    let used = documents.all.len() * DOCUMENT_BYTES;
    context.memory_bytes.saturating_sub(used).max(1 << 24)
}

/// Reads the phrases of the distinct documents in `compared`. Reads each document once.
pub(crate) fn read_sets<R, M>(
    documents: &Documents,
    distinct: &[u32],
    compared: impl Iterator<Item = u32>,
    (reader, form): (&R, TextForm),
    phrases: impl Fn() -> M + Sync,
    context: &NearContext<'_>,
) -> Result<(PhraseSets, UnreadPages), StoreError>
where
    R: TextReader,
    M: FnMut(PageText<'_>) -> Vec<u64>,
{
    let mut needed: Vec<u32> = compared.collect();
    needed.sort_unstable();
    needed.dedup();
    let pages: Vec<PageRef> = needed
        .iter()
        .map(|&number| documents.all[distinct[number as usize] as usize].page)
        .collect();
    let memory = memory_left(documents, context);
    let mut sets = PhraseSets::new(distinct.len() as u32, memory / 3, context.temporary);
    let mut unread = UnreadPages::default();
    context
        .progress
        .begin("verifying", pages.len() as u64, Unit::Pages);
    reader.read(&pages, form, phrases, |index, phrases| {
        context.progress.check()?;
        context.progress.advance(1);
        match phrases {
            Ok(phrases) => sets.add(needed[index], phrases.unwrap_or_default())?,
            Err(error) => unread.add(error),
        }
        Ok(())
    })?;
    Ok((sets, unread))
}

/// The fewest pages of a cluster that may get a warning.
const MANY_PAGES: usize = 20;

impl NearFound {
    /// Creates the result from the clusters.
    pub(crate) fn of(
        documents: &Documents,
        mut clusters: Vec<Cluster>,
        method: NearMethod,
        keep: Keep,
    ) -> NearFound {
        clusters.sort_by_key(|cluster| cluster.iter().map(|member| member.document).min());
        let mut rows: Vec<ClusterPage> = Vec::new();
        let mut largest = 0;
        for (number, cluster) in (0..).zip(&clusters) {
            largest = largest.max(cluster.len() as u64);
            rows.extend(cluster.iter().enumerate().map(|(at, member)| {
                let known = &documents.all[member.document as usize];
                ClusterPage {
                    page: known.page,
                    cluster: number,
                    is_representative: at == 0,
                    keep: at == 0 || keep == Keep::None,
                    similarity: member.similarity,
                    containment: member.containment,
                    words: known.words,
                    site: known.site,
                }
            }));
        }
        let count = documents.all.len() as u64;
        let warnings = clusters
            .iter()
            .filter_map(|cluster| warning(cluster, count));
        let copies = NearCopies {
            method,
            link: reprise_report::results::LinkKind::Verified,
            similarity: None,
            score: None,
            shared: None,
            bands: None,
            expected_recall: None,
            pages: documents.pages,
            documents: count,
            candidates: 0,
            verified: 0,
            clusters: clusters.len() as u64,
            in_clusters: rows.len() as u64,
            largest,
            removable: rows.len() as u64 - clusters.len() as u64,
            largest_site: largest_site(&rows, &documents.sites),
            unreadable: 0,
            unreadable_reason: None,
            warnings: warnings.take(3).collect(),
            top: Vec::new(),
        };
        NearFound {
            copies,
            rows,
            terms: Vec::new(),
        }
    }

    /// Sets the figures about pairs and unread pages.
    pub(crate) fn set_pairs(&mut self, candidates: u64, verified: u64, unread: UnreadPages) {
        self.copies.candidates = candidates;
        self.copies.verified = verified;
        self.copies.unreadable = unread.pages;
        self.copies.unreadable_reason = unread.reason;
    }
}

impl From<crate::Bands> for BandCounts {
    fn from(bands: crate::Bands) -> BandCounts {
        BandCounts {
            bands: bands.bands as u64,
            rows: bands.rows as u64,
            agreeing: bands.agreeing as u64,
        }
    }
}

/// Returns the site with the most removable pages.
fn largest_site(rows: &[ClusterPage], names: &SiteNumbers) -> Option<RemovableOfSite> {
    let removable = rows.iter().filter(|row| !row.is_representative);
    let mut sites: Vec<u32> = removable.map(|row| row.site).collect();
    sites.sort_unstable();
    let most = sites
        .chunk_by(|a, b| a == b)
        .max_by_key(|same| (same.len(), std::cmp::Reverse(same[0])))?;
    Some(RemovableOfSite {
        site: names.name(most[0]).to_string(),
        removable: most.len() as u64,
    })
}

/// Returns a warning about a cluster that may contain other pages than copies of one page.
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
            "a cluster holds {} pages, {:.0} % of all; look at some of them before you drop them: they may share only an error page or an empty template",
            cluster.len(),
            share * 100.0
        )
    })
}

/// The number of clusters that are described.
const CLUSTERS: usize = 20;
/// The number of pages that are described of each cluster.
const CLUSTER_PAGES: usize = 10;

/// Describes the largest clusters.
fn largest_clusters(
    corpus: &CorpusReader,
    rows: &[ClusterPage],
) -> Result<Vec<NearCluster>, StoreError> {
    let mut clusters: Vec<&[ClusterPage]> = rows.chunk_by(|a, b| a.cluster == b.cluster).collect();
    clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
    clusters.truncate(CLUSTERS);
    let all = clusters.iter().flat_map(|cluster| cluster.iter());
    let pages: Vec<PageRef> = all.map(|row| row.page).collect();
    let mut names = page_names(corpus, &pages)?.into_iter();
    let described = clusters.into_iter().map(|cluster| {
        let pages: Vec<(String, String)> = names.by_ref().take(cluster.len()).collect();
        describe(cluster, &pages)
    });
    Ok(described.collect())
}

/// Describes a cluster. `named` has the URL and the site of each page.
fn describe(cluster: &[ClusterPage], named: &[(String, String)]) -> NearCluster {
    let sites: std::collections::BTreeSet<&str> =
        named.iter().map(|(_, site)| site.as_str()).collect();
    let others = &cluster[1..];
    let sum: f64 = others.iter().map(|row| row.similarity).sum();
    let examples = others.iter().zip(&named[1..]).take(CLUSTER_PAGES);
    NearCluster {
        representative: named[0].0.clone(),
        pages: cluster.len() as u64,
        sites: sites.len() as u64,
        similarity_min: others.iter().map(|row| row.similarity).fold(1.0, f64::min),
        similarity_mean: sum / others.len().max(1) as f64,
        examples: examples
            .map(|(row, (url, _))| NearPage {
                url: url.clone(),
                similarity: row.similarity,
                containment: row.containment,
            })
            .collect(),
    }
}
