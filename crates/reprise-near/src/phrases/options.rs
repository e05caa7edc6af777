//! The options of phrase analysis.

use crate::defaults;

/// When a phrase is popular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhraseOptions {
    /// A shingle is popular from this number of documents on; at least 2.
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

/// Which pages are sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleOptions {
    /// Only pages with at least this number of popular shingles.
    pub popular_min: u8,
    /// The number of pages: for each number of popular shingles, or in all.
    pub pages: usize,
    /// True if `pages` is the number of all sampled pages.
    pub is_uniform: bool,
    /// Only pages of this site.
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
