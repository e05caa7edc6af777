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
    /// The chunks or files that occur often.
    #[cfg_attr(feature = "serde", serde(rename = "discover"))]
    pub discovery: Discovery,
    /// The pages, neighbourhoods and sites with labelled content.
    #[cfg_attr(feature = "serde", serde(rename = "detect"))]
    pub detection: Detection,
    /// Near-copies; `None` if the corpus has no shingles.
    pub near: Option<NearCopies>,
    /// Popular phrases; `None` if the corpus has no shingles.
    pub phrases: Option<PhraseFindings>,
    /// Campaigns; `None` if they were not looked for.
    pub campaigns: Option<Campaigns>,
    /// How the corpus was crawled; `None` if Reprise did not crawl it.
    pub crawl: Option<CrawlSummary>,
    /// Sentences for the reader. The report also shows the notes of `discovery` and `detection`; a note that is
    /// in several lists is shown once.
    pub notes: Vec<String>,
}
