//! The results of Reprise as plain data, and HTML files that show them.
//!
//! In reading order:
//!
//! - [`Report`]: everything about a corpus, with [`CorpusInfo`], [`Discovery`], [`Detection`], [`NearCopies`],
//!   [`PhraseFindings`], [`Campaigns`] and [`CrawlSummary`]; [`render`] shows it.
//! - [`Explanation`]: two pages and their common content; [`render_side_by_side`] shows it.
//! - [`Evasion`] and [`HashComparison`]: the results of experiments; [`render_evasion`] and
//!   [`render_hash_comparison`] show them. [`render_attacks`] shows the result of attacks on signatures, which is
//!   defined in `reprise-imatch`.
//!
//! The feature `serde` implements `Serialize` for the result types, and the feature `html` adds the functions that
//! render them. Both are on by default.
//!
//! The files show text from hostile pages. Therefore:
//!
//! - A file has no scripts, and its content security policy forbids scripts and all requests.
//! - The templates escape all text. Invisible characters that change the look of other text, such as control
//!   characters and changes of direction, are shown as symbols.
//! - URLs are text. Links lead only to other places in the same file.
//! - The size of a file is bounded: texts are clipped, and long tables and deep trees end with a line such as "and 7
//!   more pages".
//!
//! The crate does no I/O. The same result always gives the same bytes.
//!
//! ```
//! # #[cfg(feature = "html")] {
//! use reprise_report::{Explanation, Match, MatchName, SharedPhrases, render_side_by_side};
//!
//! let html = render_side_by_side(&Explanation {
//!     page: "http://a.example/".to_owned(),
//!     with: "http://b.example/".to_owned(),
//!     page_chunks: 2,
//!     page_shared: 1,
//!     with_chunks: 2,
//!     with_shared: 1,
//!     page_fetched: None,
//!     with_fetched: None,
//!     matches: vec![Match { left: 0..15, right: 7..22, fingerprint: MatchName::Phrases(0) }],
//!     phrases: SharedPhrases::default(),
//!     page_text: "<p>Fire in Rome<p>Rain".to_owned(),
//!     with_text: "<p>Snow<p>Fire in Rome".to_owned(),
//! });
//! assert!(html.contains("<mark>&lt;p&gt;Fire in Rome</mark>"));
//! # }
//! ```

#[cfg(feature = "html")]
mod html;
pub mod numbers;
pub mod results;

#[cfg(feature = "html")]
pub use crate::html::{
    render, render_attacks, render_evasion, render_hash_comparison, render_side_by_side,
};
pub use crate::results::{
    Badness, BandCounts, Campaign, CampaignDocument, Campaigns, Confusion, CorpusInfo, CountBy,
    CoverPoint, CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DamagedFile, Detection, Discovery, DuplicateKind,
    Evasion, EvasionMethod, EvasionRow, Explanation, FalsePositive, HashComparison, HashProjection,
    HashThreshold, LinkKind, Match, MatchName, MatchedCounts, NearCluster, NearCopies, NearMethod,
    NearPage, Neighborhood, NeighborhoodShares, Older, PageShare, PageShares, PageSource,
    PageSources, ParseBadnessError, ParseCountByError, PhraseFindings, PopularPhrase,
    PopularPhrases, ProblemExample, Problems, Quartiles, RemovableOfSite, Repair, Report,
    SITE_PAIRS_MAX, SampledSources, SharedPhrases, SitePair, SitePhrases, SiteRanking, SourceSite,
    Timestamp, TopObject, UnusedPages,
};
