//! Sites by how many popular shingles their pages have.

use crate::KeptDocuments;

use super::popular::Popular;

/// A site with fewer pages than this says too little to be called a monster.
pub const MONSTER_PAGES: u64 = 10;
/// Pages of a monster have so many popular shingles in the mean, of 84.
pub const MONSTER_MEAN: f64 = 30.0;
/// They are all alike in that: their numbers deviate by less than this.
pub const MONSTER_DEVIATION: f64 = 15.0;

/// How many popular shingles the pages of a site have.
#[derive(Clone, Debug, PartialEq)]
pub struct SitePhrases {
    /// Number of the site.
    pub site: u32,
    /// Its documents, near-copies left out.
    pub pages: u64,
    /// Mean of popular shingles.
    pub mean: f64,
    /// Their standard deviation, of the whole and not of a sample.
    pub stddev: f64,
}

impl SitePhrases {
    /// Has it the marks of a monster: enough pages, a high mean, a small deviation?
    pub fn is_suspect(&self) -> bool {
        self.pages >= MONSTER_PAGES && self.mean >= MONSTER_MEAN && self.stddev < MONSTER_DEVIATION
    }
}

/// All sites: those with ten pages and a mean of thirty first, then by mean.
pub fn sites(kept: &KeptDocuments, popular: &Popular) -> Vec<SitePhrases> {
    let mut documents: Vec<(u32, u8)> = (0..kept.len() as u32)
        .map(|document| (kept.site(document), popular.per_document[document as usize]))
        .collect();
    documents.sort_unstable();
    let mut sites: Vec<SitePhrases> = documents
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let pages = same.len() as f64;
            let mean = same
                .iter()
                .map(|&(_, number)| f64::from(number))
                .sum::<f64>()
                / pages;
            let squares = same
                .iter()
                .map(|&(_, number)| (f64::from(number) - mean).powi(2));
            SitePhrases {
                site: same[0].0,
                pages: same.len() as u64,
                mean,
                stddev: (squares.sum::<f64>() / pages).sqrt(),
            }
        })
        .collect();
    sites.sort_by(|a, b| {
        let is_large =
            |site: &SitePhrases| site.pages >= MONSTER_PAGES && site.mean >= MONSTER_MEAN;
        is_large(b)
            .cmp(&is_large(a))
            .then(b.mean.total_cmp(&a.mean))
            .then(b.pages.cmp(&a.pages))
            .then_with(|| kept.sites().name(a.site).cmp(&kept.sites().name(b.site)))
    });
    sites
}
