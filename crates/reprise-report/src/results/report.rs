//! Everything that a report says about one corpus.

use crate::results::{
    Campaigns, CorpusInfo, Detection, Discovery, NearCopies, PhraseFindings,
};

/// Everything that a report says about one corpus.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report {
    /// The title.
    pub title: String,
    /// The contents of the corpus.
    pub corpus: CorpusInfo,
    /// What occurs often.
    pub discovery: Discovery,
    /// Where the labels were found.
    pub detection: Detection,
    /// Near-copies; `None` if the corpus has no shingles.
    pub near: Option<NearCopies>,
    /// Popular phrases; `None` if the corpus has no shingles.
    pub phrases: Option<PhraseFindings>,
    /// Campaigns; `None` if they were not looked for.
    pub campaigns: Option<Campaigns>,
    /// Sentences for the reader, for example why nothing was found.
    pub notes: Vec<String>,
}
