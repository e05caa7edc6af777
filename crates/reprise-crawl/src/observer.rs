//! The events of a crawl, as an observer receives them.

use reprise_report::CrawlEnd;

use crate::causes::Cause;
use crate::growth::Growth;
use crate::verdict::Verdict;

/// Follows a crawl. The crawl calls all methods from its own thread.
pub trait Observer {
    /// Receives a page that arrived and was classified. `growth` includes it.
    fn arrived(&self, page: &Arrival<'_>, growth: &Growth);
    /// Receives any other event.
    fn message(&self, message: &Message);
    /// Returns true if the crawl should end. It then finishes the running requests and closes the archive.
    fn should_stop(&self) -> bool;
}

/// Ignores all events.
impl Observer for () {
    fn arrived(&self, _: &Arrival<'_>, _: &Growth) {}

    fn message(&self, _: &Message) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// A response to a request for a page.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The URL of the page.
    pub url: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The class of the page.
    pub verdict: &'a Verdict,
    /// The reason why the page is a duplicate; `None` if it is not one.
    pub cause: Option<Cause>,
    /// The number of links between a seed and the page.
    pub depth: u32,
    /// The size of the response as sent, in bytes.
    pub bytes: u64,
    /// True if an earlier run fetched the page and this run read it from the archive.
    pub is_replayed: bool,
}

/// An event other than an arrival.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// The responses of earlier runs were read from the archive.
    Resumed {
        /// The number of these responses.
        responses: u64,
    },
    /// The stop rule is disabled, but it would have ended the crawl here. Sent once.
    WouldStop {
        /// The reason and the figures of the stop rule.
        end: CrawlEnd,
    },
    /// The robots.txt of a host could not be fetched, so this run fetches nothing from the host.
    RobotsUnreachable {
        /// The URL of the robots.txt.
        url: String,
    },
    /// A request failed, and no repetition is left.
    Failed {
        /// The URL.
        url: String,
        /// The kind of failure, as in [`CrawlProblem::kind`](reprise_report::CrawlProblem::kind).
        kind: String,
    },
    /// A URL pattern seems to be endless and without new content. Its URLs are fetched last from now on.
    Suspected {
        /// The pattern.
        pattern: String,
    },
}
