//! Crawls of real servers on this machine, well and ill behaved.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and says what it measured"
)]

mod hostile;
mod polite;
mod resume;
mod server;
mod site;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::Duration;

use reprise_convert::{Converter, PdfTool};
use reprise_crawl::{
    Arrival, CrawlConfig, CrawlSummary, FetchLimits, Growth, Message, Observer, Order, Scope,
    StopRule, crawl,
};
use reprise_ingest::Limits;

/// Short times, no delay: the servers are ours.
pub(crate) fn config(seed: &str, directory: &Path) -> CrawlConfig {
    CrawlConfig {
        seeds: vec![seed.to_owned()],
        directory: directory.to_owned(),
        scope: Scope::Host,
        depth_max: 50,
        pages_max: 3000,
        delay: Duration::ZERO,
        delay_max: Duration::from_secs(2),
        connections_per_host: 1,
        hosts_at_once: 4,
        user_agent: "reprise/0.1 (+http://example.org/)".to_owned(),
        obey_robots: true,
        allow_private: true,
        order: Order::Learned,
        stop: StopRule {
            window: 200,
            bound: 0.02,
            confidence: 0.95,
            enabled: false,
        },
        similarity: 90,
        again: false,
        sitemaps: true,
        fetch: fetch_limits(),
        limits: Limits {
            body_bytes: 32 << 20,
            header_bytes: 1 << 16,
            ratio: 100,
            nesting: 4,
        },
        converter: Converter {
            limits: reprise_convert::ConvertLimits::DEFAULT,
            main_content: false,
            pdf: PdfTool::InProcess,
        },
        archive_bytes_max: 1 << 30,
        append: true,
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

/// Writes down what it is told.
#[derive(Default)]
pub(crate) struct Notes {
    /// URL without its host, and verdict.
    pub(crate) arrived: RefCell<Vec<(String, String)>>,
    pub(crate) messages: RefCell<Vec<Message>>,
    /// Stops after so many new arrivals.
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

/// Crawls, and what came of it.
pub(crate) fn run(config: &CrawlConfig) -> (CrawlSummary, Notes) {
    let notes = Notes::default();
    let summary = crawl(config, &notes).unwrap();
    (summary, notes)
}

impl Notes {
    /// The verdict on a path.
    pub(crate) fn verdict(&self, path: &str) -> String {
        let arrived = self.arrived.borrow();
        let found = arrived.iter().find(|(arrived, _)| arrived == path);
        found.map_or("none".to_owned(), |(_, verdict)| verdict.clone())
    }
}

pub(crate) fn problem(summary: &CrawlSummary, kind: &str) -> u64 {
    summary
        .problems
        .iter()
        .find(|row| row.kind == kind)
        .map_or(0, |row| row.count)
}
