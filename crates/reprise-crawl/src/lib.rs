//! Crawls a site politely, classifies every page by its text, and stops when hardly any new content arrives.
//!
//! [`crawl`] fetches pages into WARC files. Each page is unique, an exact duplicate, or a near duplicate of another URL.
//! URLs that promise new content are fetched first. The result has the growth curves, the causes of duplicates, and
//! the programs that made the pages.
//!
//! In reading order:
//!
//! - [`CrawlConfig`]: the options, with [`defaults`]; [`crawl`] runs a crawl with them.
//! - [`Observer`]: follows a crawl and can end it. It receives each [`Arrival`] with its [`Verdict`] and [`Cause`].
//! - [`CrawlSummary`]: the result, which the crawl also writes to `summary.json`.
//! - [`summary_of`]: computes the summary from the archives, without any request.
//! - [`upper_bound`]: the statistics of the stop rule.
//! - [`fetch_one`]: fetches a single page by the same rules.
//!
//! ```
//! use reprise_crawl::{CrawlConfig, crawl};
//!
//! let directory = tempfile::tempdir()?;
//! let config = CrawlConfig {
//!     seeds: vec!["http://127.0.0.1/".to_owned()],
//!     directory: directory.path().to_owned(),
//!     ..CrawlConfig::default()
//! };
//! let summary = crawl(&config, &())?;
//! // Private addresses are refused by default.
//! assert_eq!((summary.fetched, summary.refused.address), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The archive is the journal
//!
//! The archives (`crawl-00000.warc.gz` and so on) hold the whole state of a crawl. A response is appended before
//! anything is learned from it. A run in a directory with archives reads them first:
//!
//! - An incomplete record at the end, which a killed run left behind, is cut off.
//! - Every archived response goes through the same code as a response from the network, so the run continues with the
//!   state of the earlier run.
//! - A URL with a response in the archive is not requested again, unless [`CrawlConfig::again`] is set.
//! - A URL without a response is tried again: after a time-out, a refused address, a refusal by robots.txt, or a failed
//!   request for a robots.txt. Answers that ask to repeat the request later (429, 503, other 5xx) are archived only
//!   when no repetition is left.
//!
//! # What is never requested
//!
//! - URLs outside the scope, even after a redirect.
//! - Addresses of private networks, checked when connecting, unless [`CrawlConfig::allow_private`] is set.
//! - URLs that robots.txt forbids.
//! - Crawler traps that the URL itself reveals.
//! - Schemes other than `http` and `https`.
//!
//! Requests carry no cookies and no credentials.
//!
//! # Modules
//!
//! 1. `crawl` is the loop and `state` the state that it changes.
//! 2. `fetch` sends one request. `hosts`, `robots` and `sitemap` implement politeness, `scope` and `address` safety.
//! 3. `analyse`, `links` and `novelty` read one response. `verdict`, `duplicates` and `causes` compare it with others.
//! 4. `frontier`, `yields`, `pattern` and `aliases` choose the next URL. `stop` decides when to end.
//! 5. `archive`, `replay` and `resume` are the journal. `files` writes the result files.

mod address;
mod aliases;
mod analyse;
mod archive;
mod causes;
mod config;
mod crawl;
pub mod defaults;
mod duplicates;
mod error;
mod fetch;
mod files;
mod frontier;
mod growth;
mod hosts;
mod links;
mod names;
mod novelty;
mod observer;
mod pattern;
mod problems;
mod replay;
mod resume;
mod robots;
mod scope;
mod sitemap;
mod state;
mod stop;
mod verdict;
mod yields;

pub use archive::paths as archives;
pub use causes::Cause;
pub use config::{
    CrawlConfig, FetchLimits, Order, ParseOrderError, ParseScopeError, Scope, StopRule,
};
pub use crawl::crawl;
pub use error::{CrawlError, FetchError};
pub use fetch::{FetchOne, Fetched, fetch_one};
pub use growth::{Growth, Point};
pub use observer::{Arrival, Message, Observer};
pub use reprise_report::{
    CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DuplicateKind,
};
pub use resume::summary_of;
pub use stop::upper_bound;
pub use verdict::Verdict;
