//! Near-copies.

/// A method that finds near-copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum NearMethod {
    /// Pages with many common phrases.
    Shingle,
    /// Pages whose plain texts have similar fuzzy hashes.
    Fuzzy,
    /// Pages whose plain texts have a common I-Match signature.
    Imatch,
    /// Pages that are the same file or have the same words.
    Exact,
}

impl NearMethod {
    /// Returns the name used in flags, JSON and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            NearMethod::Shingle => "shingle",
            NearMethod::Fuzzy => "fuzzy",
            NearMethod::Imatch => "imatch",
            NearMethod::Exact => "exact",
        }
    }
}

/// The condition for pages of the same cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum LinkKind {
    /// Every page was verified against the representative.
    Verified,
    /// Pages are linked by chains of candidates, unverified, as in the paper.
    Closure,
}

/// The runs of shingles that make two pages candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BandCounts {
    /// The number of runs.
    pub bands: u64,
    /// The number of shingles in a run.
    pub rows: u64,
    /// The number of runs that must agree.
    pub agreeing: u64,
}

/// Near-copies in a corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NearCopies {
    /// The method.
    pub method: NearMethod,
    /// The condition for pages of the same cluster.
    pub link: LinkKind,
    /// Shingles: the least Jaccard similarity of near-copies.
    pub similarity: Option<f64>,
    /// Fuzzy hashes: the least score of near-copies, from 1 to 100.
    pub score: Option<u8>,
    /// I-Match: the least share of the smaller text's phrases that the other text has.
    pub shared: Option<f64>,
    /// Shingles: the runs that make candidates.
    pub bands: Option<BandCounts>,
    /// Shingles: the probability that a pair with just the least similarity becomes a candidate.
    pub expected_recall: Option<f64>,
    /// The number of pages.
    pub pages: u64,
    /// The number of pages with words, which can be compared.
    pub documents: u64,
    /// The number of candidate pairs.
    pub candidates: u64,
    /// The number of pairs that are near-copies.
    pub verified: u64,
    /// The number of clusters.
    pub clusters: u64,
    /// The number of pages in clusters.
    pub in_clusters: u64,
    /// The number of pages in the largest cluster.
    pub largest: u64,
    /// The number of pages that can be removed if one page of each cluster is kept.
    pub removable: u64,
    /// The site with most removable pages.
    pub largest_site: Option<RemovableOfSite>,
    /// The number of pages that could not be read back and compared.
    pub unreadable: u64,
    /// The reason why the first of these could not be read.
    pub unreadable_reason: Option<String>,
    /// Sentences about possible problems.
    pub warnings: Vec<String>,
    /// The largest clusters, largest first.
    pub top: Vec<NearCluster>,
}

/// The removable pages of one site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RemovableOfSite {
    /// The site.
    pub site: String,
    /// The number of its removable pages.
    pub removable: u64,
}

/// A cluster of near-copies.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NearCluster {
    /// The URL of the representative.
    pub representative: String,
    /// The number of pages, with the representative.
    pub pages: u64,
    /// The number of sites.
    pub sites: u64,
    /// The lowest similarity to the representative.
    pub similarity_min: f64,
    /// The mean similarity to the representative.
    pub similarity_mean: f64,
    /// Some of the other pages.
    pub examples: Vec<NearPage>,
}

/// A page of a cluster.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NearPage {
    /// The URL.
    pub url: String,
    /// The Jaccard similarity to the representative.
    pub similarity: f64,
    /// The share of its phrases that the representative has.
    pub containment: f64,
}
