//! Which pages does a site have, fetched politely, and when has one seen them all?
//!
//! [`crawl`] fetches the pages of a site, writes them to WARC files as they come, and says of each page whether its
//! content is new: unique, an exact duplicate, or a near duplicate of which URL. It goes first where new content is to be
//! expected, and stops when hardly any comes. [`CrawlSummary`] has the growth curves, why there are duplicates, and
//! which programs made them.
//!
//! # The archive is the journal
//!
//! There is no file beside the archives. A response is appended to `crawl-00000.warc.gz` (and so on) before anything is
//! learned from it. A run that begins in a directory with archives reads them first: a member that a killed run left
//! broken is cut off, and every response goes through the same code as one that has just come, so that the crawl knows
//! what the killed run knew. No URL with a response in the archive is requested again (unless [`CrawlConfig::again`]
//! asks for it). What has no response is tried again: time-outs, refused addresses, what robots.txt forbade, and hosts
//! whose robots.txt could not be had. An answer that asks to come later (429, 503, other 5xx) is archived only when
//! no repetition is left.
//!
//! # What is never requested
//!
//! URLs outside the scope, also after redirects; addresses of private networks, checked at the moment of connecting and
//! unless [`CrawlConfig::allow_private`] says otherwise; what robots.txt forbids; crawler traps that show in the URL.
//! There are no cookies, no credentials, and no schemes but `http` and `https`.
//!
//! # In reading order
//!
//! 1. [`CrawlConfig`]: what to do. `state` (all that is known) and `crawl` (the loop) are the middle of the crate.
//! 2. `fetch`: one request, byte for byte. `hosts`, `robots`, `sitemap`: politeness. `scope`, `address`: safety.
//! 3. `analyse`, `links`, `novelty`: what is in one response. `verdict`, `duplicates`, [`Cause`]: beside all others.
//! 4. `frontier`, `yields`, `pattern`, `aliases`: which URL comes next. [`upper_bound`]: when it is enough.
//! 5. `archive`, `replay`, `resume`: the journal.
//!
//! [`summary_of`] reads a directory without any network; [`fetch_one`] fetches a single page by the same rules.

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
