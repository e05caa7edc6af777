//! Everything that a report says about one corpus.

use crate::results::{
    Campaigns, CorpusInfo, CrawlSummary, Detection, Discovery, NearCopies, PhraseFindings,
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
    /// How the corpus was crawled; `None` if Reprise did not crawl it.
    pub crawl: Option<CrawlSummary>,
    /// Sentences for the reader, for example why nothing was found.
    pub notes: Vec<String>,
}
