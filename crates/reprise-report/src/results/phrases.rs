//! Phrases that many pages share, and pages that are made of them.

/// Popular phrases of a corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PopularPhrases {
    /// The number of pages with words.
    pub pages: u64,
    /// The number of documents: these pages without near-copies.
    pub documents: u64,
    /// The least number of documents that have a popular shingle.
    pub min_documents: u32,
    /// The number of popular shingles.
    pub popular: u64,
    /// The most popular phrases, most documents first.
    pub top: Vec<PopularPhrase>,
    /// Pairs of a number of popular shingles, from 0 to 84, and the number of documents with exactly that number;
    /// ascending.
    pub per_document: Vec<(u8, u64)>,
    /// Pairs of a number of documents and the number of popular shingles that exactly that number of documents have;
    /// ascending.
    pub occurrences: Vec<(u32, u64)>,
    /// The number of popular shingles whose words could not be read back.
    pub unreadable: u64,
}

/// A phrase that many documents have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PopularPhrase {
    /// Its words.
    pub phrase: String,
    /// The number of documents that have it.
    pub documents: u64,
    /// The first of `urls`.
    pub url: Option<String>,
    /// Some of the documents, on different sites.
    pub urls: Vec<String>,
}

/// The pages that a page's popular phrases can come from: the papers' covering set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageSources {
    /// The URL of the page.
    pub url: String,
    /// The number of its shingles that are popular, of 84.
    pub popular: u32,
    /// The number of these that the sources have.
    pub covered: u32,
    /// The number of these that foreign sources have.
    pub foreign: u32,
    /// The sources, in the order in which they were chosen.
    pub sources: Vec<PageSource>,
}

/// A page that holds popular phrases of another page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageSource {
    /// Its URL.
    pub url: String,
    /// Its site.
    pub site: String,
    /// The number of popular shingles that it adds to the sources before it.
    pub shingles: u32,
    /// True if it is on another site and, if known, on another IP address.
    #[cfg_attr(feature = "serde", serde(rename = "foreign"))]
    pub is_foreign: bool,
}

/// The sources of sampled pages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SampledSources {
    /// The pages.
    pub pages: Vec<PageSources>,
}

/// All sites of a corpus, those with most popular phrases first.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SiteRanking {
    /// The sites.
    pub sites: Vec<SitePhrases>,
}

/// The popular phrases of a site.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SitePhrases {
    /// The site.
    pub site: String,
    /// The number of its pages, without near-copies.
    pub pages: u64,
    /// The mean number of popular shingles of a page.
    pub mean: f64,
    /// The standard deviation of that number.
    pub stddev: f64,
    /// True if the pages are many, and all have many popular shingles.
    #[cfg_attr(feature = "serde", serde(rename = "even"))]
    pub is_even: bool,
    /// True if, in addition, most of these come from other sites.
    #[cfg_attr(feature = "serde", serde(rename = "stitched"))]
    pub is_stitched: bool,
    /// The share of popular shingles of some pages that other sites have; only for even sites.
    pub foreign: Option<f64>,
    /// The sites that have most of these shingles.
    pub sources: Vec<SourceSite>,
    /// One of these pages with its sources.
    pub example: Option<PageSources>,
}

/// A site that holds popular phrases of another site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SourceSite {
    /// The site.
    pub site: String,
    /// The number of shingles.
    pub shingles: u64,
}

/// Sampled pages with the same number of popular shingles and of sources.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CoverPoint {
    /// The number of popular shingles of each page.
    pub popular: u32,
    /// The number of sources of each page.
    pub sources: u32,
    /// The number of pages.
    pub pages: u64,
    /// The mean share of the popular shingles that other sites have.
    pub foreign_share: f64,
}

/// The phrase part of a report.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PhraseFindings {
    /// Popular phrases.
    pub popular: PopularPhrases,
    /// The number of sources of sampled pages.
    pub covers: Vec<CoverPoint>,
    /// The sites.
    pub sites: Vec<SitePhrases>,
}

impl PhraseFindings {
    /// Returns the sites whose pages are stitched together from pages of other sites.
    pub fn stitched(&self) -> impl Iterator<Item = &SitePhrases> {
        self.sites.iter().filter(|site| site.is_stitched)
    }
}
