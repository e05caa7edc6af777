//! Turns the results of a run into one HTML file that needs nothing else.
//!
//! In reading order:
//!
//! - [`CrawlSummary`]: the result of a crawl, as JSON keeps it and a report shows it.
//! - [`Report`]: what was found in a corpus, as plain data; [`render`] makes the report of it.
//! - [`Explanation`]: two texts and the spans they share; [`render_side_by_side`] shows them.
//! - [`Evasion`] and [`HashComparison`]: what experiments found; [`render_evasion`] and
//!   [`render_hash_comparison`] plot it.
//!
//! A report shows what hostile pages wrote, to somebody who studies them. So:
//!
//! - There is no script, and a policy in the file forbids any, as well as every request.
//! - All text is escaped by the templates. Characters that cannot be seen but steer what is seen
//!   (controls, changes of direction) are shown as symbols.
//! - URLs are text. The only links lead to other places of the same file.
//! - The size of the file is bounded by the lists that the caller chose; texts are clipped, and
//!   trees and tables are cut with a line that says so.
//!
//! Everything here is pure computation; the same data give the same bytes.
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
#[cfg_attr(
    not(feature = "html"),
    allow(
        dead_code,
        reason = "the result types use a few of these functions, the renderers all"
    )
)]
mod numbers;
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
    PopularPhrases, ProblemExample, Problems, Quartiles, RemovableOfSite, Report, SITE_PAIRS_MAX,
    SampledSources, SharedPhrases, SitePair, SitePhrases, SiteRanking, SourceSite, Timestamp,
    TopObject, UnusedPages,
};
