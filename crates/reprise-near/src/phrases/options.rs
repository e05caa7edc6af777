//! The options of phrase analysis.

use crate::defaults;

/// The options of popular phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhraseOptions {
    /// The fewest documents of a popular shingle, at least 2.
    pub min_documents: u32,
    /// The number of most popular phrases to find.
    pub top: usize,
}

impl Default for PhraseOptions {
    fn default() -> PhraseOptions {
        PhraseOptions {
            min_documents: defaults::MIN_DOCUMENTS,
            top: defaults::TOP_PHRASES,
        }
    }
}

/// The options of a sample of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// The fewest popular shingles of a page in the sample.
    pub popular_min: u8,
    /// The number of pages with each number of popular shingles, or of all pages if `is_uniform`.
    pub pages: usize,
    /// True if the number of popular shingles does not matter.
    pub is_uniform: bool,
    /// The site to sample, or `None` for all sites.
    pub site: Option<String>,
}

impl Default for SampleOptions {
    fn default() -> SampleOptions {
        SampleOptions {
            popular_min: defaults::SAMPLE_POPULAR_MIN,
            pages: 10,
            is_uniform: false,
            site: None,
        }
    }
}
