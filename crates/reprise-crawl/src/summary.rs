//! What a crawl tells: while it runs, by an observer, and at its end.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::causes::Cause;
use crate::growth::Growth;
use crate::verdict::Verdict;
use crate::yields::Suspect;

/// Follows a crawl. All methods are called from the thread that crawls.
pub trait Observer {
    /// A page arrived and was classified; `growth` includes it.
    fn arrived(&self, page: &Arrival<'_>, growth: &Growth);
    /// Something else happened that people may want to know.
    fn message(&self, message: &Message);
    /// Should the crawl end? It then finishes the requests that run and closes the archive.
    fn should_stop(&self) -> bool;
}

/// A response to a request for a page.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Its URL.
    pub url: &'a str,
    /// HTTP status.
    pub status: u16,
    /// What it is.
    pub verdict: &'a Verdict,
    /// Why it is a duplicate, where it is one.
    pub cause: Option<Cause>,
    /// Links between a seed and it.
    pub depth: u32,
    /// Size of the response as sent.
    pub bytes: u64,
    /// It was fetched by an earlier run and read from the archive.
    pub is_replayed: bool,
}

/// What happened beside arrivals.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// So many responses of earlier runs were read from the archive.
    Resumed {
        /// Responses.
        responses: u64,
    },
    /// The stop rule would stop here, if it were enabled. Said once.
    WouldStop {
        /// The figures.
        reason: StopReason,
    },
    /// A host's robots.txt could not be had, so that nothing of it is fetched in this run.
    RobotsUnreachable {
        /// Its URL.
        url: String,
    },
    /// A request failed for good.
    Failed {
        /// The URL.
        url: String,
        /// The kind of failure, as in [`ProblemRow::kind`].
        kind: String,
    },
    /// A pattern was found that seems to have no end and nothing to say; its URLs come last from now on.
    Suspected {
        /// The pattern.
        pattern: String,
    },
}

/// Why a crawl ended before all was fetched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StopReason {
    /// Hardly any of the latest pages was new.
    NothingNew {
        /// Pages with new content in the window.
        new: usize,
        /// Pages in the window.
        window: usize,
        /// The largest share of new content that is believable.
        bound: f64,
    },
    /// As many pages as were asked for.
    Pages,
    /// The observer asked for it.
    Asked,
}

/// How two pages are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateKind {
    /// The same text.
    Exact,
    /// Nearly the same text.
    Near,
}

impl DuplicateKind {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            DuplicateKind::Exact => "exact",
            DuplicateKind::Near => "near",
        }
    }
}

/// A page that an earlier one is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateRow {
    /// The later page.
    pub url: String,
    /// The earlier page.
    pub of: String,
    /// How they are alike.
    pub kind: DuplicateKind,
    /// The score of their fuzzy hashes; 100 for exact duplicates.
    pub score: u8,
    /// Why it is there twice.
    pub cause: Cause,
}

/// Duplicates of one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseRow {
    /// The cause.
    pub cause: Cause,
    /// Exact duplicates.
    pub exact: u64,
    /// Near duplicates.
    pub near: u64,
}

/// Pages made by one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratorRow {
    /// Name and main version, as the pages state it; empty for pages that state none.
    pub generator: String,
    /// Pages with text.
    pub pages: u64,
    /// Of them, those like no earlier one.
    pub unique: u64,
    /// Of them, exact duplicates.
    pub exact: u64,
    /// Of them, near duplicates.
    pub near: u64,
}

/// How often something went wrong, with the first example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemRow {
    /// What, in one word.
    pub kind: String,
    /// How often.
    pub count: u64,
    /// Where it happened first.
    pub url: String,
    /// What was found there; may be empty.
    pub detail: String,
}

/// What a crawl found.
#[derive(Clone, Debug, PartialEq)]
pub struct CrawlSummary {
    /// Pages with text that were classified: unique, exact, near and of traps.
    pub pages: u64,
    /// Responses in the archive, those of earlier runs included.
    pub fetched: u64,
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
    /// Files that have no plain text.
    pub not_text: u64,
    /// Asked again, pages that are as they were.
    pub unchanged: u64,
    /// URLs that are traps by themselves and were never requested.
    pub traps: u64,
    /// URLs that robots.txt forbids, or whose robots.txt could not be had.
    pub refused_robots: u64,
    /// URLs outside the scope that pages link to, never requested.
    pub refused_scope: u64,
    /// URLs of hosts with private addresses only.
    pub refused_address: u64,
    /// What went wrong.
    pub problems: Vec<ProblemRow>,
    /// The three curves.
    pub growth: Growth,
    /// Why there are duplicates; every cause has a row.
    pub causes: Vec<CauseRow>,
    /// Which programs made the pages, most pages first.
    pub generators: Vec<GeneratorRow>,
    /// Every duplicate, in the order of arrival.
    pub duplicates: Vec<DuplicateRow>,
    /// Patterns that seem to have no end and nothing to say.
    pub suspects: Vec<Suspect>,
    /// The archives.
    pub archives: Vec<PathBuf>,
    /// Responses that earlier runs had fetched.
    pub resumed: u64,
    /// Why it ended before all was fetched; `None` when nothing was left.
    pub stopped: Option<StopReason>,
    /// URLs that were heard of and not fetched.
    pub left: u64,
    /// Bytes of all responses as sent.
    pub bytes: u64,
    /// Time this run took.
    pub seconds: f64,
}

/// Counts what went wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems(BTreeMap<String, ProblemRow>);

impl Problems {
    pub(crate) fn add(&mut self, kind: &str, url: &str, detail: &str) {
        if let Some(row) = self.0.get_mut(kind) {
            row.count += 1;
            return;
        }
        let row = ProblemRow {
            kind: kind.to_owned(),
            count: 1,
            url: url.to_owned(),
            detail: detail.to_owned(),
        };
        self.0.insert(kind.to_owned(), row);
    }

    pub(crate) fn rows(&self) -> Vec<ProblemRow> {
        self.0.values().cloned().collect()
    }
}
