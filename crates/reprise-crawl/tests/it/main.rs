//! Crawls of servers on this machine.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests may panic, and print what they measured"
)]

mod hostile;
mod polite;
mod resume;
mod server;
mod site;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::Duration;

use reprise_crawl::{
    Arrival, CrawlConfig, CrawlSummary, FetchLimits, Growth, Message, Observer, StopRule, crawl,
    defaults,
};
use reprise_ingest::RecordLimits;

/// Returns a configuration with short time limits and no delay: the servers are ours.
pub(crate) fn config(seed: &str, directory: &Path) -> CrawlConfig {
    CrawlConfig {
        seeds: vec![seed.to_owned()],
        directory: directory.to_owned(),
        depth_max: 50,
        pages_max: 3000,
        delay: Duration::ZERO,
        delay_max: Duration::from_secs(2),
        hosts_at_once: 4,
        user_agent: "reprise/0.1 (+http://example.org/)".to_owned(),
        allow_private: true,
        stop: StopRule {
            enabled: false,
            ..StopRule::default()
        },
        fetch: fetch_limits(),
        limits: RecordLimits {
            ratio: 100,
            ..defaults::LIMITS
        },
        ..CrawlConfig::default()
    }
}

pub(crate) fn fetch_limits() -> FetchLimits {
    FetchLimits {
        connect: Duration::from_secs(2),
        silence: Duration::from_millis(600),
        total: Duration::from_secs(3),
        rate_min: 100,
        body_bytes: 1 << 20,
        header_bytes: 1 << 14,
        retries: 2,
        back_off: Duration::from_millis(20),
    }
}

/// An observer that keeps all events.
#[derive(Default)]
pub(crate) struct Notes {
    /// The path and verdict of each page.
    pub(crate) arrived: RefCell<Vec<(String, String)>>,
    pub(crate) messages: RefCell<Vec<Message>>,
    /// The number of new arrivals after which the crawl is to end.
    pub(crate) stop_after: Option<usize>,
    new: Cell<usize>,
}

impl Observer for Notes {
    fn arrived(&self, page: &Arrival<'_>, growth: &Growth) {
        assert!(growth.now().pages >= growth.now().unique);
        let path = page.url.splitn(4, '/').nth(3).unwrap_or_default();
        self.arrived
            .borrow_mut()
            .push((format!("/{path}"), page.verdict.as_str().to_owned()));
        self.new
            .set(self.new.get() + usize::from(!page.is_replayed));
    }

    fn message(&self, message: &Message) {
        self.messages.borrow_mut().push(message.clone());
    }

    fn should_stop(&self) -> bool {
        self.stop_after.is_some_and(|after| self.new.get() >= after)
    }
}

/// Crawls with a new observer, and returns both results.
pub(crate) fn run(config: &CrawlConfig) -> (CrawlSummary, Notes) {
    let notes = Notes::default();
    let summary = crawl(config, &notes).unwrap();
    (summary, notes)
}

impl Notes {
    /// Returns the first verdict on a path.
    pub(crate) fn verdict(&self, path: &str) -> String {
        let arrived = self.arrived.borrow();
        let found = arrived.iter().find(|(arrived, _)| arrived == path);
        found.map_or("none".to_owned(), |(_, verdict)| verdict.clone())
    }
}

/// Returns the count of a kind of problem.
pub(crate) fn problem(summary: &CrawlSummary, kind: &str) -> u64 {
    summary
        .problems
        .iter()
        .find(|row| row.kind == kind)
        .map_or(0, |row| row.count)
}
