//! The results of the stages as plain data, with one type for each stage. Stages fill them in, `--json` prints
//! them, and reports render them.

mod campaigns;
mod corpus;
mod crawl;
mod detection;
mod discovery;
mod explanation;
mod lab;
mod near;
mod phrases;
mod report;
mod timestamp;

pub use campaigns::{Campaign, CampaignDocument, Campaigns};
pub use corpus::{CorpusInfo, DamagedFile, ProblemExample, Problems, Repair};
pub use crawl::{
    CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DuplicateKind,
};
pub use detection::{
    Badness, Detection, MatchedCounts, Neighborhood, NeighborhoodShares, Older, PageShare,
    PageShares, ParseBadnessError, SITE_PAIRS_MAX, SitePair,
};
pub use discovery::{CountBy, Discovery, ParseCountByError, TopObject};
pub use explanation::{Explanation, Match, MatchName, SharedPhrases};
pub use lab::{
    Confusion, Evasion, EvasionMethod, EvasionRow, FalsePositive, HashComparison, HashProjection,
    HashThreshold, Quartiles, UnusedPages,
};
pub use near::{
    BandCounts, LinkKind, NearCluster, NearCopies, NearMethod, NearPage, RemovableOfSite,
};
pub use phrases::{
    CoverPoint, PageSource, PageSources, PhraseFindings, PopularPhrase, PopularPhrases,
    SampledSources, SitePhrases, SiteRanking, SourceSite,
};
pub use report::Report;
pub use timestamp::Timestamp;
