//! The results of stages: the types that `--json` prints, files keep and a report shows.

mod crawl;

pub use crawl::{
    CrawlCause, CrawlDuplicate, CrawlEnd, CrawlEndReason, CrawlGenerator, CrawlProblem,
    CrawlRefused, CrawlSummary, CrawlSuspect, DuplicateKind,
};
