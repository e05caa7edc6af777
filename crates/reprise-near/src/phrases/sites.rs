//! Computes how many popular shingles the pages of each site have.
use super::popular::Popular;
use crate::kept::KeptDocuments;

/// The fewest pages of a stitched site.
pub const STITCHED_PAGES: u64 = 10;
/// The lowest mean number of popular shingles, out of 84, of a stitched site's pages.
pub const STITCHED_MEAN: f64 = 30.0;
/// The upper limit of the standard deviation of that number: the pages of a stitched site are alike.
pub const STITCHED_DEVIATION: f64 = 15.0;
/// The share of popular shingles above which a site counts as stitched, if they come from other sites. The
/// pages of a site with a template have many popular shingles too, but most come from the site itself.
pub const STITCHED_FOREIGN: f64 = 0.5;

/// The numbers of popular shingles of a site's pages.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SiteFigures {
    /// The number of the site.
    pub(super) site: u32,
    /// The number of its documents.
    pub(super) pages: u64,
    /// The mean number of popular shingles.
    pub(super) mean: f64,
    /// The standard deviation of that number (of the population).
    pub(super) stddev: f64,
}

impl SiteFigures {
    /// Returns true if the site is even: it has enough pages, and all of them have many popular shingles.
    pub(super) fn is_even(&self) -> bool {
        self.is_large() && self.stddev < STITCHED_DEVIATION
    }

    /// Returns true if the site is even and most of its popular shingles come from other sites. `foreign` is
    /// their share, if known.
    pub(super) fn is_stitched(&self, foreign: Option<f64>) -> bool {
        self.is_even() && foreign.is_some_and(|share| share > STITCHED_FOREIGN)
    }

    fn is_large(&self) -> bool {
        self.pages >= STITCHED_PAGES && self.mean >= STITCHED_MEAN
    }
}

/// Returns all sites: those with enough pages and a high mean first, then by mean.
pub(super) fn sites(kept: &KeptDocuments, popular: &Popular) -> Vec<SiteFigures> {
    let mut documents: Vec<(u32, u8)> = (0..kept.len() as u32)
        .map(|document| (kept.site(document), popular.per_document[document as usize]))
        .collect();
    documents.sort_unstable();
    let mut sites: Vec<SiteFigures> = documents
        .chunk_by(|a, b| a.0 == b.0)
        .map(|same| {
            let pages = same.len() as f64;
            let numbers = same.iter().map(|&(_, number)| f64::from(number));
            let mean = numbers.clone().sum::<f64>() / pages;
            let squares = numbers.map(|number| (number - mean).powi(2));
            SiteFigures {
                site: same[0].0,
                pages: same.len() as u64,
                mean,
                stddev: (squares.sum::<f64>() / pages).sqrt(),
            }
        })
        .collect();
    sites.sort_by(|a, b| {
        (b.is_large().cmp(&a.is_large()))
            .then(b.mean.total_cmp(&a.mean))
            .then(b.pages.cmp(&a.pages))
            .then_with(|| kept.sites().name(a.site).cmp(&kept.sites().name(b.site)))
    });
    sites
}
