//! What a report says of a crawl: `crawl/summary.json` of a corpus, and some of its duplicates.

use serde::{Deserialize, Serialize};

/// How a corpus was crawled. A key that is missing is zero, or an empty list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Crawl {
    /// Where it began.
    pub seeds: Vec<String>,
    /// Responses of all runs.
    pub fetched: u64,
    /// Pages with text: unique, exact duplicates, near duplicates, and those of traps.
    pub pages: u64,
    /// Pages like no earlier one.
    pub unique: u64,
    /// Pages with the text of an earlier one.
    pub exact: u64,
    /// Pages with nearly the text of an earlier one.
    pub near: u64,
    /// Pages of patterns that go on and on without anything new.
    pub trap_pages: u64,
    /// Redirects.
    pub redirects: u64,
    /// Responses that were errors, or bodies that were refused.
    pub errors: u64,
    /// Files without text.
    pub not_text: u64,
    /// Pages that were asked for again and had not changed.
    pub unchanged: u64,
    /// Addresses that are traps by themselves and were never asked for.
    pub traps: u64,
    /// Addresses that were not asked for, by reason.
    pub refused: Refused,
    /// What went wrong.
    pub problems: Vec<CrawlProblem>,
    /// Pages so far, and how many of them were unique, exact and near duplicates; ascending.
    pub growth: Vec<[u64; 4]>,
    /// Why there are duplicates.
    pub causes: Vec<DuplicateCause>,
    /// Which programs made the pages.
    pub generators: Vec<Generator>,
    /// Patterns that seem to have no end and nothing to say.
    pub suspects: Vec<Suspect>,
    /// Why it ended before all was fetched; none if nothing was left.
    pub stopped: Option<Stopped>,
    /// Addresses that were heard of and not fetched.
    pub left: u64,
    /// The archives that it wrote.
    pub archives: Vec<String>,
    /// Responses that earlier runs had fetched.
    pub resumed: u64,
    /// Bytes of all responses as sent.
    pub bytes: u64,
    /// Time of the last run.
    pub seconds: f64,
    /// Some duplicates of each cause.
    pub examples: Vec<DuplicateExample>,
}

/// Addresses that a crawl did not ask for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Refused {
    /// Forbidden by robots.txt, or its robots.txt could not be had.
    pub robots: u64,
    /// Outside of what was to be crawled.
    pub scope: u64,
    /// Hosts with private addresses.
    pub address: u64,
}

/// One kind of what went wrong.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CrawlProblem {
    /// What, in one word.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// Where it happened first.
    pub url: String,
    /// What was found there; may be empty.
    pub detail: String,
}

/// Duplicates of one cause.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DuplicateCause {
    /// Its name in the JSON output.
    pub cause: String,
    /// Exact duplicates.
    pub exact: u64,
    /// Near duplicates.
    pub near: u64,
}

/// Pages made by one program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Generator {
    /// What the pages name; empty for those that name none.
    pub generator: String,
    /// Pages with text.
    pub pages: u64,
    /// Those like no earlier one.
    pub unique: u64,
    /// Exact duplicates.
    pub exact: u64,
    /// Near duplicates.
    pub near: u64,
}

/// A pattern of addresses that seems to be a trap.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Suspect {
    /// The pattern.
    pub pattern: String,
    /// Pages of it that were fetched.
    pub fetched: u64,
    /// Those with new content.
    pub new: u64,
}

/// Why a crawl ended before all was fetched.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Stopped {
    /// `nothing-new`, `pages` or `asked`.
    pub reason: String,
    /// The latest pages that the stop rule looked at.
    pub window: u64,
    /// Those with new content.
    pub new: u64,
    /// The largest share of new content that is believable after that, from 0 to 1.
    pub bound: f64,
    /// With what confidence, from 0 to 1.
    pub confidence: f64,
}

/// One page that is a duplicate of another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DuplicateExample {
    /// The later page.
    pub url: String,
    /// The earlier one.
    pub of: String,
    /// `exact` or `near`.
    pub kind: String,
    /// How alike their texts are, from 0 to 100.
    pub score: u8,
    /// Why it is there twice.
    pub cause: String,
}
