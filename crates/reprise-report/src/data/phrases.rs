//! What a report says of phrases that many pages share.

#[cfg(feature = "serde")]
use serde::Serialize;

/// Shingles that are popular, and whose pages are made of them.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PhraseFindings {
    /// Documents that were looked at: pages with words, near-copies left out.
    pub documents: u64,
    /// Popular shingles, in all.
    pub popular: u64,
    /// A shingle that so many documents have is popular.
    pub min_documents: u32,
    /// A number of documents, and how many popular shingles are in so many; ascending.
    pub occurrences: Vec<(u32, u64)>,
    /// A number of popular shingles, from 0 to 84, and how many documents have so many; ascending.
    pub per_document: Vec<(u8, u64)>,
    /// The most popular phrases, most documents first.
    pub top: Vec<PhraseRow>,
    /// From how many other pages a page can be put together; for a sample of pages.
    pub covers: Vec<CoverPoint>,
    /// Sites with at least ten pages and 30 popular shingles a page in the mean.
    pub sites: Vec<SitePoint>,
    /// Sites whose pages are stitched together from others' pages, worst first.
    pub monsters: Vec<Monster>,
}

/// One phrase that many documents have.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PhraseRow {
    /// Its words.
    pub phrase: String,
    /// How many documents have it.
    pub documents: u64,
    /// Some of them, each on another site.
    pub urls: Vec<String>,
}

/// The sampled pages that have so many popular shingles and need so many donors.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CoverPoint {
    /// Popular shingles of each of these pages.
    pub popular: u32,
    /// Other pages that hold all of them between them.
    pub donors: u32,
    /// How many pages are so.
    pub pages: u64,
    /// Of their popular shingles, the part that pages of other sites have; the mean, from 0 to 1.
    pub foreign_share: f64,
}

/// How many popular shingles the pages of one site have.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SitePoint {
    /// Its name.
    pub site: String,
    /// Its pages, near-copies left out.
    pub pages: u64,
    /// Popular shingles of a page, in the mean.
    pub mean: f64,
    /// Their standard deviation.
    pub stddev: f64,
    /// Whether its pages are stitched together from others'.
    pub is_monster: bool,
}

/// A site whose pages are stitched together from others' pages.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Monster {
    /// Its name.
    pub site: String,
    /// Its pages, near-copies left out.
    pub pages: u64,
    /// Popular shingles of a page, in the mean.
    pub mean: f64,
    /// Their standard deviation.
    pub stddev: f64,
    /// Of the popular shingles of some of its pages, the part that other sites have, from 0 to 1.
    pub foreign: f64,
    /// The sites that gave most to these pages, and how many shingles; most first.
    pub donors: Vec<(String, u64)>,
    /// One of its pages and where its parts are from.
    pub example: Option<MonsterExample>,
}

/// A page of a monster, and the pages it can be put together from.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct MonsterExample {
    /// Its address.
    pub url: String,
    /// Its popular shingles.
    pub popular: u32,
    /// Address of each donor, the shingles it was the first to give, and whether it is from another site.
    pub donors: Vec<(String, u32, bool)>,
}
