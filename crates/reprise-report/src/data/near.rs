//! What a report says of near-copies.

#[cfg(feature = "serde")]
use serde::Serialize;

/// Pages whose phrases are nearly the same.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct NearCopies {
    /// Pages in the corpus.
    pub pages: u64,
    /// Pages with words, which can be compared.
    pub documents: u64,
    /// Two pages are near-copies if they share at least this part of their phrases, from 0 to 1.
    pub similarity: f64,
    /// The part of the pairs with just that similarity that is expected to be found, from 0 to 1.
    pub expected_recall: f64,
    /// Pairs that were compared phrase by phrase.
    pub candidates: u64,
    /// Pairs that turned out to be near-copies.
    pub verified: u64,
    /// Clusters of near-copies.
    pub clusters: u64,
    /// Pages that are in a cluster.
    pub in_clusters: u64,
    /// Pages of the largest cluster.
    pub largest: u64,
    /// Pages that could go, with one page of each cluster kept.
    pub removable: u64,
    /// The site with most of these, and how many it has.
    pub largest_site: Option<(String, u64)>,
    /// Pages that could not be read again to be compared.
    pub unreadable: u64,
    /// What looks wrong, in plain sentences.
    pub warnings: Vec<String>,
    /// The largest clusters, largest first.
    pub top: Vec<NearCluster>,
}

/// Pages that are near-copies of one of them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct NearCluster {
    /// Address of the page that stands for the cluster.
    pub representative: String,
    /// Pages in it, that one included.
    pub pages: u64,
    /// Sites that these are from.
    pub sites: u64,
    /// Similarity to the representative of the page that is least like it.
    pub similarity_min: f64,
    /// Mean of the similarities to the representative.
    pub similarity_mean: f64,
    /// Some of the other pages.
    pub examples: Vec<NearPage>,
}

/// One page of a cluster.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct NearPage {
    /// Its address.
    pub url: String,
    /// Of the phrases that it or the representative has, the part that both have.
    pub similarity: f64,
    /// Of the phrases that it has, the part that the representative has too.
    pub containment: f64,
}
