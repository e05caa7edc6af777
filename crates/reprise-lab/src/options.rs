//! The options of the experiments.

use reprise_imatch::SigningTerms;

use crate::defaults;
use crate::edits::EditKind;
use crate::methods::MethodKind;

/// The options of the experiment on evasion.
#[derive(Clone, Debug)]
pub struct EvadeOptions {
    /// The number of pages whose copies are edited. At least 1. Default: [`defaults::DOCUMENTS`].
    pub documents: usize,
    /// The seed by which pages, edits and words are drawn. Default: [`defaults::SEED`].
    pub seed: u64,
    /// The fewest characters of a chunk by which a copy is found. Default: [`defaults::EVADE_CHARS_MIN`].
    pub chars_min: usize,
    /// The methods to try, in any order. Default: all.
    pub methods: Vec<MethodKind>,
    /// The kinds of edits to make, in any order. Default: all.
    pub edits: Vec<EditKind>,
    /// The lexicon of I-Match. Default: `None`, a lexicon trained on other pages of the corpus.
    pub terms: Option<SigningTerms>,
}

impl Default for EvadeOptions {
    fn default() -> Self {
        Self {
            documents: defaults::DOCUMENTS,
            seed: defaults::SEED,
            chars_min: defaults::EVADE_CHARS_MIN,
            methods: MethodKind::ALL.to_vec(),
            edits: EditKind::ALL.to_vec(),
            terms: None,
        }
    }
}

/// The options of the comparison of hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompareOptions {
    /// The number of pages that are compared with each other. At least 2. Default: [`defaults::PAGES`].
    pub pages: usize,
    /// The seed by which pages are drawn. Default: [`defaults::SEED`].
    pub seed: u64,
    /// The lowest Nilsimsa score of a copy, from -128 to 128. Default: [`defaults::NILSIMSA_THRESHOLD`].
    pub threshold: i32,
    /// The fewest characters of a chunk that is compared. Default: [`defaults::COMPARE_CHARS_MIN`].
    pub chars_min: usize,
    /// The number of words in a row that makes two pages a copy. At least 1. Default:
    /// [`defaults::WORDS_MIN`].
    pub words_min: usize,
    /// True to compare only pages on different sites. Default: false.
    pub is_elsewhere: bool,
    /// The number of pages for which false positives are projected. Default: `None`, no projection.
    pub project_pages: Option<u64>,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            pages: defaults::PAGES,
            seed: defaults::SEED,
            threshold: defaults::NILSIMSA_THRESHOLD,
            chars_min: defaults::COMPARE_CHARS_MIN,
            words_min: defaults::WORDS_MIN,
            is_elsewhere: false,
            project_pages: None,
        }
    }
}
