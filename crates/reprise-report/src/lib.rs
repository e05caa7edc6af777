//! Turns the results of a run into one HTML file that needs nothing else.
//!
//! In reading order:
//!
//! - [`CrawlSummary`]: the result of a crawl, as JSON keeps it and a report shows it.
//! - [`Report`]: what was found in a corpus, as plain data; [`render`] makes the report of it.
//! - [`Explanation`]: two texts and the spans they share; [`render_side_by_side`] shows them.
//! - [`Evasion`] and [`HashComparison`]: the results of experiments; [`render_evasion`] and
//!   [`render_hash_comparison`] plot them.
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
//! use reprise_report::{Explanation, Match, Side, render_side_by_side};
//!
//! let side = |name: &str, text: &str| Side {
//!     name: name.to_owned(),
//!     facts: vec![("fetched".to_owned(), "2024-05-01".to_owned())],
//!     text: text.to_owned(),
//! };
//! let html = render_side_by_side(&Explanation {
//!     title: "One paragraph in common".to_owned(),
//!     left: side("a.example/", "<p>Fire in Rome<p>Rain"),
//!     right: side("b.example/", "<p>Snow<p>Fire in Rome"),
//!     matches: vec![Match { left: 0..15, right: 7..22, fingerprint: "f1".to_owned() }],
//!     summary: String::new(),
//! });
//! assert!(html.contains("&lt;p&gt;Fire in Rome"));
//! ```

mod data;
#[cfg(feature = "html")]
mod html;
pub mod results;

pub use crate::data::{
    Campaign, CampaignDocument, Campaigns, CorpusFacts, CoverPoint, Detection, Discovery,
    Explanation, Match, Monster, MonsterExample, NearCluster, NearCopies, NearPage, Neighborhood,
    NeighborhoodResults, PageResult, PageResults, PhraseFindings, PhraseRow, Report, Side,
    SitePair, SitePoint, Skipped, TopObject,
};
#[cfg(feature = "html")]
pub use crate::html::{
    render, render_attacks, render_evasion, render_hash_comparison, render_side_by_side,
};
pub use crate::results::{
    Confusion, CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DuplicateKind, Evasion, EvasionMethod, EvasionRow,
    FalsePositive, HashComparison, HashProjection, HashThreshold, Quartiles, UnusedPages,
};
